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
insert into interlingua_labels (session, message, label, checksum) values ('s_01a1e3540ea4b12af9ca7c70', 'msg_01a1e3540eadc6c8b44fdeca', 'good', '73c87c83492a6fb318b19ab7589cafd9cc2a7304eba9c20a2036ff40a594f560');
insert into interlingua_memories (tenant, key, body, created_at, updated_at, expires_at, vector_model, dimensions, vector) values ('default', 'units', '{"metadata":{"topic":"units"},"text":"Prefers metric units","value":{"system":"SI"}}', '2026-11-15T10:07:02.776Z', '2026-11-15T10:07:02.776Z', '2999-01-01T00:00:00.000Z', 'm', '2',  E'\\x9a99193fcdcc4c3f');
insert into interlingua_memory_tenants (tenant, memory_count) values ('default', '1');
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e3540eb669f7a8bfcd1c', 'default', 's_01a1e3540ea4b12af9ca7c70', 'messages', 'msg_01a1e3540eadc6c8b44fdeca', null, '1', '89dc1ff84e2605fc397219d02bc82a6029b52fe9b7d77075bdea4825bccc0c29', 'ce49e05d963aa67f2e80a7ec4816249f32346c6b168ec1e668f44f1bdc1ff1a7', '{"interlingua":1,"message":{"id":"msg_01a1e3540eadc6c8b44fdeca","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Q"}]}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e3540eb683b0abfc24c6', 'default', 's_01a1e3540ea4b12af9ca7c70', 'messages', 'msg_01a1e3540eae42a821e551fb', 'm_01a1e3540eb669f7a8bfcd1c', '2', 'c3396b23e1dd71b5e48de35c5bbb3ff080bec5f18641c314744100ae5c6fb22e', '9bc08c0a85393006472ae49518c1f57ac5a838449685f2cd77a652b81fe4514c', '{"interlingua":1,"message":{"id":"msg_01a1e3540eae42a821e551fb","createdAt":"2026-11-15T10:07:02.776Z","origin":{"dialect":"anthropic","provider":"anthropic","model":"m"},"usage":{"inputTokens":5,"outputTokens":2,"totalTokens":7,"cachedInputTokens":3},"role":"assistant","content":[{"type":"text","text":"A1"}],"parentId":"msg_01a1e3540eadc6c8b44fdeca"}}', 'anthropic', 'm', '2026-11-15', '5', '2', '7', '3', null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e3540eb76cb5436e4303', 'default', 's_01a1e3540ea4b12af9ca7c70', 'messages', 'msg_01a1e3540eae42a821e551fc', 'm_01a1e3540eb683b0abfc24c6', '3', '0cce216529ac83bee86ea01b79abedb08994423fb8aeea75833d1a0e7fe09bd7', 'ca6777b0e707a4abd1db814f5d25db771df95a743e1631fce73cb50d5593a41d', '{"interlingua":1,"message":{"id":"msg_01a1e3540eae42a821e551fc","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Q2"}],"parentId":"msg_01a1e3540eae42a821e551fb"}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e3540ed7b6d096865b63', 'default', 's_01a1e3540ea4b12af9ca7c70', 'notes', 'msg_01a1e3540ecc750ef8192591', null, '1', 'b042b41c22c8af4d1878b49a887e7ac2c23b9cf69a359f37b074ea4df9ddfb8d', '2b31ee3dace1e67a8805d115c6188fcc94a7756d2ad4dd27f14a17a92ca99b7c', '{"interlingua":1,"message":{"id":"msg_01a1e3540ecc750ef8192591","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Note"}]}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e3540f0dab568efcd0c2', 'default', 's_01a1e3540f00bd383d7f795d', 'messages', 'msg_01a1e3540f056f08d4e8ff19', 'm_01a1e3540eb669f7a8bfcd1c', '2', '389787f93da19e31d5952556bf90844fba13bad541b181107366299d6c7487c9', '59aae49a5faceb7ce79f284cf1abcf333d743ad25cf41058b2267523705a0ca4', '{"interlingua":1,"message":{"id":"msg_01a1e3540f056f08d4e8ff19","createdAt":"2026-11-15T10:07:02.776Z","origin":{"dialect":"anthropic","provider":"anthropic","model":"m"},"usage":{"inputTokens":5,"outputTokens":2,"totalTokens":7,"cachedInputTokens":3},"role":"assistant","content":[{"type":"text","text":"A2"}],"parentId":"msg_01a1e3540eadc6c8b44fdeca"}}', 'anthropic', 'm', '2026-11-15', '5', '2', '7', '3', null, null);
insert into interlingua_migrations (version) values ('1');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e3540ea4b12af9ca7c70', 'messages', '0', null, null, '', 'm_01a1e3540eb76cb5436e4303', '3b57cf136a525e5befea3b030d23afeb7b8af2d4f454ff01546210ac426a9b0f');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e3540ea4b12af9ca7c70', 'notes', '1', null, null, '', 'm_01a1e3540ed7b6d096865b63', '93a7f01d2ce53675cd2b9b13a3478a9012a764374925ad0e80397f056a1aa114');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e3540f00bd383d7f795d', 'notes', '1', 'm_01a1e3540ed7b6d096865b63', 's_01a1e3540ea4b12af9ca7c70', 's_01a1e3540ea4b12af9ca7c70', 'm_01a1e3540ed7b6d096865b63', 'c7554543e3098bb0a10bfa3a41e05b49ac22a74f8e9df1bb9f5c4ae328c27383');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e3540f00bd383d7f795d', 'messages', '0', 'm_01a1e3540eb669f7a8bfcd1c', 's_01a1e3540ea4b12af9ca7c70', 's_01a1e3540ea4b12af9ca7c70', 'm_01a1e3540f0dab568efcd0c2', 'aa6222061aa4a00afff4895e1dad6cce9ab6cbaf9833196325d23b122e25e88b');
insert into interlingua_sessions (key, tenant, id, title, search, labels, parameters, created_at, updated_at, expires_at, checksum) values ('s_01a1e3540ea4b12af9ca7c70', 'default', 'golden', 'Golden', 'golden
golden', ' a%20b %C3%A4 ', '{"n":1}', '2026-11-16T07:48:19.236Z', '2026-11-16T07:48:19.287Z', null, 'c346284432c4e81fefce06e65e75d17b23cae0958222e852d513c742b5d6c861');
insert into interlingua_sessions (key, tenant, id, title, search, labels, parameters, created_at, updated_at, expires_at, checksum) values ('s_01a1e3540f00bd383d7f795d', 'default', 'fork', 'Golden', 'golden
fork', ' a%20b %C3%A4 ', '{"n":1}', '2026-11-16T07:48:19.328Z', '2026-11-16T07:48:19.341Z', null, '27949712948098809339e0c476fb40cbf36f771fe6fbf807fc3499461fcb6b3f');
