create table interlingua_migrations (version integer primary key);
create table interlingua_sessions (
      key text collate "C" primary key,
      tenant text collate "C" not null,
      id text collate "C" not null,
      title text collate "C" not null,
      search text collate "C" not null,
      labels text collate "C" not null,
      parameters text collate "C" not null,
      created_at text collate "C" not null,
      updated_at text collate "C" not null,
      expires_at text collate "C",
      checksum text collate "C" not null,
      unique (tenant, id)
    );
create index interlingua_sessions_recent on interlingua_sessions (tenant, updated_at, key);
create table interlingua_sections (
      session text collate "C" not null,
      name text collate "C" not null,
      position integer not null,
      fork_point text collate "C",
      fork_owner text collate "C",
      lineage text collate "C" not null,
      head text collate "C",
      checksum text collate "C" not null,
      primary key (session, name)
    );
create index interlingua_sections_fork_owner on interlingua_sections (fork_owner) where fork_owner is not null;
create table interlingua_messages (
      key text collate "C" primary key,
      tenant text collate "C" not null,
      session text collate "C" not null,
      section text collate "C" not null,
      id text collate "C" not null,
      parent text collate "C",
      depth integer not null,
      hash text collate "C" not null,
      checksum text collate "C" not null,
      body text collate "C" not null,
      provider text collate "C",
      model text collate "C",
      day text collate "C",
      input_tokens bigint,
      output_tokens bigint,
      total_tokens bigint,
      cached_input_tokens bigint,
      cache_write_tokens bigint,
      reasoning_tokens bigint,
      unique (session, id)
    );
create index interlingua_messages_hash on interlingua_messages (session, section, hash);
create index interlingua_messages_parent on interlingua_messages (parent, session);
create index interlingua_messages_depth on interlingua_messages (session, depth, key);
create index interlingua_messages_usage on interlingua_messages (tenant, day, key) where day is not null;
create table interlingua_labels (
      session text collate "C" not null,
      message text collate "C" not null,
      label text collate "C" not null,
      checksum text collate "C" not null,
      primary key (session, message, label)
    );
create table interlingua_leases (
      session text collate "C" primary key,
      token text collate "C" not null,
      holder text collate "C" not null,
      acquired_at_ms bigint not null,
      expires_at_ms bigint not null,
      is_release_requested integer not null
    );
create table interlingua_memory_tenants (
      tenant text collate "C" primary key,
      memory_count integer not null
    );
create table interlingua_memories (
      tenant text collate "C" not null,
      key text collate "C" not null,
      body text collate "C" not null,
      created_at text collate "C" not null,
      updated_at text collate "C" not null,
      expires_at text collate "C",
      vector_model text collate "C",
      dimensions integer,
      vector bytea,
      primary key (tenant, key)
    );
create index interlingua_memories_created on interlingua_memories (tenant, created_at, key);
create index interlingua_memories_vectors
      on interlingua_memories (tenant, vector_model, dimensions, created_at, key) where vector_model is not null;
create index interlingua_memories_expiry
      on interlingua_memories (expires_at, tenant) where expires_at is not null;
insert into interlingua_labels (session, message, label, checksum) values ('s_01a1e3348947195938890328', 'msg_01a1e3348961c8602803dc34', 'good', 'a51173f6cae6e3ad4e962195eef0c36bac885b97d78de67a2a15712b604987ba');
insert into interlingua_memories (tenant, key, body, created_at, updated_at, expires_at, vector_model, dimensions, vector) values ('default', 'units', '{"metadata":{"topic":"units"},"text":"Prefers metric units","value":{"system":"SI"}}', '2026-11-15T10:07:02.776Z', '2026-11-15T10:07:02.776Z', '2999-01-01T00:00:00.000Z', 'm', '2',  E'\\x9a99193fcdcc4c3f');
insert into interlingua_memory_tenants (tenant, memory_count) values ('default', '1');
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e334897601b2848ce121', 'default', 's_01a1e3348947195938890328', 'messages', 'msg_01a1e3348961c8602803dc34', null, '1', '89dc1ff84e2605fc397219d02bc82a6029b52fe9b7d77075bdea4825bccc0c29', 'e00f81a06b3b04c47ef349df41269a42f4778bdc46e5d15ddc193cd190ce373a', '{"interlingua":1,"message":{"id":"msg_01a1e3348961c8602803dc34","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Q"}]}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e3348977b6b956190b83', 'default', 's_01a1e3348947195938890328', 'messages', 'msg_01a1e3348961c8602803dc35', 'm_01a1e334897601b2848ce121', '2', 'c3396b23e1dd71b5e48de35c5bbb3ff080bec5f18641c314744100ae5c6fb22e', '78e953ba428ef87b19f8ef6f07c4ad55496713170ae16fb45ac65694a3fc4c2c', '{"interlingua":1,"message":{"id":"msg_01a1e3348961c8602803dc35","createdAt":"2026-11-15T10:07:02.776Z","origin":{"dialect":"anthropic","provider":"anthropic","model":"m"},"usage":{"inputTokens":5,"outputTokens":2,"totalTokens":7,"cachedInputTokens":3},"role":"assistant","content":[{"type":"text","text":"A1"}],"parentId":"msg_01a1e3348961c8602803dc34"}}', 'anthropic', 'm', '2026-11-15', '5', '2', '7', '3', null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e3348977b6b956190b84', 'default', 's_01a1e3348947195938890328', 'messages', 'msg_01a1e3348962bc597a57ca3f', 'm_01a1e3348977b6b956190b83', '3', '0cce216529ac83bee86ea01b79abedb08994423fb8aeea75833d1a0e7fe09bd7', '9f9cf2a4c3500fd7adf4030d0e8d85c7b613a845a985cbacb3db05415e968d52', '{"interlingua":1,"message":{"id":"msg_01a1e3348962bc597a57ca3f","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Q2"}],"parentId":"msg_01a1e3348961c8602803dc35"}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e33489af1d3d63293a51', 'default', 's_01a1e3348947195938890328', 'notes', 'msg_01a1e334899997ce4cd7b851', null, '1', 'b042b41c22c8af4d1878b49a887e7ac2c23b9cf69a359f37b074ea4df9ddfb8d', 'ce82e8038dc500f3b6c8ea3eeb027b684ec1ebf5316d0d5fc7dccb697858dc0e', '{"interlingua":1,"message":{"id":"msg_01a1e334899997ce4cd7b851","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Note"}]}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e3348a19851bdfe5161d', 'default', 's_01a1e33489e4c29bdfa1add6', 'messages', 'msg_01a1e33489fa6701f8df2627', 'm_01a1e334897601b2848ce121', '2', '389787f93da19e31d5952556bf90844fba13bad541b181107366299d6c7487c9', '0095d92ff46eeb20633f40c9e63b31b375ec61268f1950cabce4e205dab15e34', '{"interlingua":1,"message":{"id":"msg_01a1e33489fa6701f8df2627","createdAt":"2026-11-15T10:07:02.776Z","origin":{"dialect":"anthropic","provider":"anthropic","model":"m"},"usage":{"inputTokens":5,"outputTokens":2,"totalTokens":7,"cachedInputTokens":3},"role":"assistant","content":[{"type":"text","text":"A2"}],"parentId":"msg_01a1e3348961c8602803dc34"}}', 'anthropic', 'm', '2026-11-15', '5', '2', '7', '3', null, null);
insert into interlingua_migrations (version) values ('1');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e3348947195938890328', 'messages', '0', null, null, '', 'm_01a1e3348977b6b956190b84', 'd28640311505245fd0ecf5314c5b6863357860f38fd65133fb4563d93753ed07');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e3348947195938890328', 'notes', '1', null, null, '', 'm_01a1e33489af1d3d63293a51', 'cd158d7f1ffa3c7b2707e8c5294f46f9736e65cc75b99f90d8669bf32f4077a7');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e33489e4c29bdfa1add6', 'notes', '1', 'm_01a1e33489af1d3d63293a51', 's_01a1e3348947195938890328', 's_01a1e3348947195938890328', 'm_01a1e33489af1d3d63293a51', '074f1d4e3835011117995a44f0d50e7ba50277d87ee6b95b844a1b68a0e2c2ae');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e33489e4c29bdfa1add6', 'messages', '0', 'm_01a1e334897601b2848ce121', 's_01a1e3348947195938890328', 's_01a1e3348947195938890328', 'm_01a1e3348a19851bdfe5161d', '3fa4ddb66ec5d34892ffc9eeb581f742f4c1e84751e530af81d1801ef03aebea');
insert into interlingua_sessions (key, tenant, id, title, search, labels, parameters, created_at, updated_at, expires_at, checksum) values ('s_01a1e3348947195938890328', 'default', 'golden', 'Golden', 'golden
golden', ' a%20b %C3%A4 ', '{"n":1}', '2026-11-16T07:13:53.479Z', '2026-11-16T07:13:53.583Z', null, '89a81ed6ec97b6708c95cbaf0f4f3501ec45dcce25249c4844910ad26aedfd74');
insert into interlingua_sessions (key, tenant, id, title, search, labels, parameters, created_at, updated_at, expires_at, checksum) values ('s_01a1e33489e4c29bdfa1add6', 'default', 'fork', 'Golden', 'golden
fork', ' a%20b %C3%A4 ', '{"n":1}', '2026-11-16T07:13:53.636Z', '2026-11-16T07:13:53.693Z', null, '883405b9e95f7c1ec2b794ab153c11f99bfd8973a483bf3cef783c6b50493310');
