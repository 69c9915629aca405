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
insert into interlingua_labels (session, message, label, checksum) values ('s_01a1e3516da48d171d7a0972', 'msg_01a1e3516da83658d2a39e30', 'good', '3d2ce490b08a5c7a1a3008c7fb3cb9374547cf3c9523b17ef77b314a45ca0e46');
insert into interlingua_memories (tenant, key, body, created_at, updated_at, expires_at, vector_model, dimensions, vector) values ('default', 'units', '{"metadata":{"topic":"units"},"text":"Prefers metric units","value":{"system":"SI"}}', '2026-11-15T10:07:02.776Z', '2026-11-15T10:07:02.776Z', '2999-01-01T00:00:00.000Z', 'm', '2',  E'\\x9a99193fcdcc4c3f');
insert into interlingua_memory_tenants (tenant, memory_count) values ('default', '1');
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e3516dbb397d1ee59135', 'default', 's_01a1e3516da48d171d7a0972', 'messages', 'msg_01a1e3516da83658d2a39e30', null, '1', '89dc1ff84e2605fc397219d02bc82a6029b52fe9b7d77075bdea4825bccc0c29', '69d8c0cf34a95466c99b7c0a47071e338f854497fb618bb53a8a21a429d7ab8e', '{"interlingua":1,"message":{"id":"msg_01a1e3516da83658d2a39e30","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Q"}]}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e3516dbbd4a088a335e4', 'default', 's_01a1e3516da48d171d7a0972', 'messages', 'msg_01a1e3516da83658d2a39e31', 'm_01a1e3516dbb397d1ee59135', '2', 'c3396b23e1dd71b5e48de35c5bbb3ff080bec5f18641c314744100ae5c6fb22e', '8fbaa4d4e4fb0d751123dceb5d291b9bf238a2838c6459ea55207b451db4b0e4', '{"interlingua":1,"message":{"id":"msg_01a1e3516da83658d2a39e31","createdAt":"2026-11-15T10:07:02.776Z","origin":{"dialect":"anthropic","provider":"anthropic","model":"m"},"usage":{"inputTokens":5,"outputTokens":2,"totalTokens":7,"cachedInputTokens":3},"role":"assistant","content":[{"type":"text","text":"A1"}],"parentId":"msg_01a1e3516da83658d2a39e30"}}', 'anthropic', 'm', '2026-11-15', '5', '2', '7', '3', null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e3516dbc9cb467d0453f', 'default', 's_01a1e3516da48d171d7a0972', 'messages', 'msg_01a1e3516da970b1db304d22', 'm_01a1e3516dbbd4a088a335e4', '3', '0cce216529ac83bee86ea01b79abedb08994423fb8aeea75833d1a0e7fe09bd7', '1c4b01b9fb104054932bcabf901cd57e80966e524d1df8587df16110e01db3cc', '{"interlingua":1,"message":{"id":"msg_01a1e3516da970b1db304d22","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Q2"}],"parentId":"msg_01a1e3516da83658d2a39e31"}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e3516dda89cc7837fd97', 'default', 's_01a1e3516da48d171d7a0972', 'notes', 'msg_01a1e3516dd4714163f2bc74', null, '1', 'b042b41c22c8af4d1878b49a887e7ac2c23b9cf69a359f37b074ea4df9ddfb8d', '94c88e309ab1bb3c3c17fb8118c81f35d710b4a149298ff63e1736bdca2342cc', '{"interlingua":1,"message":{"id":"msg_01a1e3516dd4714163f2bc74","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Note"}]}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e3516e64a3957c074a7a', 'default', 's_01a1e3516e29a4d9030dcd5e', 'messages', 'msg_01a1e3516e4ab554b62515f3', 'm_01a1e3516dbb397d1ee59135', '2', '389787f93da19e31d5952556bf90844fba13bad541b181107366299d6c7487c9', '197543a87279fcd761dcc2b3dad7205037c1d20548f83314e399279946dea78a', '{"interlingua":1,"message":{"id":"msg_01a1e3516e4ab554b62515f3","createdAt":"2026-11-15T10:07:02.776Z","origin":{"dialect":"anthropic","provider":"anthropic","model":"m"},"usage":{"inputTokens":5,"outputTokens":2,"totalTokens":7,"cachedInputTokens":3},"role":"assistant","content":[{"type":"text","text":"A2"}],"parentId":"msg_01a1e3516da83658d2a39e30"}}', 'anthropic', 'm', '2026-11-15', '5', '2', '7', '3', null, null);
insert into interlingua_migrations (version) values ('1');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e3516da48d171d7a0972', 'messages', '0', null, null, '', 'm_01a1e3516dbc9cb467d0453f', '686ca848bed6190735b54443dd2ed11652288aa80bd9a168fb20ad725af9831e');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e3516da48d171d7a0972', 'notes', '1', null, null, '', 'm_01a1e3516dda89cc7837fd97', '09a79d5e9a99de9b5cb3732dfda94a5348faf85be3e2fe0f7aa42fe0bdb0f63f');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e3516e29a4d9030dcd5e', 'notes', '1', 'm_01a1e3516dda89cc7837fd97', 's_01a1e3516da48d171d7a0972', 's_01a1e3516da48d171d7a0972', 'm_01a1e3516dda89cc7837fd97', '6bbefdb4f0904ba7d55f155d6de07bedd764394ebcbecc6054305c92476ccc6f');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e3516e29a4d9030dcd5e', 'messages', '0', 'm_01a1e3516dbb397d1ee59135', 's_01a1e3516da48d171d7a0972', 's_01a1e3516da48d171d7a0972', 'm_01a1e3516e64a3957c074a7a', 'b4b840136b29b4f902db173ef6501023ca6a17c3e5209a415c10ebf8c58d5df8');
insert into interlingua_sessions (key, tenant, id, title, search, labels, parameters, created_at, updated_at, expires_at, checksum) values ('s_01a1e3516da48d171d7a0972', 'default', 'golden', 'Golden', 'golden
golden', ' a%20b %C3%A4 ', '{"n":1}', '2026-11-16T07:45:26.948Z', '2026-11-16T07:45:27.002Z', null, 'd7c48950822f439b0051f61ebdb746f07ef15bfd77927063c150e39a1e86af8a');
insert into interlingua_sessions (key, tenant, id, title, search, labels, parameters, created_at, updated_at, expires_at, checksum) values ('s_01a1e3516e29a4d9030dcd5e', 'default', 'fork', 'Golden', 'golden
fork', ' a%20b %C3%A4 ', '{"n":1}', '2026-11-16T07:45:27.081Z', '2026-11-16T07:45:27.141Z', null, 'bb56dda53176d988d8902bf9da883c9de21aa55a04438f8d21daf78053c52f76');
