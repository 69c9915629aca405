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
create table interlingua_memory_tenants (tenant text collate "C" primary key);
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
create index interlingua_memories_expiry on interlingua_memories (expires_at) where expires_at is not null;
insert into interlingua_labels (session, message, label, checksum) values ('s_01a1e342fe8e450ae9ead163', 'msg_01a1e342fea00ae13c9de501', 'good', '2fe45ab6162f4dd88b72c33de013d283f00c7e3b55e617522bd91a059985b968');
insert into interlingua_memories (tenant, key, body, created_at, updated_at, expires_at, vector_model, dimensions, vector) values ('default', 'units', '{"metadata":{"topic":"units"},"text":"Prefers metric units","value":{"system":"SI"}}', '2026-11-15T10:07:02.776Z', '2026-11-15T10:07:02.776Z', '2999-01-01T00:00:00.000Z', 'm', '2',  E'\\x9a99193fcdcc4c3f');
insert into interlingua_memory_tenants (tenant) values ('default');
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e342fea7b8bba22f3635', 'default', 's_01a1e342fe8e450ae9ead163', 'messages', 'msg_01a1e342fea00ae13c9de501', null, '1', '89dc1ff84e2605fc397219d02bc82a6029b52fe9b7d77075bdea4825bccc0c29', '6a08251981a308dad141dda11df2688b74045a88273efe14a07b32136c2964d7', '{"interlingua":1,"message":{"id":"msg_01a1e342fea00ae13c9de501","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Q"}]}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e342fea7b8bba22f3636', 'default', 's_01a1e342fe8e450ae9ead163', 'messages', 'msg_01a1e342fea16b0d3729fb41', 'm_01a1e342fea7b8bba22f3635', '2', 'c3396b23e1dd71b5e48de35c5bbb3ff080bec5f18641c314744100ae5c6fb22e', '7ba23fd3c12dbc7611e0d7127146cba764f2fc193127719784bb3937e8f2720d', '{"interlingua":1,"message":{"id":"msg_01a1e342fea16b0d3729fb41","createdAt":"2026-11-15T10:07:02.776Z","origin":{"dialect":"anthropic","provider":"anthropic","model":"m"},"usage":{"inputTokens":5,"outputTokens":2,"totalTokens":7,"cachedInputTokens":3},"role":"assistant","content":[{"type":"text","text":"A1"}],"parentId":"msg_01a1e342fea00ae13c9de501"}}', 'anthropic', 'm', '2026-11-15', '5', '2', '7', '3', null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e342fea83353c47e9dd2', 'default', 's_01a1e342fe8e450ae9ead163', 'messages', 'msg_01a1e342fea1def5861a4398', 'm_01a1e342fea7b8bba22f3636', '3', '0cce216529ac83bee86ea01b79abedb08994423fb8aeea75833d1a0e7fe09bd7', 'ac4fe0ce05e3849f019282297599cf3ca978653a76fa394437da99b8bee41924', '{"interlingua":1,"message":{"id":"msg_01a1e342fea1def5861a4398","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Q2"}],"parentId":"msg_01a1e342fea16b0d3729fb41"}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e342feca0e524f891347', 'default', 's_01a1e342fe8e450ae9ead163', 'notes', 'msg_01a1e342feb7c6381815c853', null, '1', 'b042b41c22c8af4d1878b49a887e7ac2c23b9cf69a359f37b074ea4df9ddfb8d', '5ee0cf65addb303c0374cbf25a217fbd3ef92dda4af192689cc95efb21ad9993', '{"interlingua":1,"message":{"id":"msg_01a1e342feb7c6381815c853","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Note"}]}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e342ff20ddeaf2024848', 'default', 's_01a1e342fef5ccd35ea8e790', 'messages', 'msg_01a1e342ff0e90909a2cf383', 'm_01a1e342fea7b8bba22f3635', '2', '389787f93da19e31d5952556bf90844fba13bad541b181107366299d6c7487c9', '01b2f396a77a3b61d0091846ac05212f45ed2b18bef6949f7bd4ee14271323ba', '{"interlingua":1,"message":{"id":"msg_01a1e342ff0e90909a2cf383","createdAt":"2026-11-15T10:07:02.776Z","origin":{"dialect":"anthropic","provider":"anthropic","model":"m"},"usage":{"inputTokens":5,"outputTokens":2,"totalTokens":7,"cachedInputTokens":3},"role":"assistant","content":[{"type":"text","text":"A2"}],"parentId":"msg_01a1e342fea00ae13c9de501"}}', 'anthropic', 'm', '2026-11-15', '5', '2', '7', '3', null, null);
insert into interlingua_migrations (version) values ('1');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e342fe8e450ae9ead163', 'messages', '0', null, null, '', 'm_01a1e342fea83353c47e9dd2', '73b98636de93b681c9c0e517397070b6c4f87c69e5ff2e3b12966aca000b0c73');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e342fe8e450ae9ead163', 'notes', '1', null, null, '', 'm_01a1e342feca0e524f891347', 'eca5dbc3f7cf8efa2a613e4d686da571813fc6dc3e71c4a573c5387ca74ed12d');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e342fef5ccd35ea8e790', 'notes', '1', 'm_01a1e342feca0e524f891347', 's_01a1e342fe8e450ae9ead163', 's_01a1e342fe8e450ae9ead163', 'm_01a1e342feca0e524f891347', 'f6598c1e42331f356e5bb245667b16395467e4cbedd8ebd058b2f8e6adc32603');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e342fef5ccd35ea8e790', 'messages', '0', 'm_01a1e342fea7b8bba22f3635', 's_01a1e342fe8e450ae9ead163', 's_01a1e342fe8e450ae9ead163', 'm_01a1e342ff20ddeaf2024848', '96c2f8ee9f1e966e06f852d5afa8e81c69d0b2b91ea51f07e673019df3fe9439');
insert into interlingua_sessions (key, tenant, id, title, search, labels, parameters, created_at, updated_at, expires_at, checksum) values ('s_01a1e342fe8e450ae9ead163', 'default', 'golden', 'Golden', 'golden
golden', ' a%20b %C3%A4 ', '{"n":1}', '2026-11-16T07:29:41.006Z', '2026-11-16T07:29:41.066Z', null, '6d64e50a284e76550ecd87cbcca403df356bc18a828ee97cbe557a364fe66fc2');
insert into interlingua_sessions (key, tenant, id, title, search, labels, parameters, created_at, updated_at, expires_at, checksum) values ('s_01a1e342fef5ccd35ea8e790', 'default', 'fork', 'Golden', 'golden
fork', ' a%20b %C3%A4 ', '{"n":1}', '2026-11-16T07:29:41.109Z', '2026-11-16T07:29:41.153Z', null, '05abf2316610c8c96627ac24e476105516b2512f8c1592bf21b43dd046bb09b0');
