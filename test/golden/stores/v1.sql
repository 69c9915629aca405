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
insert into interlingua_labels (session, message, label, checksum) values ('s_01a1e3201ac34172833842df', 'msg_01a1e3201acdb975bf0a9d4d', 'good', '63e1e9f06498a00acbdf7cb265633a74e683aac0461eb59ed45fe2354b3560c5');
insert into interlingua_memories (tenant, key, body, created_at, updated_at, expires_at, vector_model, dimensions, vector) values ('default', 'units', '{"metadata":{"topic":"units"},"text":"Prefers metric units","value":{"system":"SI"}}', '2026-11-15T10:07:02.776Z', '2026-11-15T10:07:02.776Z', '2999-01-01T00:00:00.000Z', 'm', '2',  E'\\x9a99193fcdcc4c3f');
insert into interlingua_memory_tenants (tenant) values ('default');
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e3201ad77ce72730e026', 'default', 's_01a1e3201ac34172833842df', 'messages', 'msg_01a1e3201acdb975bf0a9d4d', null, '1', '89dc1ff84e2605fc397219d02bc82a6029b52fe9b7d77075bdea4825bccc0c29', '68681fd0294ffafd6b7fa4c06d77e6a0b541a4a91dd321135051bed6f5eb55f8', '{"interlingua":1,"message":{"id":"msg_01a1e3201acdb975bf0a9d4d","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Q"}]}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e3201ad7f195c509ad2f', 'default', 's_01a1e3201ac34172833842df', 'messages', 'msg_01a1e3201acdb975bf0a9d4e', 'm_01a1e3201ad77ce72730e026', '2', 'c3396b23e1dd71b5e48de35c5bbb3ff080bec5f18641c314744100ae5c6fb22e', 'e01cac331b79d19c6d1638a520a91b775d4ee1fb3b1878df99b3e2e6c486ae34', '{"interlingua":1,"message":{"id":"msg_01a1e3201acdb975bf0a9d4e","createdAt":"2026-11-15T10:07:02.776Z","origin":{"dialect":"anthropic","provider":"anthropic","model":"m"},"usage":{"inputTokens":5,"outputTokens":2,"totalTokens":7,"cachedInputTokens":3},"role":"assistant","content":[{"type":"text","text":"A1"}],"parentId":"msg_01a1e3201acdb975bf0a9d4d"}}', 'anthropic', 'm', '2026-11-15', '5', '2', '7', '3', null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e3201ad7f195c509ad30', 'default', 's_01a1e3201ac34172833842df', 'messages', 'msg_01a1e3201acdb975bf0a9d4f', 'm_01a1e3201ad7f195c509ad2f', '3', '0cce216529ac83bee86ea01b79abedb08994423fb8aeea75833d1a0e7fe09bd7', '96d579b5c64b67dff3ccf226d135afbca7ba7b30312d5735047f6d6c3c7ce450', '{"interlingua":1,"message":{"id":"msg_01a1e3201acdb975bf0a9d4f","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Q2"}],"parentId":"msg_01a1e3201acdb975bf0a9d4e"}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e3201afbc68709c823f2', 'default', 's_01a1e3201ac34172833842df', 'notes', 'msg_01a1e3201aeac8fe60ccdeaa', null, '1', 'b042b41c22c8af4d1878b49a887e7ac2c23b9cf69a359f37b074ea4df9ddfb8d', '498211cae42944548e849f4324fd9c0dd733ddca7586f4b2f99e4ecafebd39cc', '{"interlingua":1,"message":{"id":"msg_01a1e3201aeac8fe60ccdeaa","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Note"}]}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e3201b5f3aca6b697ec7', 'default', 's_01a1e3201b2ed15a4e347439', 'messages', 'msg_01a1e3201b484b46b8d6293a', 'm_01a1e3201ad77ce72730e026', '2', '389787f93da19e31d5952556bf90844fba13bad541b181107366299d6c7487c9', '8f5d1d92c4de3d6b9f80cce90a7ec9556fe6375b249f3b68682bbbc385b9df54', '{"interlingua":1,"message":{"id":"msg_01a1e3201b484b46b8d6293a","createdAt":"2026-11-15T10:07:02.776Z","origin":{"dialect":"anthropic","provider":"anthropic","model":"m"},"usage":{"inputTokens":5,"outputTokens":2,"totalTokens":7,"cachedInputTokens":3},"role":"assistant","content":[{"type":"text","text":"A2"}],"parentId":"msg_01a1e3201acdb975bf0a9d4d"}}', 'anthropic', 'm', '2026-11-15', '5', '2', '7', '3', null, null);
insert into interlingua_migrations (version) values ('1');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e3201ac34172833842df', 'messages', '0', null, null, '', 'm_01a1e3201ad7f195c509ad30', '8c6b0b23c37e4de700ad23f7681212008a2f43fcf6a1f9fee20888c317613db1');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e3201ac34172833842df', 'notes', '1', null, null, '', 'm_01a1e3201afbc68709c823f2', '7e4b47517db5652227697f4d4b1cfe640c0ee987d930a87c1351f3226dc0780f');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e3201b2ed15a4e347439', 'notes', '1', 'm_01a1e3201afbc68709c823f2', 's_01a1e3201ac34172833842df', 's_01a1e3201ac34172833842df', 'm_01a1e3201afbc68709c823f2', '55941a6ad6161310ab461f8f11a48b8ce164e97450083b63036da0cf28b0c755');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e3201b2ed15a4e347439', 'messages', '0', 'm_01a1e3201ad77ce72730e026', 's_01a1e3201ac34172833842df', 's_01a1e3201ac34172833842df', 'm_01a1e3201b5f3aca6b697ec7', 'caee24cc4439f5fe17c96e23fb3a6288aceaf05f29592f06b02b2573291cd0bc');
insert into interlingua_sessions (key, tenant, id, title, search, labels, parameters, created_at, updated_at, expires_at, checksum) values ('s_01a1e3201ac34172833842df', 'default', 'golden', 'Golden', 'golden
golden', ' a%20b %C3%A4 ', '{"n":1}', '2026-11-16T06:51:34.467Z', '2026-11-16T06:51:34.523Z', null, 'dff4f6a045fa65e1de5540673b0a936e26681d6063aa8a84804608facb8dbdb8');
insert into interlingua_sessions (key, tenant, id, title, search, labels, parameters, created_at, updated_at, expires_at, checksum) values ('s_01a1e3201b2ed15a4e347439', 'default', 'fork', 'Golden', 'golden
fork', ' a%20b %C3%A4 ', '{"n":1}', '2026-11-16T06:51:34.574Z', '2026-11-16T06:51:34.624Z', null, '41af81dbf4539f023f33b759c36b4cb0fe04a3a570845c81dafdfa077edeffb0');
