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
  primary key (session, message, label)
  );
insert into interlingua_migrations (version) values (1);
insert into interlingua_sessions (key, tenant, id, title, search, labels, parameters, created_at, updated_at) values ('s_01a1deacb4709c654e2f3fef', 'default', 'golden', 'Golden', 'golden
golden', ' a%20b %C3%A4 ', '{"n":1}', '2026-11-15T10:07:02.768Z', '2026-11-15T10:07:02.803Z') on conflict (key) do update set key = excluded.key, tenant = excluded.tenant, id = excluded.id, title = excluded.title, search = excluded.search, labels = excluded.labels, parameters = excluded.parameters, created_at = excluded.created_at, updated_at = excluded.updated_at;
insert into interlingua_sessions (key, tenant, id, title, search, labels, parameters, created_at, updated_at) values ('s_01a1deacb4a4ee30ff07acb0', 'default', 'fork', 'Golden', 'golden
fork', ' a%20b %C3%A4 ', '{"n":1}', '2026-11-15T10:07:02.820Z', '2026-11-15T10:07:02.821Z') on conflict (key) do update set key = excluded.key, tenant = excluded.tenant, id = excluded.id, title = excluded.title, search = excluded.search, labels = excluded.labels, parameters = excluded.parameters, created_at = excluded.created_at, updated_at = excluded.updated_at;
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head) values ('s_01a1deacb4709c654e2f3fef', 'messages', 0, null, null, '', 'm_01a1deacb47f864c66a469ba') on conflict (session, name) do update set session = excluded.session, name = excluded.name, position = excluded.position, fork_point = excluded.fork_point, fork_owner = excluded.fork_owner, lineage = excluded.lineage, head = excluded.head;
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head) values ('s_01a1deacb4709c654e2f3fef', 'notes', 1, null, null, '', 'm_01a1deacb49348f8a797f40b') on conflict (session, name) do update set session = excluded.session, name = excluded.name, position = excluded.position, fork_point = excluded.fork_point, fork_owner = excluded.fork_owner, lineage = excluded.lineage, head = excluded.head;
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head) values ('s_01a1deacb4a4ee30ff07acb0', 'messages', 0, 'm_01a1deacb47f7742231d6d82', 's_01a1deacb4709c654e2f3fef', 's_01a1deacb4709c654e2f3fef', 'm_01a1deacb4a570dbb167f0a0') on conflict (session, name) do update set session = excluded.session, name = excluded.name, position = excluded.position, fork_point = excluded.fork_point, fork_owner = excluded.fork_owner, lineage = excluded.lineage, head = excluded.head;
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head) values ('s_01a1deacb4a4ee30ff07acb0', 'notes', 1, 'm_01a1deacb49348f8a797f40b', 's_01a1deacb4709c654e2f3fef', 's_01a1deacb4709c654e2f3fef', 'm_01a1deacb49348f8a797f40b') on conflict (session, name) do update set session = excluded.session, name = excluded.name, position = excluded.position, fork_point = excluded.fork_point, fork_owner = excluded.fork_owner, lineage = excluded.lineage, head = excluded.head;
insert into interlingua_messages (key, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens, tenant) values ('m_01a1deacb47f7742231d6d82', 's_01a1deacb4709c654e2f3fef', 'messages', 'msg_01a1deacb478dc8c013a59f2', null, 1, '89dc1ff84e2605fc397219d02bc82a6029b52fe9b7d77075bdea4825bccc0c29', '665f968016129e2130d142248daa1cb2a05d5edbe5d0be3a63a7b41934096d59', '{"interlingua":1,"message":{"id":"msg_01a1deacb478dc8c013a59f2","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Q"}]}}', null, null, null, null, null, null, null, null, null, 'default');
insert into interlingua_messages (key, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens, tenant) values ('m_01a1deacb47f7742231d6d83', 's_01a1deacb4709c654e2f3fef', 'messages', 'msg_01a1deacb47661344d1cd69c', 'm_01a1deacb47f7742231d6d82', 2, 'c3396b23e1dd71b5e48de35c5bbb3ff080bec5f18641c314744100ae5c6fb22e', 'bcd6459fb79fae3f1baf91c29ddd1758d555528e5ce8e2c5b67b602c9ce2da38', '{"interlingua":1,"message":{"id":"msg_01a1deacb47661344d1cd69c","createdAt":"2026-11-15T10:07:02.774Z","origin":{"dialect":"anthropic","provider":"anthropic","model":"m"},"usage":{"inputTokens":5,"outputTokens":2,"totalTokens":7,"cachedInputTokens":3},"role":"assistant","content":[{"type":"text","text":"A1"}],"parentId":"msg_01a1deacb478dc8c013a59f2"}}', 'anthropic', 'm', '2026-11-15', 5, 2, 7, 3, null, null, 'default');
insert into interlingua_messages (key, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens, tenant) values ('m_01a1deacb47f864c66a469ba', 's_01a1deacb4709c654e2f3fef', 'messages', 'msg_01a1deacb478dc8c013a59f3', 'm_01a1deacb47f7742231d6d83', 3, '0cce216529ac83bee86ea01b79abedb08994423fb8aeea75833d1a0e7fe09bd7', 'd6ccbde62dc935d58026be20fa72f4090a70a18bb7e00135402671acac775659', '{"interlingua":1,"message":{"id":"msg_01a1deacb478dc8c013a59f3","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Q2"}],"parentId":"msg_01a1deacb47661344d1cd69c"}}', null, null, null, null, null, null, null, null, null, 'default');
insert into interlingua_messages (key, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens, tenant) values ('m_01a1deacb49348f8a797f40b', 's_01a1deacb4709c654e2f3fef', 'notes', 'msg_01a1deacb492499cf0211a55', null, 1, 'b042b41c22c8af4d1878b49a887e7ac2c23b9cf69a359f37b074ea4df9ddfb8d', '14c086c64dbec92a050b63cb22a5595cf214cbb8e6e6c7392993e46b25f5e1a8', '{"interlingua":1,"message":{"id":"msg_01a1deacb492499cf0211a55","createdAt":"2026-11-15T10:07:02.802Z","role":"user","content":[{"type":"text","text":"Note"}]}}', null, null, null, null, null, null, null, null, null, 'default');
insert into interlingua_messages (key, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens, tenant) values ('m_01a1deacb4a570dbb167f0a0', 's_01a1deacb4a4ee30ff07acb0', 'messages', 'msg_01a1deacb4a570dbb167f09f', 'm_01a1deacb47f7742231d6d82', 2, '389787f93da19e31d5952556bf90844fba13bad541b181107366299d6c7487c9', '0a47ddfee2df3865bf46ace504746b4ff523188037e190a71065c0ab992ddd3a', '{"interlingua":1,"message":{"id":"msg_01a1deacb4a570dbb167f09f","createdAt":"2026-11-15T10:07:02.821Z","origin":{"dialect":"anthropic","provider":"anthropic","model":"m"},"usage":{"inputTokens":5,"outputTokens":2,"totalTokens":7,"cachedInputTokens":3},"role":"assistant","content":[{"type":"text","text":"A2"}],"parentId":"msg_01a1deacb478dc8c013a59f2"}}', 'anthropic', 'm', '2026-11-15', 5, 2, 7, 3, null, null, 'default');
insert into interlingua_labels (session, message, label) values ('s_01a1deacb4709c654e2f3fef', 'msg_01a1deacb478dc8c013a59f2', 'good') on conflict do nothing;
