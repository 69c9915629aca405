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
insert into interlingua_labels (session, message, label, checksum) values ('s_01a1e2a7970eff7738af603f', 'msg_01a1e2a79714c41790206aab', 'good', '9c3fadc5339d5a34500f4315dae08e6799377c8e4ff385130e896edec644df58');
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e2a7971cf115f275873e', 'default', 's_01a1e2a7970eff7738af603f', 'messages', 'msg_01a1e2a79714c41790206aab', null, '1', '89dc1ff84e2605fc397219d02bc82a6029b52fe9b7d77075bdea4825bccc0c29', 'e6fa0f3351613802594e593183dd07a84aa71be3adc2906fe3530953bcfd560f', '{"interlingua":1,"message":{"id":"msg_01a1e2a79714c41790206aab","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Q"}]}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e2a7971cf115f275873f', 'default', 's_01a1e2a7970eff7738af603f', 'messages', 'msg_01a1e2a79714d5049e8547c1', 'm_01a1e2a7971cf115f275873e', '2', 'c3396b23e1dd71b5e48de35c5bbb3ff080bec5f18641c314744100ae5c6fb22e', '833eb0f848028e7ac46659574c6701621d1fe3a2d971f64eb690f50c64b31a69', '{"interlingua":1,"message":{"id":"msg_01a1e2a79714d5049e8547c1","createdAt":"2026-11-15T10:07:02.776Z","origin":{"dialect":"anthropic","provider":"anthropic","model":"m"},"usage":{"inputTokens":5,"outputTokens":2,"totalTokens":7,"cachedInputTokens":3},"role":"assistant","content":[{"type":"text","text":"A1"}],"parentId":"msg_01a1e2a79714c41790206aab"}}', 'anthropic', 'm', '2026-11-15', '5', '2', '7', '3', null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e2a7971da3cbea7ee4bf', 'default', 's_01a1e2a7970eff7738af603f', 'messages', 'msg_01a1e2a79714d5049e8547c2', 'm_01a1e2a7971cf115f275873f', '3', '0cce216529ac83bee86ea01b79abedb08994423fb8aeea75833d1a0e7fe09bd7', '4b5520d324d02697d1f3d77976e7f8f8edbfc84f99d078479e161c5969259a2d', '{"interlingua":1,"message":{"id":"msg_01a1e2a79714d5049e8547c2","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Q2"}],"parentId":"msg_01a1e2a79714d5049e8547c1"}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e2a7972f4fba305ba38b', 'default', 's_01a1e2a7970eff7738af603f', 'notes', 'msg_01a1e2a7972a7be1a0e482cf', null, '1', 'b042b41c22c8af4d1878b49a887e7ac2c23b9cf69a359f37b074ea4df9ddfb8d', 'e6c2d1afdb4eb4e704975e6b7a0575da3fc6b7eef7dd6d66414b421cbafdc3e7', '{"interlingua":1,"message":{"id":"msg_01a1e2a7972a7be1a0e482cf","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Note"}]}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e2a79768b50f050b6680', 'default', 's_01a1e2a7975d75c048d4c1b8', 'messages', 'msg_01a1e2a797622387d1bcd4cc', 'm_01a1e2a7971cf115f275873e', '2', '389787f93da19e31d5952556bf90844fba13bad541b181107366299d6c7487c9', '37064355cdb4f8129b271a28b23c39efd0926b4648728050913c8d4bb88745dc', '{"interlingua":1,"message":{"id":"msg_01a1e2a797622387d1bcd4cc","createdAt":"2026-11-15T10:07:02.776Z","origin":{"dialect":"anthropic","provider":"anthropic","model":"m"},"usage":{"inputTokens":5,"outputTokens":2,"totalTokens":7,"cachedInputTokens":3},"role":"assistant","content":[{"type":"text","text":"A2"}],"parentId":"msg_01a1e2a79714c41790206aab"}}', 'anthropic', 'm', '2026-11-15', '5', '2', '7', '3', null, null);
insert into interlingua_migrations (version) values ('1');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e2a7970eff7738af603f', 'messages', '0', null, null, '', 'm_01a1e2a7971da3cbea7ee4bf', '251250ce8161b60e9abb159eb28e66717e833c964c0e80829bdc75e9b19bc096');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e2a7970eff7738af603f', 'notes', '1', null, null, '', 'm_01a1e2a7972f4fba305ba38b', '9b8a0244cb4b888bdad1f8d1e602c4048f47e652211053afc1fc00e4fe4f6178');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e2a7975d75c048d4c1b8', 'notes', '1', 'm_01a1e2a7972f4fba305ba38b', 's_01a1e2a7970eff7738af603f', 's_01a1e2a7970eff7738af603f', 'm_01a1e2a7972f4fba305ba38b', '504ed0e907605586e5eff8b9a5ed90a97c25cdf41cae2116d2ababef567b7c85');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e2a7975d75c048d4c1b8', 'messages', '0', 'm_01a1e2a7971cf115f275873e', 's_01a1e2a7970eff7738af603f', 's_01a1e2a7970eff7738af603f', 'm_01a1e2a79768b50f050b6680', '622840d50e824d75570ec156f7ead9edfcefd7b5c062ef9222b1a8929985a5e5');
insert into interlingua_sessions (key, tenant, id, title, search, labels, parameters, created_at, updated_at, checksum) values ('s_01a1e2a7970eff7738af603f', 'default', 'golden', 'Golden', 'golden
golden', ' a%20b %C3%A4 ', '{"n":1}', '2026-11-16T04:39:56.430Z', '2026-11-16T04:39:56.463Z', '56cfbcd2c699956ebed496d761cf134c66c8bc1287dba78b5e548ab17a544b25');
insert into interlingua_sessions (key, tenant, id, title, search, labels, parameters, created_at, updated_at, checksum) values ('s_01a1e2a7975d75c048d4c1b8', 'default', 'fork', 'Golden', 'golden
fork', ' a%20b %C3%A4 ', '{"n":1}', '2026-11-16T04:39:56.509Z', '2026-11-16T04:39:56.521Z', '80c9d4c3ebc647a72dd78ba6ad1f7d417360c0a6f8b8144f0a7c90a49ed3e694');
