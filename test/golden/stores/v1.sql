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
      parent text collate "C" not null,
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
create index interlingua_messages_tree on interlingua_messages (session, depth, parent, key);
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
insert into interlingua_labels (session, message, label, checksum) values ('s_01a1f10ab3bd69e8b73c6df5', 'msg_01a1f10ab3c837a5e3e088b6', 'good', '5e21293be58841fedc121df448d50e16cd975ff55684a5dc6ed1b36d057d74c5');
insert into interlingua_memories (tenant, key, body, created_at, updated_at, expires_at, vector_model, dimensions, vector) values ('default', 'units', '{"metadata":{"topic":"units"},"text":"Prefers metric units","value":{"system":"SI"}}', '2026-11-15T10:07:02.776Z', '2026-11-15T10:07:02.776Z', '2999-01-01T00:00:00.000Z', 'm', '2',  E'\\x9a99193fcdcc4c3f');
insert into interlingua_memory_tenants (tenant, memory_count) values ('default', '1');
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1f10ab3d23d9f6d7a4e0e', 'default', 's_01a1f10ab3bd69e8b73c6df5', 'messages', 'msg_01a1f10ab3c837a5e3e088b6', '', '1', '89dc1ff84e2605fc397219d02bc82a6029b52fe9b7d77075bdea4825bccc0c29', '666907424dff6c418e6b4ee89d3432c328a1042bc502c1bf3b3084f47e6571da', '{"interlingua":1,"message":{"id":"msg_01a1f10ab3c837a5e3e088b6","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Q"}]}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1f10ab3d2d87712064229', 'default', 's_01a1f10ab3bd69e8b73c6df5', 'messages', 'msg_01a1f10ab3c89cb850d96149', 'm_01a1f10ab3d23d9f6d7a4e0e', '2', 'c3396b23e1dd71b5e48de35c5bbb3ff080bec5f18641c314744100ae5c6fb22e', 'f93dd7dd08686f400ca95c795c10ab0907d22ba249256d9b4857e3c913013aff', '{"interlingua":1,"message":{"id":"msg_01a1f10ab3c89cb850d96149","createdAt":"2026-11-15T10:07:02.776Z","origin":{"dialect":"anthropic","provider":"anthropic","model":"m"},"usage":{"inputTokens":5,"outputTokens":2,"totalTokens":7,"cachedInputTokens":3},"role":"assistant","content":[{"type":"text","text":"A1"}],"parentId":"msg_01a1f10ab3c837a5e3e088b6"}}', 'anthropic', 'm', '2026-11-15', '5', '2', '7', '3', null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1f10ab3d3826079ca6b4d', 'default', 's_01a1f10ab3bd69e8b73c6df5', 'messages', 'msg_01a1f10ab3c89cb850d9614a', 'm_01a1f10ab3d2d87712064229', '3', '0cce216529ac83bee86ea01b79abedb08994423fb8aeea75833d1a0e7fe09bd7', '9398a67414f55ab81138f1d8649c5a220d39266624da175417dafac5940e2d20', '{"interlingua":1,"message":{"id":"msg_01a1f10ab3c89cb850d9614a","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Q2"}],"parentId":"msg_01a1f10ab3c89cb850d96149"}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1f10ab3f749cd43565c19', 'default', 's_01a1f10ab3bd69e8b73c6df5', 'notes', 'msg_01a1f10ab3f5c5e41168e67b', '', '1', 'b042b41c22c8af4d1878b49a887e7ac2c23b9cf69a359f37b074ea4df9ddfb8d', '98f2b16fc6edfd6c36ef945ee00ef69429761b23f1057b02eb31c259d6e09d98', '{"interlingua":1,"message":{"id":"msg_01a1f10ab3f5c5e41168e67b","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Note"}]}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1f10ab42ee1053c0a83db', 'default', 's_01a1f10ab419ce07059c6a26', 'messages', 'msg_01a1f10ab42016caa8f26efc', 'm_01a1f10ab3d23d9f6d7a4e0e', '2', '389787f93da19e31d5952556bf90844fba13bad541b181107366299d6c7487c9', 'fb0d924a406a47fd6d985437e6b27ac7d03503abf0ade86567570a8a31112caa', '{"interlingua":1,"message":{"id":"msg_01a1f10ab42016caa8f26efc","createdAt":"2026-11-15T10:07:02.776Z","origin":{"dialect":"anthropic","provider":"anthropic","model":"m"},"usage":{"inputTokens":5,"outputTokens":2,"totalTokens":7,"cachedInputTokens":3},"role":"assistant","content":[{"type":"text","text":"A2"}],"parentId":"msg_01a1f10ab3c837a5e3e088b6"}}', 'anthropic', 'm', '2026-11-15', '5', '2', '7', '3', null, null);
insert into interlingua_migrations (version) values ('1');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1f10ab3bd69e8b73c6df5', 'messages', '0', null, null, '', 'm_01a1f10ab3d3826079ca6b4d', '93d2a38b68c714b25f03321cd1fc50433b9330ed5206c70de346325257a0ffe6');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1f10ab3bd69e8b73c6df5', 'notes', '1', null, null, '', 'm_01a1f10ab3f749cd43565c19', '72d984fb0bd01993e89e7fff7556d9b6cc0c7c6cfcdaceb3de27250f6ec8a136');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1f10ab419ce07059c6a26', 'notes', '1', 'm_01a1f10ab3f749cd43565c19', 's_01a1f10ab3bd69e8b73c6df5', 's_01a1f10ab3bd69e8b73c6df5', 'm_01a1f10ab3f749cd43565c19', '295ab8e82a901ca9102248bca3c6345ce46c779491d43f888f7c3bc0c92f1863');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1f10ab419ce07059c6a26', 'messages', '0', 'm_01a1f10ab3d23d9f6d7a4e0e', 's_01a1f10ab3bd69e8b73c6df5', 's_01a1f10ab3bd69e8b73c6df5', 'm_01a1f10ab42ee1053c0a83db', '9092df17937f8bac391153094d9782b7d26f8fb5b4090d00df09d25adba2a46e');
insert into interlingua_sessions (key, tenant, id, title, search, labels, parameters, created_at, updated_at, expires_at, checksum) values ('s_01a1f10ab3bd69e8b73c6df5', 'default', 'golden', 'Golden', 'golden
golden', ' a%20b %C3%A4 ', '{"n":1}', '2026-11-18T23:42:52.861Z', '2026-11-18T23:42:52.920Z', null, '31a0c115218dbbfeb271b664bbfd03c914c629f6917190a33f0dc24ba9e55ecf');
insert into interlingua_sessions (key, tenant, id, title, search, labels, parameters, created_at, updated_at, expires_at, checksum) values ('s_01a1f10ab419ce07059c6a26', 'default', 'fork', 'Golden', 'golden
fork', ' a%20b %C3%A4 ', '{"n":1}', '2026-11-18T23:42:52.953Z', '2026-11-18T23:42:52.975Z', null, '8e00e63210cf6ce08149b0248e0bd2c5d2bd756ad824defcf94f9ac50c854a38');
insert into interlingua_stream_batches (stream, first_event, last_event, body) values ('stream_01a1f10ab4822cbcc7d0ec88', '1', '3',  E'["Q","A\\n","ä"]');
insert into interlingua_stream_batches (stream, first_event, last_event, body) values ('stream_01a1f10ab49c62e0affc6976', '1', '1', '["half"]');
insert into interlingua_streams (id, tenant, topic, position, holder, status, code, first_event, last_event, is_stop_requested, data_key, lease_expires_at_ms, expires_at_ms) values ('stream_01a1f10ab4822cbcc7d0ec88', 'default', 'complete', '1', '0fc7a9fb-5d5d-4647-8e6c-5920fe81219f/pid:[4026531836] 23657 1437617', 'complete', null, '1', '3', '0', null, '1795045383084', '33331045373084');
insert into interlingua_streams (id, tenant, topic, position, holder, status, code, first_event, last_event, is_stop_requested, data_key, lease_expires_at_ms, expires_at_ms) values ('stream_01a1f10ab49c62e0affc6976', 'default', 'failed', '1', '0fc7a9fb-5d5d-4647-8e6c-5920fe81219f/pid:[4026531836] 23657 1437617', 'failed', 'provider-error', '1', '1', '0', null, '1795045383101', '33331045373101');
