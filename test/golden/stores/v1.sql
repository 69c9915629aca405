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
insert into interlingua_labels (session, message, label, checksum) values ('s_01a1e2afd6d0d8f3535abd4d', 'msg_01a1e2afd6dc18abc4809f81', 'good', '1785ce10db57cc4cd824ab5da483e3de4261dff36ddab5128c4e455a3e26c2fd');
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e2afd6ed1fa3db35c287', 'default', 's_01a1e2afd6d0d8f3535abd4d', 'messages', 'msg_01a1e2afd6dc18abc4809f81', null, '1', '89dc1ff84e2605fc397219d02bc82a6029b52fe9b7d77075bdea4825bccc0c29', '3a8622deb2d6769e93876f80e19002ac8afbca802c4e6b4942b1e526f7060c85', '{"interlingua":1,"message":{"id":"msg_01a1e2afd6dc18abc4809f81","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Q"}]}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e2afd6ed7f3b19700691', 'default', 's_01a1e2afd6d0d8f3535abd4d', 'messages', 'msg_01a1e2afd6dcef70ade60f7f', 'm_01a1e2afd6ed1fa3db35c287', '2', 'c3396b23e1dd71b5e48de35c5bbb3ff080bec5f18641c314744100ae5c6fb22e', 'e068dad28594749721cb937f3d03b7c0bb9d07f02ea24c42e7b053d729fcd5d2', '{"interlingua":1,"message":{"id":"msg_01a1e2afd6dcef70ade60f7f","createdAt":"2026-11-15T10:07:02.776Z","origin":{"dialect":"anthropic","provider":"anthropic","model":"m"},"usage":{"inputTokens":5,"outputTokens":2,"totalTokens":7,"cachedInputTokens":3},"role":"assistant","content":[{"type":"text","text":"A1"}],"parentId":"msg_01a1e2afd6dc18abc4809f81"}}', 'anthropic', 'm', '2026-11-15', '5', '2', '7', '3', null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e2afd6ed7f3b19700692', 'default', 's_01a1e2afd6d0d8f3535abd4d', 'messages', 'msg_01a1e2afd6dcef70ade60f80', 'm_01a1e2afd6ed7f3b19700691', '3', '0cce216529ac83bee86ea01b79abedb08994423fb8aeea75833d1a0e7fe09bd7', 'fc4c0653ac354b8b87c4dd8217938fbb145c41d45054a8cd6b5a3123e813fa74', '{"interlingua":1,"message":{"id":"msg_01a1e2afd6dcef70ade60f80","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Q2"}],"parentId":"msg_01a1e2afd6dcef70ade60f7f"}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e2afd7012fca9d65eb0f', 'default', 's_01a1e2afd6d0d8f3535abd4d', 'notes', 'msg_01a1e2afd6fa02bc793a71af', null, '1', 'b042b41c22c8af4d1878b49a887e7ac2c23b9cf69a359f37b074ea4df9ddfb8d', 'fe5974f20e343e5125dac256a0165b7bd3f1b28977e005fdfab8be5122d91278', '{"interlingua":1,"message":{"id":"msg_01a1e2afd6fa02bc793a71af","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Note"}]}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e2afd76004e289683a17', 'default', 's_01a1e2afd74cfc3de407eb64', 'messages', 'msg_01a1e2afd7551dd5e9625b66', 'm_01a1e2afd6ed1fa3db35c287', '2', '389787f93da19e31d5952556bf90844fba13bad541b181107366299d6c7487c9', 'd612d3f7eb69f5bb4b7ddc5a6c4601063c4c539ac245f1a026ff096b71cd47d1', '{"interlingua":1,"message":{"id":"msg_01a1e2afd7551dd5e9625b66","createdAt":"2026-11-15T10:07:02.776Z","origin":{"dialect":"anthropic","provider":"anthropic","model":"m"},"usage":{"inputTokens":5,"outputTokens":2,"totalTokens":7,"cachedInputTokens":3},"role":"assistant","content":[{"type":"text","text":"A2"}],"parentId":"msg_01a1e2afd6dc18abc4809f81"}}', 'anthropic', 'm', '2026-11-15', '5', '2', '7', '3', null, null);
insert into interlingua_migrations (version) values ('1');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e2afd6d0d8f3535abd4d', 'messages', '0', null, null, '', 'm_01a1e2afd6ed7f3b19700692', '709d0126549d711e08b948f5ca0f4a65086303c9fe1eab99b5a34640454909ef');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e2afd6d0d8f3535abd4d', 'notes', '1', null, null, '', 'm_01a1e2afd7012fca9d65eb0f', 'd8b9f9b837184cc7ed7f39d67fa7b97ac08ec84de046f9baf41aeab7e30ba0be');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e2afd74cfc3de407eb64', 'notes', '1', 'm_01a1e2afd7012fca9d65eb0f', 's_01a1e2afd6d0d8f3535abd4d', 's_01a1e2afd6d0d8f3535abd4d', 'm_01a1e2afd7012fca9d65eb0f', '3fb35fb718fd8e27e9fbdc05593938f91bdac9c67adeef091f843c997ac7fe90');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e2afd74cfc3de407eb64', 'messages', '0', 'm_01a1e2afd6ed1fa3db35c287', 's_01a1e2afd6d0d8f3535abd4d', 's_01a1e2afd6d0d8f3535abd4d', 'm_01a1e2afd76004e289683a17', '5cdc8fcec513b14488f76c6a09c991816323d7ffba657162fdf2c56f74d8550b');
insert into interlingua_sessions (key, tenant, id, title, search, labels, parameters, created_at, updated_at, expires_at, checksum) values ('s_01a1e2afd6d0d8f3535abd4d', 'default', 'golden', 'Golden', 'golden
golden', ' a%20b %C3%A4 ', '{"n":1}', '2026-11-16T04:48:57.039Z', '2026-11-16T04:48:57.089Z', null, 'b27a54490776fd19885d7c2927c4edcb61a3f7a157328b4409425914b838552a');
insert into interlingua_sessions (key, tenant, id, title, search, labels, parameters, created_at, updated_at, expires_at, checksum) values ('s_01a1e2afd74cfc3de407eb64', 'default', 'fork', 'Golden', 'golden
fork', ' a%20b %C3%A4 ', '{"n":1}', '2026-11-16T04:48:57.164Z', '2026-11-16T04:48:57.185Z', null, 'a6fc236de98a3fb25daf0ba00bdfc52b7e2d4876475d1dc91148cab3ae3dd158');
