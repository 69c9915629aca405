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
create index interlingua_sections_fork_owner on interlingua_sections (fork_owner);
create table interlingua_messages (
      key text collate "C" primary key,
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
create index interlingua_messages_parent on interlingua_messages (parent);
create index interlingua_messages_depth on interlingua_messages (session, depth, key);
create table interlingua_labels (
      session text collate "C" not null,
      message text collate "C" not null,
      label text collate "C" not null,
      checksum text collate "C" not null,
      primary key (session, message, label)
    );
insert into interlingua_labels (session, message, label, checksum) values ('s_01a1e2801d416153b8e11101', 'msg_01a1e2801d45e5402c7fe53c', 'good', '97c6b57634c115a576dcc7f97b5af931ca0b9bab50f9f615dd366e2ca48412f6');
insert into interlingua_messages (key, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e2801d5162c88f763f92', 's_01a1e2801d416153b8e11101', 'messages', 'msg_01a1e2801d45e5402c7fe53c', null, '1', '89dc1ff84e2605fc397219d02bc82a6029b52fe9b7d77075bdea4825bccc0c29', '8b4dc56ed090d2b1d803bc195ac5c86e85b0049ef3741f1ba33e439d2a169c0d', '{"interlingua":1,"message":{"id":"msg_01a1e2801d45e5402c7fe53c","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Q"}]}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e2801d5162c88f763f93', 's_01a1e2801d416153b8e11101', 'messages', 'msg_01a1e2801d45e5402c7fe53d', 'm_01a1e2801d5162c88f763f92', '2', 'c3396b23e1dd71b5e48de35c5bbb3ff080bec5f18641c314744100ae5c6fb22e', '7f008650dabc9d48e63ade6785f926b523bfc2ba44e24f342cbc6ad254b94aaf', '{"interlingua":1,"message":{"id":"msg_01a1e2801d45e5402c7fe53d","createdAt":"2026-11-15T10:07:02.776Z","origin":{"dialect":"anthropic","provider":"anthropic","model":"m"},"usage":{"inputTokens":5,"outputTokens":2,"totalTokens":7,"cachedInputTokens":3},"role":"assistant","content":[{"type":"text","text":"A1"}],"parentId":"msg_01a1e2801d45e5402c7fe53c"}}', 'anthropic', 'm', '2026-11-15', '5', '2', '7', '3', null, null);
insert into interlingua_messages (key, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e2801d51947e69c3dbbf', 's_01a1e2801d416153b8e11101', 'messages', 'msg_01a1e2801d45e5402c7fe53e', 'm_01a1e2801d5162c88f763f93', '3', '0cce216529ac83bee86ea01b79abedb08994423fb8aeea75833d1a0e7fe09bd7', 'af288083468eac836b2a88aecc62f5d0febcead31f5bbec5b0f6536509046d84', '{"interlingua":1,"message":{"id":"msg_01a1e2801d45e5402c7fe53e","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Q2"}],"parentId":"msg_01a1e2801d45e5402c7fe53d"}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e2801d6840dc87253b63', 's_01a1e2801d416153b8e11101', 'notes', 'msg_01a1e2801d5eac921a2ed08f', null, '1', 'b042b41c22c8af4d1878b49a887e7ac2c23b9cf69a359f37b074ea4df9ddfb8d', '0920c42133b762d39b131cc70a8e4417b3d9f99cc3e2fe2e69b982c71e4bd9b5', '{"interlingua":1,"message":{"id":"msg_01a1e2801d5eac921a2ed08f","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Note"}]}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e2801d9ffbf504e18e88', 's_01a1e2801d8411faa1f1a767', 'messages', 'msg_01a1e2801d8bd0eb37edac04', 'm_01a1e2801d5162c88f763f92', '2', '389787f93da19e31d5952556bf90844fba13bad541b181107366299d6c7487c9', '9946b2493542db58d4843275290074120e58afb000182d6aff5fd3e19306f25a', '{"interlingua":1,"message":{"id":"msg_01a1e2801d8bd0eb37edac04","createdAt":"2026-11-15T10:07:02.776Z","origin":{"dialect":"anthropic","provider":"anthropic","model":"m"},"usage":{"inputTokens":5,"outputTokens":2,"totalTokens":7,"cachedInputTokens":3},"role":"assistant","content":[{"type":"text","text":"A2"}],"parentId":"msg_01a1e2801d45e5402c7fe53c"}}', 'anthropic', 'm', '2026-11-15', '5', '2', '7', '3', null, null);
insert into interlingua_migrations (version) values ('1');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e2801d416153b8e11101', 'messages', '0', null, null, '', 'm_01a1e2801d51947e69c3dbbf', '20292f6f21da2945be33315418e9ca03b34ed51dddda3969c6e1ac6a3515ce05');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e2801d416153b8e11101', 'notes', '1', null, null, '', 'm_01a1e2801d6840dc87253b63', 'bc13c0ac6e1bcf845798d0eacee7f1c264ec1278adc29d7a9b3a536128de818d');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e2801d8411faa1f1a767', 'notes', '1', 'm_01a1e2801d6840dc87253b63', 's_01a1e2801d416153b8e11101', 's_01a1e2801d416153b8e11101', 'm_01a1e2801d6840dc87253b63', '800a7e3b4fd1417d37b0f92592e79d6af16cd9c9534a499bcad05f6431f1e7e9');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e2801d8411faa1f1a767', 'messages', '0', 'm_01a1e2801d5162c88f763f92', 's_01a1e2801d416153b8e11101', 's_01a1e2801d416153b8e11101', 'm_01a1e2801d9ffbf504e18e88', '98299e0a5e6840587423e5103650b692bb487576da03f6689f4cdb2d9b4ef456');
insert into interlingua_sessions (key, tenant, id, title, search, labels, parameters, created_at, updated_at, checksum) values ('s_01a1e2801d416153b8e11101', 'default', 'golden', 'Golden', 'golden
golden', ' a%20b %C3%A4 ', '{"n":1}', '2026-11-16T03:56:49.345Z', '2026-11-16T03:56:49.390Z', '3b2ddb4559f61b9f6387cd93764cc754c68374eca83f0764a090d2d10ee1b4bb');
insert into interlingua_sessions (key, tenant, id, title, search, labels, parameters, created_at, updated_at, checksum) values ('s_01a1e2801d8411faa1f1a767', 'default', 'fork', 'Golden', 'golden
fork', ' a%20b %C3%A4 ', '{"n":1}', '2026-11-16T03:56:49.412Z', '2026-11-16T03:56:49.447Z', 'f4de27204af02a0b2da2e5bab2ef3f73f64be6ece36ca23278f1c26908b0b67c');
