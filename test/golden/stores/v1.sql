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
create table interlingua_leases (
      session text collate "C" primary key,
      token text collate "C" not null,
      holder text collate "C" not null,
      acquired_at_ms bigint not null,
      expires_at_ms bigint not null,
      is_release_requested integer not null
    );
insert into interlingua_labels (session, message, label, checksum) values ('s_01a1e292339db7c144a482a3', 'msg_01a1e29233b084f2ede9bfeb', 'good', '1e1b759783a0bb706202b6a31952ad9b753b12d03ef00ba98e529ee542f58f88');
insert into interlingua_messages (key, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e29233c891eec1865b01', 's_01a1e292339db7c144a482a3', 'messages', 'msg_01a1e29233b084f2ede9bfeb', null, '1', '89dc1ff84e2605fc397219d02bc82a6029b52fe9b7d77075bdea4825bccc0c29', 'efe7c3b1efa1675923982bf2a6c5446b4edd0d008669c674ffc3e47e5c91888d', '{"interlingua":1,"message":{"id":"msg_01a1e29233b084f2ede9bfeb","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Q"}]}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e29233c9bcc8ebdcfc47', 's_01a1e292339db7c144a482a3', 'messages', 'msg_01a1e29233b0d262d2ff3cc3', 'm_01a1e29233c891eec1865b01', '2', 'c3396b23e1dd71b5e48de35c5bbb3ff080bec5f18641c314744100ae5c6fb22e', 'f35b7e0e71457aec775dc17d7f3166e064c859b23230593a1dfc48914d560710', '{"interlingua":1,"message":{"id":"msg_01a1e29233b0d262d2ff3cc3","createdAt":"2026-11-15T10:07:02.776Z","origin":{"dialect":"anthropic","provider":"anthropic","model":"m"},"usage":{"inputTokens":5,"outputTokens":2,"totalTokens":7,"cachedInputTokens":3},"role":"assistant","content":[{"type":"text","text":"A1"}],"parentId":"msg_01a1e29233b084f2ede9bfeb"}}', 'anthropic', 'm', '2026-11-15', '5', '2', '7', '3', null, null);
insert into interlingua_messages (key, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e29233c9bcc8ebdcfc48', 's_01a1e292339db7c144a482a3', 'messages', 'msg_01a1e29233b13388eb0a75f8', 'm_01a1e29233c9bcc8ebdcfc47', '3', '0cce216529ac83bee86ea01b79abedb08994423fb8aeea75833d1a0e7fe09bd7', 'b537b441fc4fddd6d763f7fc08414d6ab07fff267490abe28af17ca0249c0c29', '{"interlingua":1,"message":{"id":"msg_01a1e29233b13388eb0a75f8","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Q2"}],"parentId":"msg_01a1e29233b0d262d2ff3cc3"}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e29233efd4660347d620', 's_01a1e292339db7c144a482a3', 'notes', 'msg_01a1e29233d70734fd1c321a', null, '1', 'b042b41c22c8af4d1878b49a887e7ac2c23b9cf69a359f37b074ea4df9ddfb8d', '00f5f18a9fdc5f7861059fc0a5b519b9680d06e2edd1359ad25fa43ff0e27607', '{"interlingua":1,"message":{"id":"msg_01a1e29233d70734fd1c321a","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Note"}]}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e29234bf18979120cfba', 's_01a1e292343a2a90c8e2e6cb', 'messages', 'msg_01a1e2923459a9a7322b9e3e', 'm_01a1e29233c891eec1865b01', '2', '389787f93da19e31d5952556bf90844fba13bad541b181107366299d6c7487c9', '0934e2d2a8553905029ee71f0b7a5b7aca36463dc16c5a98044f296a7dc4f92e', '{"interlingua":1,"message":{"id":"msg_01a1e2923459a9a7322b9e3e","createdAt":"2026-11-15T10:07:02.776Z","origin":{"dialect":"anthropic","provider":"anthropic","model":"m"},"usage":{"inputTokens":5,"outputTokens":2,"totalTokens":7,"cachedInputTokens":3},"role":"assistant","content":[{"type":"text","text":"A2"}],"parentId":"msg_01a1e29233b084f2ede9bfeb"}}', 'anthropic', 'm', '2026-11-15', '5', '2', '7', '3', null, null);
insert into interlingua_migrations (version) values ('1');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e292339db7c144a482a3', 'messages', '0', null, null, '', 'm_01a1e29233c9bcc8ebdcfc48', '69ef4ffe6c78a760ad98b5faca6de0add7398d98f611a821b5e328243b519bc8');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e292339db7c144a482a3', 'notes', '1', null, null, '', 'm_01a1e29233efd4660347d620', 'cff86cb320a63340fc5645fcd89202511b824b849dd3f253bb130e85b999f631');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e292343a2a90c8e2e6cb', 'notes', '1', 'm_01a1e29233efd4660347d620', 's_01a1e292339db7c144a482a3', 's_01a1e292339db7c144a482a3', 'm_01a1e29233efd4660347d620', '6619cd536700252cbb09b4485624b9c05454d82a4f58328b91639fb294929441');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e292343a2a90c8e2e6cb', 'messages', '0', 'm_01a1e29233c891eec1865b01', 's_01a1e292339db7c144a482a3', 's_01a1e292339db7c144a482a3', 'm_01a1e29234bf18979120cfba', '6d022695e08227b60e9d00513995c34b6085b6c7c28a59c653ef35845bd62db8');
insert into interlingua_sessions (key, tenant, id, title, search, labels, parameters, created_at, updated_at, checksum) values ('s_01a1e292339db7c144a482a3', 'default', 'golden', 'Golden', 'golden
golden', ' a%20b %C3%A4 ', '{"n":1}', '2026-11-16T04:16:34.717Z', '2026-11-16T04:16:34.813Z', '5808ae37cbfe81bfe4a553ce9a7fafdd33253d7fd6f4c0d087e501a75b00117c');
insert into interlingua_sessions (key, tenant, id, title, search, labels, parameters, created_at, updated_at, checksum) values ('s_01a1e292343a2a90c8e2e6cb', 'default', 'fork', 'Golden', 'golden
fork', ' a%20b %C3%A4 ', '{"n":1}', '2026-11-16T04:16:34.874Z', '2026-11-16T04:16:35.019Z', 'ba664b7b409225f911f87450b4aadfe1938bd0a0485522dd152efe095af21c82');
