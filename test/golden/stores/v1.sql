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
insert into interlingua_labels (session, message, label, checksum) values ('s_01a1e339dd66a0dad6b2c739', 'msg_01a1e339dd68f0ad70f8e591', 'good', '2537195b9159f02bf5d935c13adf4427d42b8802ee75febe223836063cb3a144');
insert into interlingua_memories (tenant, key, body, created_at, updated_at, expires_at, vector_model, dimensions, vector) values ('default', 'units', '{"metadata":{"topic":"units"},"text":"Prefers metric units","value":{"system":"SI"}}', '2026-11-15T10:07:02.776Z', '2026-11-15T10:07:02.776Z', '2999-01-01T00:00:00.000Z', 'm', '2',  E'\\x9a99193fcdcc4c3f');
insert into interlingua_memory_tenants (tenant) values ('default');
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e339dd6fd41efc00df63', 'default', 's_01a1e339dd66a0dad6b2c739', 'messages', 'msg_01a1e339dd68f0ad70f8e591', null, '1', '89dc1ff84e2605fc397219d02bc82a6029b52fe9b7d77075bdea4825bccc0c29', '894193e465c88e496db00f9c23fc77e73d500df6502822d99804f358645bcaa5', '{"interlingua":1,"message":{"id":"msg_01a1e339dd68f0ad70f8e591","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Q"}]}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e339dd70e3a24a936b0e', 'default', 's_01a1e339dd66a0dad6b2c739', 'messages', 'msg_01a1e339dd68f0ad70f8e592', 'm_01a1e339dd6fd41efc00df63', '2', 'c3396b23e1dd71b5e48de35c5bbb3ff080bec5f18641c314744100ae5c6fb22e', 'b5dbacc579de3a088cd58a9893dede8460380fd3d57f939c003b606f64cd3324', '{"interlingua":1,"message":{"id":"msg_01a1e339dd68f0ad70f8e592","createdAt":"2026-11-15T10:07:02.776Z","origin":{"dialect":"anthropic","provider":"anthropic","model":"m"},"usage":{"inputTokens":5,"outputTokens":2,"totalTokens":7,"cachedInputTokens":3},"role":"assistant","content":[{"type":"text","text":"A1"}],"parentId":"msg_01a1e339dd68f0ad70f8e591"}}', 'anthropic', 'm', '2026-11-15', '5', '2', '7', '3', null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e339dd726c2e10dfcc7e', 'default', 's_01a1e339dd66a0dad6b2c739', 'messages', 'msg_01a1e339dd68f0ad70f8e593', 'm_01a1e339dd70e3a24a936b0e', '3', '0cce216529ac83bee86ea01b79abedb08994423fb8aeea75833d1a0e7fe09bd7', '7cac4d8675b371ba63f2e8bc96f31f1b48858f5e05513d6536cd131392641119', '{"interlingua":1,"message":{"id":"msg_01a1e339dd68f0ad70f8e593","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Q2"}],"parentId":"msg_01a1e339dd68f0ad70f8e592"}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e339dd7f8db9f84a8111', 'default', 's_01a1e339dd66a0dad6b2c739', 'notes', 'msg_01a1e339dd7b05601380319c', null, '1', 'b042b41c22c8af4d1878b49a887e7ac2c23b9cf69a359f37b074ea4df9ddfb8d', 'eebbdb65c83c58f7024c0c275de57e2cadce05c3453e384a32ef48ade8358f7b', '{"interlingua":1,"message":{"id":"msg_01a1e339dd7b05601380319c","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Note"}]}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e339dda05daf9cf969dd', 'default', 's_01a1e339dd9a212edc030029', 'messages', 'msg_01a1e339dd9dc94587ead0f5', 'm_01a1e339dd6fd41efc00df63', '2', '389787f93da19e31d5952556bf90844fba13bad541b181107366299d6c7487c9', '2db632c1f01329a21bd206b69a0c842dedcfa9df9be1229aefbc65147b73a922', '{"interlingua":1,"message":{"id":"msg_01a1e339dd9dc94587ead0f5","createdAt":"2026-11-15T10:07:02.776Z","origin":{"dialect":"anthropic","provider":"anthropic","model":"m"},"usage":{"inputTokens":5,"outputTokens":2,"totalTokens":7,"cachedInputTokens":3},"role":"assistant","content":[{"type":"text","text":"A2"}],"parentId":"msg_01a1e339dd68f0ad70f8e591"}}', 'anthropic', 'm', '2026-11-15', '5', '2', '7', '3', null, null);
insert into interlingua_migrations (version) values ('1');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e339dd66a0dad6b2c739', 'messages', '0', null, null, '', 'm_01a1e339dd726c2e10dfcc7e', '3ab51614f79ffa7210bbd7a7439a30e46ec2271db6bf604314be0958e147d42c');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e339dd66a0dad6b2c739', 'notes', '1', null, null, '', 'm_01a1e339dd7f8db9f84a8111', 'fa7778ba336036c187981aebd69f2a6a96382cdd04990b0a1d90b8448b5c08d5');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e339dd9a212edc030029', 'notes', '1', 'm_01a1e339dd7f8db9f84a8111', 's_01a1e339dd66a0dad6b2c739', 's_01a1e339dd66a0dad6b2c739', 'm_01a1e339dd7f8db9f84a8111', '6235cac9c3ac830f74b750ff95bbb45b0b6354fb8333551c0d0ea27bb1cb6fc8');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e339dd9a212edc030029', 'messages', '0', 'm_01a1e339dd6fd41efc00df63', 's_01a1e339dd66a0dad6b2c739', 's_01a1e339dd66a0dad6b2c739', 'm_01a1e339dda05daf9cf969dd', '94f0a6fe22d59e1410bb57f06da26c0193f5c91a0a0056710f556c616271c5d0');
insert into interlingua_sessions (key, tenant, id, title, search, labels, parameters, created_at, updated_at, expires_at, checksum) values ('s_01a1e339dd66a0dad6b2c739', 'default', 'golden', 'Golden', 'golden
golden', ' a%20b %C3%A4 ', '{"n":1}', '2026-11-16T07:19:42.694Z', '2026-11-16T07:19:42.719Z', null, '265941d267066d162a6517b64687504579175d394b42d63829a8002bc36af896');
insert into interlingua_sessions (key, tenant, id, title, search, labels, parameters, created_at, updated_at, expires_at, checksum) values ('s_01a1e339dd9a212edc030029', 'default', 'fork', 'Golden', 'golden
fork', ' a%20b %C3%A4 ', '{"n":1}', '2026-11-16T07:19:42.746Z', '2026-11-16T07:19:42.752Z', null, '5e1a258c3c9165c8c902b0de73a47c53344f66f81eae82692499020fd851fc5c');
