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
create table interlingua_streams (
      id text collate "C" primary key,
      tenant text collate "C" not null,
      topic text collate "C" not null,
      position integer not null,
      holder text collate "C" not null,
      status text collate "C" not null,
      code text collate "C",
      first_event integer not null,
      last_event integer not null,
      is_stop_requested integer not null,
      data_key text collate "C",
      lease_expires_at_ms bigint not null,
      expires_at_ms bigint not null,
      unique (tenant, topic, position)
    );
create index interlingua_streams_expiry on interlingua_streams (expires_at_ms);
create table interlingua_stream_batches (
      stream text collate "C" not null,
      first_event integer not null,
      last_event integer not null,
      body text collate "C" not null,
      primary key (stream, last_event)
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
insert into interlingua_labels (session, message, label, checksum) values ('s_01a1e34bf8caf96debdfdea1', 'msg_01a1e34bf8d15fef00e64bb1', 'good', '4594cce3f3249fe63f780ef311867160b36c42e54194e1a66dc62bed0d4bdb7c');
insert into interlingua_memories (tenant, key, body, created_at, updated_at, expires_at, vector_model, dimensions, vector) values ('default', 'units', '{"metadata":{"topic":"units"},"text":"Prefers metric units","value":{"system":"SI"}}', '2026-11-15T10:07:02.776Z', '2026-11-15T10:07:02.776Z', '2999-01-01T00:00:00.000Z', 'm', '2',  E'\\x9a99193fcdcc4c3f');
insert into interlingua_memory_tenants (tenant, memory_count) values ('default', '1');
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e34bf8e382a66257b52e', 'default', 's_01a1e34bf8caf96debdfdea1', 'messages', 'msg_01a1e34bf8d15fef00e64bb1', null, '1', '89dc1ff84e2605fc397219d02bc82a6029b52fe9b7d77075bdea4825bccc0c29', '14b4542d6e302e7cf609f83cf248913ca5bdbfcd9c6e447ea91d24fd19f73f3e', '{"interlingua":1,"message":{"id":"msg_01a1e34bf8d15fef00e64bb1","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Q"}]}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e34bf8e3cf765e19b723', 'default', 's_01a1e34bf8caf96debdfdea1', 'messages', 'msg_01a1e34bf8d225e4ae782072', 'm_01a1e34bf8e382a66257b52e', '2', 'c3396b23e1dd71b5e48de35c5bbb3ff080bec5f18641c314744100ae5c6fb22e', '689601609393315bab5f903fcb87a2d9d1789c66cc46f4d8628cbabb499e674c', '{"interlingua":1,"message":{"id":"msg_01a1e34bf8d225e4ae782072","createdAt":"2026-11-15T10:07:02.776Z","origin":{"dialect":"anthropic","provider":"anthropic","model":"m"},"usage":{"inputTokens":5,"outputTokens":2,"totalTokens":7,"cachedInputTokens":3},"role":"assistant","content":[{"type":"text","text":"A1"}],"parentId":"msg_01a1e34bf8d15fef00e64bb1"}}', 'anthropic', 'm', '2026-11-15', '5', '2', '7', '3', null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e34bf8e3cf765e19b724', 'default', 's_01a1e34bf8caf96debdfdea1', 'messages', 'msg_01a1e34bf8d225e4ae782073', 'm_01a1e34bf8e3cf765e19b723', '3', '0cce216529ac83bee86ea01b79abedb08994423fb8aeea75833d1a0e7fe09bd7', '54f4916c9f0f74b43e648ec0f7402c5585a0e610c36ced20315a6ed81dcae0ef', '{"interlingua":1,"message":{"id":"msg_01a1e34bf8d225e4ae782073","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Q2"}],"parentId":"msg_01a1e34bf8d225e4ae782072"}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e34bf8f220fe43cb4553', 'default', 's_01a1e34bf8caf96debdfdea1', 'notes', 'msg_01a1e34bf8ec6ed6b7cc8b17', null, '1', 'b042b41c22c8af4d1878b49a887e7ac2c23b9cf69a359f37b074ea4df9ddfb8d', '591e8ff3fbea13ea3858e5c90ae1f7a31bf43caf0bbc610b66e58e5ec88d688c', '{"interlingua":1,"message":{"id":"msg_01a1e34bf8ec6ed6b7cc8b17","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Note"}]}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e34bf925c35dfc1b41e9', 'default', 's_01a1e34bf9112c95e3026712', 'messages', 'msg_01a1e34bf91d4d1ae42f9504', 'm_01a1e34bf8e382a66257b52e', '2', '389787f93da19e31d5952556bf90844fba13bad541b181107366299d6c7487c9', '9ec2b1e0dccec121333b9c6eab543561fb2c6fbd47760ab18f6990ee8282474d', '{"interlingua":1,"message":{"id":"msg_01a1e34bf91d4d1ae42f9504","createdAt":"2026-11-15T10:07:02.776Z","origin":{"dialect":"anthropic","provider":"anthropic","model":"m"},"usage":{"inputTokens":5,"outputTokens":2,"totalTokens":7,"cachedInputTokens":3},"role":"assistant","content":[{"type":"text","text":"A2"}],"parentId":"msg_01a1e34bf8d15fef00e64bb1"}}', 'anthropic', 'm', '2026-11-15', '5', '2', '7', '3', null, null);
insert into interlingua_migrations (version) values ('1');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e34bf8caf96debdfdea1', 'messages', '0', null, null, '', 'm_01a1e34bf8e3cf765e19b724', 'bbbb8a4162cc9458bb23207b15d0df6e7c87691a47bfea63eb6fc744db2874c2');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e34bf8caf96debdfdea1', 'notes', '1', null, null, '', 'm_01a1e34bf8f220fe43cb4553', '38e898fbbbc49b7d3d76977eb44ef82f0161824ec83a7a39cd03b1f1f9b7fddc');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e34bf9112c95e3026712', 'notes', '1', 'm_01a1e34bf8f220fe43cb4553', 's_01a1e34bf8caf96debdfdea1', 's_01a1e34bf8caf96debdfdea1', 'm_01a1e34bf8f220fe43cb4553', '045ba02a8a66451f87b5f4157a94bd7c244f0d52245b3a7bbff9df6edaf9b66e');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e34bf9112c95e3026712', 'messages', '0', 'm_01a1e34bf8e382a66257b52e', 's_01a1e34bf8caf96debdfdea1', 's_01a1e34bf8caf96debdfdea1', 'm_01a1e34bf925c35dfc1b41e9', '17e854845e4f688b36eab870b7a31c1ceda966f7ebfa3464952ccc35ae5754a6');
insert into interlingua_sessions (key, tenant, id, title, search, labels, parameters, created_at, updated_at, expires_at, checksum) values ('s_01a1e34bf8caf96debdfdea1', 'default', 'golden', 'Golden', 'golden
golden', ' a%20b %C3%A4 ', '{"n":1}', '2026-11-16T07:39:29.354Z', '2026-11-16T07:39:29.395Z', null, 'e942dfa55cab22a50ecfc8c021201d732a99f2f606b9ceef2129265497e7598a');
insert into interlingua_sessions (key, tenant, id, title, search, labels, parameters, created_at, updated_at, expires_at, checksum) values ('s_01a1e34bf9112c95e3026712', 'default', 'fork', 'Golden', 'golden
fork', ' a%20b %C3%A4 ', '{"n":1}', '2026-11-16T07:39:29.425Z', '2026-11-16T07:39:29.445Z', null, '48c3ae8825335b36e436c2fcc693fbca1c4053fa508144d538070350c4b1a8f3');
