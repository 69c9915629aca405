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
insert into interlingua_labels (session, message, label) values ('s_01a1e27f17e9dfd2c718264c', 'msg_01a1e27f17eb07eb00f65e2d', 'good');
insert into interlingua_messages (key, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e27f17ee78faadf09016', 's_01a1e27f17e9dfd2c718264c', 'messages', 'msg_01a1e27f17eb07eb00f65e2d', null, '1', '89dc1ff84e2605fc397219d02bc82a6029b52fe9b7d77075bdea4825bccc0c29', 'aa052b2c1692b6e1de1854ba5fc8a4f026eed978dd3c109e28b221c547be6018', '{"interlingua":1,"message":{"id":"msg_01a1e27f17eb07eb00f65e2d","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Q"}]}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e27f17eecd70aa4a4e50', 's_01a1e27f17e9dfd2c718264c', 'messages', 'msg_01a1e27f17eb7adf897805b3', 'm_01a1e27f17ee78faadf09016', '2', 'c3396b23e1dd71b5e48de35c5bbb3ff080bec5f18641c314744100ae5c6fb22e', 'ccf41b94dd7fd25dc340bb2f700349c96c2650ee7a6b86b88f541426b8c043cf', '{"interlingua":1,"message":{"id":"msg_01a1e27f17eb7adf897805b3","createdAt":"2026-11-15T10:07:02.776Z","origin":{"dialect":"anthropic","provider":"anthropic","model":"m"},"usage":{"inputTokens":5,"outputTokens":2,"totalTokens":7,"cachedInputTokens":3},"role":"assistant","content":[{"type":"text","text":"A1"}],"parentId":"msg_01a1e27f17eb07eb00f65e2d"}}', 'anthropic', 'm', '2026-11-15', '5', '2', '7', '3', null, null);
insert into interlingua_messages (key, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e27f17eecd70aa4a4e51', 's_01a1e27f17e9dfd2c718264c', 'messages', 'msg_01a1e27f17ebae0f3507e63e', 'm_01a1e27f17eecd70aa4a4e50', '3', '0cce216529ac83bee86ea01b79abedb08994423fb8aeea75833d1a0e7fe09bd7', '5ce90ff01e06a4590bc4e25d0ddb2c69e6a1fc6779ba982ebc0a9b42503d9201', '{"interlingua":1,"message":{"id":"msg_01a1e27f17ebae0f3507e63e","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Q2"}],"parentId":"msg_01a1e27f17eb7adf897805b3"}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e27f17f7ad66696b232a', 's_01a1e27f17e9dfd2c718264c', 'notes', 'msg_01a1e27f17f58f8a52e835fb', null, '1', 'b042b41c22c8af4d1878b49a887e7ac2c23b9cf69a359f37b074ea4df9ddfb8d', '6f8eab722c0bc86e0f5b6385cc44340e2f21b2c094be923c7162e68e994afb98', '{"interlingua":1,"message":{"id":"msg_01a1e27f17f58f8a52e835fb","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Note"}]}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e27f18113b53f5f4d316', 's_01a1e27f1808270231bf1890', 'messages', 'msg_01a1e27f180b46d9a98e5ea8', 'm_01a1e27f17ee78faadf09016', '2', '389787f93da19e31d5952556bf90844fba13bad541b181107366299d6c7487c9', '881774efbfdec5e76aee63ca149bab708ba8f8e40ed2db4156653db2aaa4eb9d', '{"interlingua":1,"message":{"id":"msg_01a1e27f180b46d9a98e5ea8","createdAt":"2026-11-15T10:07:02.776Z","origin":{"dialect":"anthropic","provider":"anthropic","model":"m"},"usage":{"inputTokens":5,"outputTokens":2,"totalTokens":7,"cachedInputTokens":3},"role":"assistant","content":[{"type":"text","text":"A2"}],"parentId":"msg_01a1e27f17eb07eb00f65e2d"}}', 'anthropic', 'm', '2026-11-15', '5', '2', '7', '3', null, null);
insert into interlingua_migrations (version) values ('1');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head) values ('s_01a1e27f17e9dfd2c718264c', 'messages', '0', null, null, '', 'm_01a1e27f17eecd70aa4a4e51');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head) values ('s_01a1e27f17e9dfd2c718264c', 'notes', '1', null, null, '', 'm_01a1e27f17f7ad66696b232a');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head) values ('s_01a1e27f1808270231bf1890', 'notes', '1', 'm_01a1e27f17f7ad66696b232a', 's_01a1e27f17e9dfd2c718264c', 's_01a1e27f17e9dfd2c718264c', 'm_01a1e27f17f7ad66696b232a');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head) values ('s_01a1e27f1808270231bf1890', 'messages', '0', 'm_01a1e27f17ee78faadf09016', 's_01a1e27f17e9dfd2c718264c', 's_01a1e27f17e9dfd2c718264c', 'm_01a1e27f18113b53f5f4d316');
insert into interlingua_sessions (key, tenant, id, title, search, labels, parameters, created_at, updated_at) values ('s_01a1e27f17e9dfd2c718264c', 'default', 'golden', 'Golden', 'golden
golden', ' a%20b %C3%A4 ', '{"n":1}', '2026-11-16T03:55:42.441Z', '2026-11-16T03:55:42.460Z');
insert into interlingua_sessions (key, tenant, id, title, search, labels, parameters, created_at, updated_at) values ('s_01a1e27f1808270231bf1890', 'default', 'fork', 'Golden', 'golden
fork', ' a%20b %C3%A4 ', '{"n":1}', '2026-11-16T03:55:42.472Z', '2026-11-16T03:55:42.483Z');
