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
insert into interlingua_labels (session, message, label, checksum) values ('s_01a1e3373b505fe4769b64db', 'msg_01a1e3373b5890eab77a8517', 'good', '699544c499ea9d11a245ae336439fad45d6ac17d0801ea14e0c8ca6c9aa1284e');
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e3373b666d4b9d3ea888', 'default', 's_01a1e3373b505fe4769b64db', 'messages', 'msg_01a1e3373b5890eab77a8517', null, '1', '89dc1ff84e2605fc397219d02bc82a6029b52fe9b7d77075bdea4825bccc0c29', '531b9587d490c7d48b17d7e74f0593542fe37b4c258e275ae8bfc6023b0fb200', '{"interlingua":1,"message":{"id":"msg_01a1e3373b5890eab77a8517","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Q"}]}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e3373b67aba8b4b1d7ad', 'default', 's_01a1e3373b505fe4769b64db', 'messages', 'msg_01a1e3373b5922eb43535b68', 'm_01a1e3373b666d4b9d3ea888', '2', 'c3396b23e1dd71b5e48de35c5bbb3ff080bec5f18641c314744100ae5c6fb22e', '5f600134c1f4db67700a72bfe42303fad97c6bdf9530715dc207195da8fafad2', '{"interlingua":1,"message":{"id":"msg_01a1e3373b5922eb43535b68","createdAt":"2026-11-15T10:07:02.776Z","origin":{"dialect":"anthropic","provider":"anthropic","model":"m"},"usage":{"inputTokens":5,"outputTokens":2,"totalTokens":7,"cachedInputTokens":3},"role":"assistant","content":[{"type":"text","text":"A1"}],"parentId":"msg_01a1e3373b5890eab77a8517"}}', 'anthropic', 'm', '2026-11-15', '5', '2', '7', '3', null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e3373b67aba8b4b1d7ae', 'default', 's_01a1e3373b505fe4769b64db', 'messages', 'msg_01a1e3373b596c24f19323f2', 'm_01a1e3373b67aba8b4b1d7ad', '3', '0cce216529ac83bee86ea01b79abedb08994423fb8aeea75833d1a0e7fe09bd7', '98ebab77b4bb8be04c8b70f386d770ddba07bef98926440bee59983ad74574a0', '{"interlingua":1,"message":{"id":"msg_01a1e3373b596c24f19323f2","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Q2"}],"parentId":"msg_01a1e3373b5922eb43535b68"}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e3373b70b86a2a7841a7', 'default', 's_01a1e3373b505fe4769b64db', 'notes', 'msg_01a1e3373b6c4140981ede4e', null, '1', 'b042b41c22c8af4d1878b49a887e7ac2c23b9cf69a359f37b074ea4df9ddfb8d', '442f95471bd700da747bd7d0eb9d014f75c8b7b38066ae46bdb1e47743db9ea7', '{"interlingua":1,"message":{"id":"msg_01a1e3373b6c4140981ede4e","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Note"}]}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e3373bbd0862d894a1a4', 'default', 's_01a1e3373b93c4d82ba13247', 'messages', 'msg_01a1e3373badda53382ab89f', 'm_01a1e3373b666d4b9d3ea888', '2', '389787f93da19e31d5952556bf90844fba13bad541b181107366299d6c7487c9', 'ec8f2540b11578e825b998494c5c5191c1c381bc76c81a7e8e076c3185f938c2', '{"interlingua":1,"message":{"id":"msg_01a1e3373badda53382ab89f","createdAt":"2026-11-15T10:07:02.776Z","origin":{"dialect":"anthropic","provider":"anthropic","model":"m"},"usage":{"inputTokens":5,"outputTokens":2,"totalTokens":7,"cachedInputTokens":3},"role":"assistant","content":[{"type":"text","text":"A2"}],"parentId":"msg_01a1e3373b5890eab77a8517"}}', 'anthropic', 'm', '2026-11-15', '5', '2', '7', '3', null, null);
insert into interlingua_migrations (version) values ('1');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e3373b505fe4769b64db', 'messages', '0', null, null, '', 'm_01a1e3373b67aba8b4b1d7ae', '6070e6553209d8e7527f05d72f118bd798bdd2240b9dd8e31f928e8ff0024b90');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e3373b505fe4769b64db', 'notes', '1', null, null, '', 'm_01a1e3373b70b86a2a7841a7', 'c2606e59e1fa5faecf31b2a925b4e51fceba01e524798d3b0a9c75c557c7e7b4');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e3373b93c4d82ba13247', 'notes', '1', 'm_01a1e3373b70b86a2a7841a7', 's_01a1e3373b505fe4769b64db', 's_01a1e3373b505fe4769b64db', 'm_01a1e3373b70b86a2a7841a7', 'fdccf33105b3f8f20d57c23788f5f9c38b7dd4adc782457aab04a71ddacee387');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e3373b93c4d82ba13247', 'messages', '0', 'm_01a1e3373b666d4b9d3ea888', 's_01a1e3373b505fe4769b64db', 's_01a1e3373b505fe4769b64db', 'm_01a1e3373bbd0862d894a1a4', '07badffc158a11256069610327544a4439b31f7ed69ddd7d67dde7b69e21dd4c');
insert into interlingua_sessions (key, tenant, id, title, search, labels, parameters, created_at, updated_at, expires_at, checksum) values ('s_01a1e3373b505fe4769b64db', 'default', 'golden', 'Golden', 'golden
golden', ' a%20b %C3%A4 ', '{"n":1}', '2026-11-16T07:16:50.128Z', '2026-11-16T07:16:50.160Z', null, '957b37188688d27dbf6cc023945ca34b559c7f24aa1ada0c5b86ec1370d1e30d');
insert into interlingua_sessions (key, tenant, id, title, search, labels, parameters, created_at, updated_at, expires_at, checksum) values ('s_01a1e3373b93c4d82ba13247', 'default', 'fork', 'Golden', 'golden
fork', ' a%20b %C3%A4 ', '{"n":1}', '2026-11-16T07:16:50.195Z', '2026-11-16T07:16:50.238Z', null, '2e912be742bd7b3971ce620c673ff1fca2e6fe21c6d2a4255706bcdf2acbc169');
