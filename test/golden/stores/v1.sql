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
create index interlingua_messages_parent on interlingua_messages (parent, session, key);
create index interlingua_messages_depth on interlingua_messages (session, depth, key);
create index interlingua_messages_usage on interlingua_messages (tenant, day, key) where day is not null;
create table interlingua_labels (
      session text collate "C" not null,
      message text collate "C" not null,
      label text collate "C" not null,
      checksum text collate "C" not null,
      primary key (session, message, label)
    );
create table interlingua_removals (
      session text collate "C" primary key,
      removable_at_ms bigint not null
    );
create index interlingua_removals_due on interlingua_removals (removable_at_ms);
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
insert into interlingua_labels (session, message, label, checksum) values ('s_01a1e353b8746e946e6be1e9', 'msg_01a1e353b876437bb416f308', 'good', 'ae93b36f857300f0b7c925006fd7c0d7bc1c68ef6c10e25a51097d7927c8ba25');
insert into interlingua_memories (tenant, key, body, created_at, updated_at, expires_at, vector_model, dimensions, vector) values ('default', 'units', '{"metadata":{"topic":"units"},"text":"Prefers metric units","value":{"system":"SI"}}', '2026-11-15T10:07:02.776Z', '2026-11-15T10:07:02.776Z', '2999-01-01T00:00:00.000Z', 'm', '2',  E'\\x9a99193fcdcc4c3f');
insert into interlingua_memory_tenants (tenant, memory_count) values ('default', '1');
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e353b883862fee790edf', 'default', 's_01a1e353b8746e946e6be1e9', 'messages', 'msg_01a1e353b876437bb416f308', null, '1', '89dc1ff84e2605fc397219d02bc82a6029b52fe9b7d77075bdea4825bccc0c29', '72983c4d42007238c72ced8de22b4d22f72b855a72017a0d7820b1e446aeeaa1', '{"interlingua":1,"message":{"id":"msg_01a1e353b876437bb416f308","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Q"}]}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e353b883862fee790ee0', 'default', 's_01a1e353b8746e946e6be1e9', 'messages', 'msg_01a1e353b876437bb416f309', 'm_01a1e353b883862fee790edf', '2', 'c3396b23e1dd71b5e48de35c5bbb3ff080bec5f18641c314744100ae5c6fb22e', 'dc15c0531b0abd58069854920403b3f126d61942727dffc6dcbd398b06160af9', '{"interlingua":1,"message":{"id":"msg_01a1e353b876437bb416f309","createdAt":"2026-11-15T10:07:02.776Z","origin":{"dialect":"anthropic","provider":"anthropic","model":"m"},"usage":{"inputTokens":5,"outputTokens":2,"totalTokens":7,"cachedInputTokens":3},"role":"assistant","content":[{"type":"text","text":"A1"}],"parentId":"msg_01a1e353b876437bb416f308"}}', 'anthropic', 'm', '2026-11-15', '5', '2', '7', '3', null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e353b88387919bbc6450', 'default', 's_01a1e353b8746e946e6be1e9', 'messages', 'msg_01a1e353b876fc972e1530da', 'm_01a1e353b883862fee790ee0', '3', '0cce216529ac83bee86ea01b79abedb08994423fb8aeea75833d1a0e7fe09bd7', '51261cbd7071ff9cefe4c9fbfe93edd2ba91548c7957a6194a6f48997ad20add', '{"interlingua":1,"message":{"id":"msg_01a1e353b876fc972e1530da","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Q2"}],"parentId":"msg_01a1e353b876437bb416f309"}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e353b8bec6f3e2284143', 'default', 's_01a1e353b8746e946e6be1e9', 'notes', 'msg_01a1e353b8adab43c74e933b', null, '1', 'b042b41c22c8af4d1878b49a887e7ac2c23b9cf69a359f37b074ea4df9ddfb8d', 'e4b5f68aa3247a9bed15ec7edac8f0b5a9f4baf07372ac067748c9773d23cb51', '{"interlingua":1,"message":{"id":"msg_01a1e353b8adab43c74e933b","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Note"}]}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e353b908fa5164ecb309', 'default', 's_01a1e353b8e06d53e77e6207', 'messages', 'msg_01a1e353b8ef11ede0ea7cf6', 'm_01a1e353b883862fee790edf', '2', '389787f93da19e31d5952556bf90844fba13bad541b181107366299d6c7487c9', '61a6bb2d02d4dff12a749d79a796e99072a6a0b1294a5fc1314a2610332525ff', '{"interlingua":1,"message":{"id":"msg_01a1e353b8ef11ede0ea7cf6","createdAt":"2026-11-15T10:07:02.776Z","origin":{"dialect":"anthropic","provider":"anthropic","model":"m"},"usage":{"inputTokens":5,"outputTokens":2,"totalTokens":7,"cachedInputTokens":3},"role":"assistant","content":[{"type":"text","text":"A2"}],"parentId":"msg_01a1e353b876437bb416f308"}}', 'anthropic', 'm', '2026-11-15', '5', '2', '7', '3', null, null);
insert into interlingua_migrations (version) values ('1');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e353b8746e946e6be1e9', 'messages', '0', null, null, '', 'm_01a1e353b88387919bbc6450', '0672267c96719ed9c27b0d80ac3740b443cf54f27607c5303cf6d15f2f6777b5');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e353b8746e946e6be1e9', 'notes', '1', null, null, '', 'm_01a1e353b8bec6f3e2284143', '9d8bb3c725770ce9c21b8a76a954927f43ad3b7b1a9dd8ae5c54d5b17d82047c');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e353b8e06d53e77e6207', 'notes', '1', 'm_01a1e353b8bec6f3e2284143', 's_01a1e353b8746e946e6be1e9', 's_01a1e353b8746e946e6be1e9', 'm_01a1e353b8bec6f3e2284143', 'f93803e32424ac21418c27fb0baebb1b632a5aad5617ff64d51051c5ce77aace');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e353b8e06d53e77e6207', 'messages', '0', 'm_01a1e353b883862fee790edf', 's_01a1e353b8746e946e6be1e9', 's_01a1e353b8746e946e6be1e9', 'm_01a1e353b908fa5164ecb309', 'dfff15c8a152a82a0e95bfc20fc242a127af26cd6cf5b10fcc886321f06d3500');
insert into interlingua_sessions (key, tenant, id, title, search, labels, parameters, created_at, updated_at, expires_at, checksum) values ('s_01a1e353b8746e946e6be1e9', 'default', 'golden', 'Golden', 'golden
golden', ' a%20b %C3%A4 ', '{"n":1}', '2026-11-16T07:47:57.172Z', '2026-11-16T07:47:57.247Z', null, 'b9c4685ab5d44be19ca69a4ddec290bd2829659cb9c72ce8ba235cc7d6349652');
insert into interlingua_sessions (key, tenant, id, title, search, labels, parameters, created_at, updated_at, expires_at, checksum) values ('s_01a1e353b8e06d53e77e6207', 'default', 'fork', 'Golden', 'golden
fork', ' a%20b %C3%A4 ', '{"n":1}', '2026-11-16T07:47:57.280Z', '2026-11-16T07:47:57.324Z', null, '9391ce67af1b41c2037026c51a9234dabfe8426417e183e5d69aea16b8c43d58');
