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
insert into interlingua_labels (session, message, label, checksum) values ('s_01a1e34bd6d5b3ec73ca86c0', 'msg_01a1e34bd6df08876a558269', 'good', '615b2f4a7c794dab154e7a16b0a821adf338ee92baabd03d66fa102be5cf65ed');
insert into interlingua_memories (tenant, key, body, created_at, updated_at, expires_at, vector_model, dimensions, vector) values ('default', 'units', '{"metadata":{"topic":"units"},"text":"Prefers metric units","value":{"system":"SI"}}', '2026-11-15T10:07:02.776Z', '2026-11-15T10:07:02.776Z', '2999-01-01T00:00:00.000Z', 'm', '2',  E'\\x9a99193fcdcc4c3f');
insert into interlingua_memory_tenants (tenant, memory_count) values ('default', '1');
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e34bd6e28a644bbb4a8c', 'default', 's_01a1e34bd6d5b3ec73ca86c0', 'messages', 'msg_01a1e34bd6df08876a558269', null, '1', '89dc1ff84e2605fc397219d02bc82a6029b52fe9b7d77075bdea4825bccc0c29', '2b8e213271a45e91808599d30f83ed7952267e3ea83354b4784d45433dfb3c8f', '{"interlingua":1,"message":{"id":"msg_01a1e34bd6df08876a558269","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Q"}]}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e34bd6e28a644bbb4a8d', 'default', 's_01a1e34bd6d5b3ec73ca86c0', 'messages', 'msg_01a1e34bd6dfe17744ca0a4c', 'm_01a1e34bd6e28a644bbb4a8c', '2', 'c3396b23e1dd71b5e48de35c5bbb3ff080bec5f18641c314744100ae5c6fb22e', 'a9509a92351488d3b2f356df1e293ef6e65d34b9f70243afcf5a17aaeea177e7', '{"interlingua":1,"message":{"id":"msg_01a1e34bd6dfe17744ca0a4c","createdAt":"2026-11-15T10:07:02.776Z","origin":{"dialect":"anthropic","provider":"anthropic","model":"m"},"usage":{"inputTokens":5,"outputTokens":2,"totalTokens":7,"cachedInputTokens":3},"role":"assistant","content":[{"type":"text","text":"A1"}],"parentId":"msg_01a1e34bd6df08876a558269"}}', 'anthropic', 'm', '2026-11-15', '5', '2', '7', '3', null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e34bd6e32c78ae56abb8', 'default', 's_01a1e34bd6d5b3ec73ca86c0', 'messages', 'msg_01a1e34bd6e0b35aacc84c60', 'm_01a1e34bd6e28a644bbb4a8d', '3', '0cce216529ac83bee86ea01b79abedb08994423fb8aeea75833d1a0e7fe09bd7', '18b22e544db8e675cd1a9b5370964134d270605759792919da3e2b9028325029', '{"interlingua":1,"message":{"id":"msg_01a1e34bd6e0b35aacc84c60","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Q2"}],"parentId":"msg_01a1e34bd6dfe17744ca0a4c"}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e34bd6f157a9b603e178', 'default', 's_01a1e34bd6d5b3ec73ca86c0', 'notes', 'msg_01a1e34bd6ec13436ed4101c', null, '1', 'b042b41c22c8af4d1878b49a887e7ac2c23b9cf69a359f37b074ea4df9ddfb8d', '6be8cd73e0bed66920476264bd6fc5897f716a2abc8c1774061c12a7e16af3ee', '{"interlingua":1,"message":{"id":"msg_01a1e34bd6ec13436ed4101c","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Note"}]}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e34bd7232d5a0fffd073', 'default', 's_01a1e34bd71276827c47acd4', 'messages', 'msg_01a1e34bd71c04c55a943fbb', 'm_01a1e34bd6e28a644bbb4a8c', '2', '389787f93da19e31d5952556bf90844fba13bad541b181107366299d6c7487c9', '3e452a188bfdd109ac3e117d8f780bc417fcff635777375b08a032a5281832d7', '{"interlingua":1,"message":{"id":"msg_01a1e34bd71c04c55a943fbb","createdAt":"2026-11-15T10:07:02.776Z","origin":{"dialect":"anthropic","provider":"anthropic","model":"m"},"usage":{"inputTokens":5,"outputTokens":2,"totalTokens":7,"cachedInputTokens":3},"role":"assistant","content":[{"type":"text","text":"A2"}],"parentId":"msg_01a1e34bd6df08876a558269"}}', 'anthropic', 'm', '2026-11-15', '5', '2', '7', '3', null, null);
insert into interlingua_migrations (version) values ('1');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e34bd6d5b3ec73ca86c0', 'messages', '0', null, null, '', 'm_01a1e34bd6e32c78ae56abb8', '0bcd45bef25b8ae32484ada5e22cbf4925ec1c2c82ca68dae2811a0d364693bd');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e34bd6d5b3ec73ca86c0', 'notes', '1', null, null, '', 'm_01a1e34bd6f157a9b603e178', '28bf564901c6ebcef3c4bf781b228c5807e74de205bd25d64661241f7a2a850b');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e34bd71276827c47acd4', 'notes', '1', 'm_01a1e34bd6f157a9b603e178', 's_01a1e34bd6d5b3ec73ca86c0', 's_01a1e34bd6d5b3ec73ca86c0', 'm_01a1e34bd6f157a9b603e178', '191b48b6a117343797673621b23237174131a34f344362a5867acb4390f182c4');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e34bd71276827c47acd4', 'messages', '0', 'm_01a1e34bd6e28a644bbb4a8c', 's_01a1e34bd6d5b3ec73ca86c0', 's_01a1e34bd6d5b3ec73ca86c0', 'm_01a1e34bd7232d5a0fffd073', '00590abc331b0160d8febf25adc6cba0687bb00460d79646bfed37ed122f7385');
insert into interlingua_sessions (key, tenant, id, title, search, labels, parameters, created_at, updated_at, expires_at, checksum) values ('s_01a1e34bd6d5b3ec73ca86c0', 'default', 'golden', 'Golden', 'golden
golden', ' a%20b %C3%A4 ', '{"n":1}', '2026-11-16T07:39:20.661Z', '2026-11-16T07:39:20.689Z', null, '4491df0694e31c8c1a8adf2b6f883192f09ad27eaf596fe6e1a72bcbaf319064');
insert into interlingua_sessions (key, tenant, id, title, search, labels, parameters, created_at, updated_at, expires_at, checksum) values ('s_01a1e34bd71276827c47acd4', 'default', 'fork', 'Golden', 'golden
fork', ' a%20b %C3%A4 ', '{"n":1}', '2026-11-16T07:39:20.722Z', '2026-11-16T07:39:20.740Z', null, 'b070cc76f96b678e2ed3879cb117d8b324692518e4c563d75199e1b8e35d16d5');
