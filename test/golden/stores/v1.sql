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
insert into interlingua_labels (session, message, label, checksum) values ('s_01a1e2b937964bdec48f89a2', 'msg_01a1e2b937983d393281af7b', 'good', '3aef9c20851b5186c5919a961cd0b3e72250456403c9fd554d4519eb9928f5b1');
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e2b9379b9cf41c49f366', 'default', 's_01a1e2b937964bdec48f89a2', 'messages', 'msg_01a1e2b937983d393281af7b', null, '1', '89dc1ff84e2605fc397219d02bc82a6029b52fe9b7d77075bdea4825bccc0c29', '943b428ef83f8c0f8b936fed70ee6561e58e8c9a168e8cf11d71af79ee08d951', '{"interlingua":1,"message":{"id":"msg_01a1e2b937983d393281af7b","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Q"}]}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e2b9379bd6ac84742a85', 'default', 's_01a1e2b937964bdec48f89a2', 'messages', 'msg_01a1e2b937988f70ea3fba00', 'm_01a1e2b9379b9cf41c49f366', '2', 'c3396b23e1dd71b5e48de35c5bbb3ff080bec5f18641c314744100ae5c6fb22e', 'a9ef411128ae7a0efbae42cdd09e6d47414e9e942d77f1d1ca94ed54824ab7d9', '{"interlingua":1,"message":{"id":"msg_01a1e2b937988f70ea3fba00","createdAt":"2026-11-15T10:07:02.776Z","origin":{"dialect":"anthropic","provider":"anthropic","model":"m"},"usage":{"inputTokens":5,"outputTokens":2,"totalTokens":7,"cachedInputTokens":3},"role":"assistant","content":[{"type":"text","text":"A1"}],"parentId":"msg_01a1e2b937983d393281af7b"}}', 'anthropic', 'm', '2026-11-15', '5', '2', '7', '3', null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e2b9379bd6ac84742a86', 'default', 's_01a1e2b937964bdec48f89a2', 'messages', 'msg_01a1e2b937989796d5534158', 'm_01a1e2b9379bd6ac84742a85', '3', '0cce216529ac83bee86ea01b79abedb08994423fb8aeea75833d1a0e7fe09bd7', '0bfa094e15a9333667a2e231003e370e254867526cf3d185eb4aa47eec036501', '{"interlingua":1,"message":{"id":"msg_01a1e2b937989796d5534158","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Q2"}],"parentId":"msg_01a1e2b937988f70ea3fba00"}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e2b937a707a09d6e1eab', 'default', 's_01a1e2b937964bdec48f89a2', 'notes', 'msg_01a1e2b937a28c218a0913c4', null, '1', 'b042b41c22c8af4d1878b49a887e7ac2c23b9cf69a359f37b074ea4df9ddfb8d', '75adb03023344929feadfbeea608fee93aff95b8e4de40c1f3f77c43c2a17c8a', '{"interlingua":1,"message":{"id":"msg_01a1e2b937a28c218a0913c4","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Note"}]}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e2b937f07b51b0e7a971', 'default', 's_01a1e2b937d1790a448c1629', 'messages', 'msg_01a1e2b937dcfa1bba326811', 'm_01a1e2b9379b9cf41c49f366', '2', '389787f93da19e31d5952556bf90844fba13bad541b181107366299d6c7487c9', 'babe42f4516214331ab8bff2af8241b941a644ecd4f6cbc681446ebf3804ef26', '{"interlingua":1,"message":{"id":"msg_01a1e2b937dcfa1bba326811","createdAt":"2026-11-15T10:07:02.776Z","origin":{"dialect":"anthropic","provider":"anthropic","model":"m"},"usage":{"inputTokens":5,"outputTokens":2,"totalTokens":7,"cachedInputTokens":3},"role":"assistant","content":[{"type":"text","text":"A2"}],"parentId":"msg_01a1e2b937983d393281af7b"}}', 'anthropic', 'm', '2026-11-15', '5', '2', '7', '3', null, null);
insert into interlingua_migrations (version) values ('1');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e2b937964bdec48f89a2', 'messages', '0', null, null, '', 'm_01a1e2b9379bd6ac84742a86', '20cde373871098c6dac06dc9a679f1cac94013dd851ba62a69bb5389c02f905b');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e2b937964bdec48f89a2', 'notes', '1', null, null, '', 'm_01a1e2b937a707a09d6e1eab', '2406f18b8fb39f8ec0e55db615c4c222110448da388e06d7e758e76fd7941a91');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e2b937d1790a448c1629', 'notes', '1', 'm_01a1e2b937a707a09d6e1eab', 's_01a1e2b937964bdec48f89a2', 's_01a1e2b937964bdec48f89a2', 'm_01a1e2b937a707a09d6e1eab', 'bff8caab5697647c180172ab684057516bbe7529fd52b8b650ca6e4494d58103');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e2b937d1790a448c1629', 'messages', '0', 'm_01a1e2b9379b9cf41c49f366', 's_01a1e2b937964bdec48f89a2', 's_01a1e2b937964bdec48f89a2', 'm_01a1e2b937f07b51b0e7a971', '1f5c042dc40be33ec9b7aef34cc33f87441264795bed5816013bf13312d4fa02');
insert into interlingua_sessions (key, tenant, id, title, search, labels, parameters, created_at, updated_at, expires_at, checksum) values ('s_01a1e2b937964bdec48f89a2', 'default', 'golden', 'Golden', 'golden
golden', ' a%20b %C3%A4 ', '{"n":1}', '2026-11-16T04:59:11.638Z', '2026-11-16T04:59:11.655Z', null, '40394266e287b71c9960a4e9e6332d19d18f46805b1b89f17793506bdfb4e2ee');
insert into interlingua_sessions (key, tenant, id, title, search, labels, parameters, created_at, updated_at, expires_at, checksum) values ('s_01a1e2b937d1790a448c1629', 'default', 'fork', 'Golden', 'golden
fork', ' a%20b %C3%A4 ', '{"n":1}', '2026-11-16T04:59:11.697Z', '2026-11-16T04:59:11.729Z', null, '4f957ee69c86c06772388ac932a8550635f49ec0840ea9145164bb8c11fad2f6');
