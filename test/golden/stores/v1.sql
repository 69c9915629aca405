create table interlingua_migrations (version integer primary key);
insert into interlingua_migrations values (1);
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
  unique (tenant, id)
  );
create index interlingua_sessions_recent on interlingua_sessions (tenant, updated_at, key);
create table interlingua_sections (
  session text collate "C" not null,
  name text collate "C" not null,
  position integer not null,
  fork_point text collate "C",
  lineage text collate "C" not null,
  head text collate "C",
  primary key (session, name)
  );
create index interlingua_sections_fork_point on interlingua_sections (fork_point);
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
  primary key (session, message, label)
  );
insert into interlingua_sessions (key, tenant, id, title, search, labels, parameters, created_at, updated_at) values ('s_01a1deacc1a38deba259d529', 'default', 'golden', 'Golden', 'golden
golden', ' a%20b %C3%A4 ', '{"n":1}', '2026-11-15T10:07:06.147Z', '2026-11-15T10:07:06.228Z');
insert into interlingua_sessions (key, tenant, id, title, search, labels, parameters, created_at, updated_at) values ('s_01a1deacc213abb78809a8b3', 'default', 'fork', 'Golden', 'golden
fork', ' a%20b %C3%A4 ', '{"n":1}', '2026-11-15T10:07:06.259Z', '2026-11-15T10:07:06.286Z');
insert into interlingua_sections (session, name, position, fork_point, lineage, head) values ('s_01a1deacc1a38deba259d529', 'messages', '0', null, '', 'm_01a1deacc1c3e6e84880e8e5');
insert into interlingua_sections (session, name, position, fork_point, lineage, head) values ('s_01a1deacc1a38deba259d529', 'notes', '1', null, '', 'm_01a1deacc1f188e14f4cb5a6');
insert into interlingua_sections (session, name, position, fork_point, lineage, head) values ('s_01a1deacc213abb78809a8b3', 'notes', '1', 'm_01a1deacc1f188e14f4cb5a6', 's_01a1deacc1a38deba259d529', 'm_01a1deacc1f188e14f4cb5a6');
insert into interlingua_sections (session, name, position, fork_point, lineage, head) values ('s_01a1deacc213abb78809a8b3', 'messages', '0', 'm_01a1deacc1c34ff494a5a52b', 's_01a1deacc1a38deba259d529', 'm_01a1deacc22a4d973006f739');
insert into interlingua_messages (key, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1deacc1c34ff494a5a52b', 's_01a1deacc1a38deba259d529', 'messages', 'msg_01a1deacc1b38d1eb6fb0416', null, '1', '89dc1ff84e2605fc397219d02bc82a6029b52fe9b7d77075bdea4825bccc0c29', '7d4d0084c1af2a10a5540b699565515ae3e4930aa0ce92ea600fb819bd355afc', '{"interlingua":1,"message":{"id":"msg_01a1deacc1b38d1eb6fb0416","createdAt":"2026-11-15T10:07:06.163Z","role":"user","content":[{"type":"text","text":"Q"}]}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1deacc1c3e6e84880e8e4', 's_01a1deacc1a38deba259d529', 'messages', 'msg_01a1deacc1b30c4d504cd26a', 'm_01a1deacc1c34ff494a5a52b', '2', 'c3396b23e1dd71b5e48de35c5bbb3ff080bec5f18641c314744100ae5c6fb22e', '1718100454d4b0aec6d8c2de38e76c6cfb8a9b4a3707f73d6c5fc4dd7d1c4a02', '{"interlingua":1,"message":{"id":"msg_01a1deacc1b30c4d504cd26a","createdAt":"2026-11-15T10:07:06.163Z","origin":{"dialect":"anthropic","provider":"anthropic","model":"m"},"usage":{"inputTokens":5,"outputTokens":2,"totalTokens":7,"cachedInputTokens":3},"role":"assistant","content":[{"type":"text","text":"A1"}],"parentId":"msg_01a1deacc1b38d1eb6fb0416"}}', 'anthropic', 'm', '2026-11-15', '5', '2', '7', '3', null, null);
insert into interlingua_messages (key, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1deacc1c3e6e84880e8e5', 's_01a1deacc1a38deba259d529', 'messages', 'msg_01a1deacc1b38d1eb6fb0417', 'm_01a1deacc1c3e6e84880e8e4', '3', '0cce216529ac83bee86ea01b79abedb08994423fb8aeea75833d1a0e7fe09bd7', '30b1bc2cc7662f00aef3b46c53464a65e7a52b59f8b4517081cda17b51534456', '{"interlingua":1,"message":{"id":"msg_01a1deacc1b38d1eb6fb0417","createdAt":"2026-11-15T10:07:06.163Z","role":"user","content":[{"type":"text","text":"Q2"}],"parentId":"msg_01a1deacc1b30c4d504cd26a"}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1deacc1f188e14f4cb5a6', 's_01a1deacc1a38deba259d529', 'notes', 'msg_01a1deacc1e7f154214b9610', null, '1', 'b042b41c22c8af4d1878b49a887e7ac2c23b9cf69a359f37b074ea4df9ddfb8d', 'd2d3e20f4dc25a7ff53aed99baf99ee6a78a73cf244540896fbeeef5644fca69', '{"interlingua":1,"message":{"id":"msg_01a1deacc1e7f154214b9610","createdAt":"2026-11-15T10:07:06.215Z","role":"user","content":[{"type":"text","text":"Note"}]}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1deacc22a4d973006f739', 's_01a1deacc213abb78809a8b3', 'messages', 'msg_01a1deacc21e2a0b7344598f', 'm_01a1deacc1c34ff494a5a52b', '2', '389787f93da19e31d5952556bf90844fba13bad541b181107366299d6c7487c9', 'c0abcaebe9f9ccc9acc27e5ce9c68bda632abb03cb6d35553aa7be3ff23ef655', '{"interlingua":1,"message":{"id":"msg_01a1deacc21e2a0b7344598f","createdAt":"2026-11-15T10:07:06.270Z","origin":{"dialect":"anthropic","provider":"anthropic","model":"m"},"usage":{"inputTokens":5,"outputTokens":2,"totalTokens":7,"cachedInputTokens":3},"role":"assistant","content":[{"type":"text","text":"A2"}],"parentId":"msg_01a1deacc1b38d1eb6fb0416"}}', 'anthropic', 'm', '2026-11-15', '5', '2', '7', '3', null, null);
insert into interlingua_labels (session, message, label) values ('s_01a1deacc1a38deba259d529', 'msg_01a1deacc1b38d1eb6fb0416', 'good');
