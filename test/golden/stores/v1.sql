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
create index interlingua_messages_parent on interlingua_messages (parent, session, key);
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
insert into interlingua_labels (session, message, label, checksum) values ('s_01a1e340503932cf13244de9', 'msg_01a1e340504463183a3f49cf', 'good', 'cf9a001ea2b5e8777395d8b0a4bc5d8ebb2a5d4bd416781d0e80855b503d6d88');
insert into interlingua_memories (tenant, key, body, created_at, updated_at, expires_at, vector_model, dimensions, vector) values ('default', 'units', '{"metadata":{"topic":"units"},"text":"Prefers metric units","value":{"system":"SI"}}', '2026-11-15T10:07:02.776Z', '2026-11-15T10:07:02.776Z', '2999-01-01T00:00:00.000Z', 'm', '2',  E'\\x9a99193fcdcc4c3f');
insert into interlingua_memory_tenants (tenant) values ('default');
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e3405054b960e9beceb0', 'default', 's_01a1e340503932cf13244de9', 'messages', 'msg_01a1e340504463183a3f49cf', null, '1', '89dc1ff84e2605fc397219d02bc82a6029b52fe9b7d77075bdea4825bccc0c29', 'b80f01845a357ec988466aafe690ecee9f7ebb3ddef22d000db35b51b07c9819', '{"interlingua":1,"message":{"id":"msg_01a1e340504463183a3f49cf","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Q"}]}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e3405055b573171427f6', 'default', 's_01a1e340503932cf13244de9', 'messages', 'msg_01a1e34050451083a6666317', 'm_01a1e3405054b960e9beceb0', '2', 'c3396b23e1dd71b5e48de35c5bbb3ff080bec5f18641c314744100ae5c6fb22e', '713dbc1996cbc61317822708b1f537f2a583b8b851fe9ddd06af368ac8bc6031', '{"interlingua":1,"message":{"id":"msg_01a1e34050451083a6666317","createdAt":"2026-11-15T10:07:02.776Z","origin":{"dialect":"anthropic","provider":"anthropic","model":"m"},"usage":{"inputTokens":5,"outputTokens":2,"totalTokens":7,"cachedInputTokens":3},"role":"assistant","content":[{"type":"text","text":"A1"}],"parentId":"msg_01a1e340504463183a3f49cf"}}', 'anthropic', 'm', '2026-11-15', '5', '2', '7', '3', null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e3405055b573171427f7', 'default', 's_01a1e340503932cf13244de9', 'messages', 'msg_01a1e3405045e3009fab7784', 'm_01a1e3405055b573171427f6', '3', '0cce216529ac83bee86ea01b79abedb08994423fb8aeea75833d1a0e7fe09bd7', '22837adfbd358875d6e617bd69dfb214976c6542b27ba48025d7e17e452a5c1e', '{"interlingua":1,"message":{"id":"msg_01a1e3405045e3009fab7784","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Q2"}],"parentId":"msg_01a1e34050451083a6666317"}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e3405069265529c9e562', 'default', 's_01a1e340503932cf13244de9', 'notes', 'msg_01a1e340505c5aef999e1e2e', null, '1', 'b042b41c22c8af4d1878b49a887e7ac2c23b9cf69a359f37b074ea4df9ddfb8d', 'd7bbc9a3b29f8430c21cea7350f7a4d4a88451ea57979fe5ed221bd8b7c0288a', '{"interlingua":1,"message":{"id":"msg_01a1e340505c5aef999e1e2e","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Note"}]}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e34050e07a204585a272', 'default', 's_01a1e34050c5520094ec2e24', 'messages', 'msg_01a1e34050d81856b0251ef9', 'm_01a1e3405054b960e9beceb0', '2', '389787f93da19e31d5952556bf90844fba13bad541b181107366299d6c7487c9', '87d9068d0f163d3966d8f7e8123798aa12a6584eadc2747dcdaff150400bd605', '{"interlingua":1,"message":{"id":"msg_01a1e34050d81856b0251ef9","createdAt":"2026-11-15T10:07:02.776Z","origin":{"dialect":"anthropic","provider":"anthropic","model":"m"},"usage":{"inputTokens":5,"outputTokens":2,"totalTokens":7,"cachedInputTokens":3},"role":"assistant","content":[{"type":"text","text":"A2"}],"parentId":"msg_01a1e340504463183a3f49cf"}}', 'anthropic', 'm', '2026-11-15', '5', '2', '7', '3', null, null);
insert into interlingua_migrations (version) values ('1');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e340503932cf13244de9', 'messages', '0', null, null, '', 'm_01a1e3405055b573171427f7', '6eefc111f0a644d1bf5a59839437565a3e6fd1afb4ac3da9b7bd5922de2ce33a');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e340503932cf13244de9', 'notes', '1', null, null, '', 'm_01a1e3405069265529c9e562', 'ad6cf501d3c0ff24ba7e2bb87c371e47e5f35adbd8cddf7969320c6d774fc6c8');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e34050c5520094ec2e24', 'notes', '1', 'm_01a1e3405069265529c9e562', 's_01a1e340503932cf13244de9', 's_01a1e340503932cf13244de9', 'm_01a1e3405069265529c9e562', '55576091d7cc3ea3f0a45d14d05fa15654104f93a8f131bd9d99c726f4397bb0');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e34050c5520094ec2e24', 'messages', '0', 'm_01a1e3405054b960e9beceb0', 's_01a1e340503932cf13244de9', 's_01a1e340503932cf13244de9', 'm_01a1e34050e07a204585a272', '596d82f7c43c9a5dfd4352be634a2a6dad31682f7d686a9cc4ac34f416d2c87a');
insert into interlingua_sessions (key, tenant, id, title, search, labels, parameters, created_at, updated_at, expires_at, checksum) values ('s_01a1e340503932cf13244de9', 'default', 'golden', 'Golden', 'golden
golden', ' a%20b %C3%A4 ', '{"n":1}', '2026-11-16T07:26:45.305Z', '2026-11-16T07:26:45.354Z', null, '648a08bb43d720a8cd4c22bd72546471789ae6016b3276096da2fd5ecb034aa5');
insert into interlingua_sessions (key, tenant, id, title, search, labels, parameters, created_at, updated_at, expires_at, checksum) values ('s_01a1e34050c5520094ec2e24', 'default', 'fork', 'Golden', 'golden
fork', ' a%20b %C3%A4 ', '{"n":1}', '2026-11-16T07:26:45.444Z', '2026-11-16T07:26:45.473Z', null, '8613d0bca2c778f4e509ab8cef972ec1822bf215a2464a77afc767451835760f');
