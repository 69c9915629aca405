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
insert into interlingua_labels (session, message, label, checksum) values ('s_01a1e297ad086f023ddfb232', 'msg_01a1e297ad1bc8289ee6f81a', 'good', 'b07f04010d620989cf9a440d0032ce38a4c35f1df5aa2cf8160876057c53a4cb');
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e297ad258e1abbf9e1e1', 'default', 's_01a1e297ad086f023ddfb232', 'messages', 'msg_01a1e297ad1bc8289ee6f81a', null, '1', '89dc1ff84e2605fc397219d02bc82a6029b52fe9b7d77075bdea4825bccc0c29', '28a4cd297afe6485d2377bf0b1f83c3f7d5388fbadcd6babd0b183db89085175', '{"interlingua":1,"message":{"id":"msg_01a1e297ad1bc8289ee6f81a","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Q"}]}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e297ad258e1abbf9e1e2', 'default', 's_01a1e297ad086f023ddfb232', 'messages', 'msg_01a1e297ad1bc8289ee6f81b', 'm_01a1e297ad258e1abbf9e1e1', '2', 'c3396b23e1dd71b5e48de35c5bbb3ff080bec5f18641c314744100ae5c6fb22e', '04f9cf6ccdda5f2f49c050a7d1971dd340a00ee285e8641b685ca4198920d0fd', '{"interlingua":1,"message":{"id":"msg_01a1e297ad1bc8289ee6f81b","createdAt":"2026-11-15T10:07:02.776Z","origin":{"dialect":"anthropic","provider":"anthropic","model":"m"},"usage":{"inputTokens":5,"outputTokens":2,"totalTokens":7,"cachedInputTokens":3},"role":"assistant","content":[{"type":"text","text":"A1"}],"parentId":"msg_01a1e297ad1bc8289ee6f81a"}}', 'anthropic', 'm', '2026-11-15', '5', '2', '7', '3', null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e297ad258e1abbf9e1e3', 'default', 's_01a1e297ad086f023ddfb232', 'messages', 'msg_01a1e297ad1c8d1bc13a7d19', 'm_01a1e297ad258e1abbf9e1e2', '3', '0cce216529ac83bee86ea01b79abedb08994423fb8aeea75833d1a0e7fe09bd7', '34acf2f93ff1a6ca3c40f5e055c058fada361cb19a0bc5a44825f8c7c4b1d033', '{"interlingua":1,"message":{"id":"msg_01a1e297ad1c8d1bc13a7d19","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Q2"}],"parentId":"msg_01a1e297ad1bc8289ee6f81b"}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e297ad5e971e647c676c', 'default', 's_01a1e297ad086f023ddfb232', 'notes', 'msg_01a1e297ad4b5c94c9bba00b', null, '1', 'b042b41c22c8af4d1878b49a887e7ac2c23b9cf69a359f37b074ea4df9ddfb8d', 'e37345284c21b933f92b1775333af6e624cf7f44846f62661d1b03fcffaae860', '{"interlingua":1,"message":{"id":"msg_01a1e297ad4b5c94c9bba00b","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Note"}]}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e297adc5db6c10a1dbf2', 'default', 's_01a1e297ad9d9b548ab64480', 'messages', 'msg_01a1e297adbb0db2b4e024e5', 'm_01a1e297ad258e1abbf9e1e1', '2', '389787f93da19e31d5952556bf90844fba13bad541b181107366299d6c7487c9', 'af1e138bc8d81ac743b70f9a99f977b4d634cb0d55519a057b4e4800586ec3d4', '{"interlingua":1,"message":{"id":"msg_01a1e297adbb0db2b4e024e5","createdAt":"2026-11-15T10:07:02.776Z","origin":{"dialect":"anthropic","provider":"anthropic","model":"m"},"usage":{"inputTokens":5,"outputTokens":2,"totalTokens":7,"cachedInputTokens":3},"role":"assistant","content":[{"type":"text","text":"A2"}],"parentId":"msg_01a1e297ad1bc8289ee6f81a"}}', 'anthropic', 'm', '2026-11-15', '5', '2', '7', '3', null, null);
insert into interlingua_migrations (version) values ('1');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e297ad086f023ddfb232', 'messages', '0', null, null, '', 'm_01a1e297ad258e1abbf9e1e3', '48a1f515e2fbed00459d750da05210b5ef44d5a88eb7818042bcccdcbc774bd4');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e297ad086f023ddfb232', 'notes', '1', null, null, '', 'm_01a1e297ad5e971e647c676c', 'f1653917e8b67edfa801b4d51c38af3177c4eafa2f867d86966a9f994e6941f5');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e297ad9d9b548ab64480', 'notes', '1', 'm_01a1e297ad5e971e647c676c', 's_01a1e297ad086f023ddfb232', 's_01a1e297ad086f023ddfb232', 'm_01a1e297ad5e971e647c676c', '1669d7e3575661cf22d8f2f5162c4af274c16251b51ab0bf9fa7ac57002e84d2');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e297ad9d9b548ab64480', 'messages', '0', 'm_01a1e297ad258e1abbf9e1e1', 's_01a1e297ad086f023ddfb232', 's_01a1e297ad086f023ddfb232', 'm_01a1e297adc5db6c10a1dbf2', '68a9ac01e227da5dc55eb40f1ac404534816e0f6114061c4a97d2379b9fe38bd');
insert into interlingua_sessions (key, tenant, id, title, search, labels, parameters, created_at, updated_at, checksum) values ('s_01a1e297ad086f023ddfb232', 'default', 'golden', 'Golden', 'golden
golden', ' a%20b %C3%A4 ', '{"n":1}', '2026-11-16T04:22:33.480Z', '2026-11-16T04:22:33.567Z', 'e0ed04d700f9d178fef297cacdc36dcd699fd62a698678a5e922f6cd7139b80d');
insert into interlingua_sessions (key, tenant, id, title, search, labels, parameters, created_at, updated_at, checksum) values ('s_01a1e297ad9d9b548ab64480', 'default', 'fork', 'Golden', 'golden
fork', ' a%20b %C3%A4 ', '{"n":1}', '2026-11-16T04:22:33.629Z', '2026-11-16T04:22:33.670Z', '4bb768089772036e1b3490a938e99a85373852b016fc0d8fb2ade99d9325b243');
