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
insert into interlingua_labels (session, message, label, checksum) values ('s_01a1e28a2173fb8265a57633', 'msg_01a1e28a218192cc5f114340', 'good', '1faae3db8f402bfbbff2057aa1d11d81ebb8e9a7915758a79f10d96a53147779');
insert into interlingua_messages (key, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e28a219d3443ca70d2e9', 's_01a1e28a2173fb8265a57633', 'messages', 'msg_01a1e28a218192cc5f114340', null, '1', '89dc1ff84e2605fc397219d02bc82a6029b52fe9b7d77075bdea4825bccc0c29', 'e79fcf9465ca8772d1a1b1a7e03ab2667c9ac45f68ce9ac4da26f35d79cdd153', '{"interlingua":1,"message":{"id":"msg_01a1e28a218192cc5f114340","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Q"}]}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e28a219d73c80f6e97ba', 's_01a1e28a2173fb8265a57633', 'messages', 'msg_01a1e28a2181d6e39117d3f7', 'm_01a1e28a219d3443ca70d2e9', '2', 'c3396b23e1dd71b5e48de35c5bbb3ff080bec5f18641c314744100ae5c6fb22e', '402e39a996a5ab85deb24bfb21748117f8711f58362ff3c460c38a9204567cf9', '{"interlingua":1,"message":{"id":"msg_01a1e28a2181d6e39117d3f7","createdAt":"2026-11-15T10:07:02.776Z","origin":{"dialect":"anthropic","provider":"anthropic","model":"m"},"usage":{"inputTokens":5,"outputTokens":2,"totalTokens":7,"cachedInputTokens":3},"role":"assistant","content":[{"type":"text","text":"A1"}],"parentId":"msg_01a1e28a218192cc5f114340"}}', 'anthropic', 'm', '2026-11-15', '5', '2', '7', '3', null, null);
insert into interlingua_messages (key, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e28a219d73c80f6e97bb', 's_01a1e28a2173fb8265a57633', 'messages', 'msg_01a1e28a2181d6e39117d3f8', 'm_01a1e28a219d73c80f6e97ba', '3', '0cce216529ac83bee86ea01b79abedb08994423fb8aeea75833d1a0e7fe09bd7', 'b50eebba66bc98e725787c52bb57ed2bf797b1d5abd0e2930c5aaa72dca3e6ea', '{"interlingua":1,"message":{"id":"msg_01a1e28a2181d6e39117d3f8","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Q2"}],"parentId":"msg_01a1e28a2181d6e39117d3f7"}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e28a21d3f5216e7d9cc1', 's_01a1e28a2173fb8265a57633', 'notes', 'msg_01a1e28a21c401037764f184', null, '1', 'b042b41c22c8af4d1878b49a887e7ac2c23b9cf69a359f37b074ea4df9ddfb8d', '5d54f56b331d029688fc586bf078653ac12fd7a4db37595e76466f896c5e821c', '{"interlingua":1,"message":{"id":"msg_01a1e28a21c401037764f184","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Note"}]}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e28a2265a4ef20431a2f', 's_01a1e28a223a44f2551e9018', 'messages', 'msg_01a1e28a2251b9457535b33a', 'm_01a1e28a219d3443ca70d2e9', '2', '389787f93da19e31d5952556bf90844fba13bad541b181107366299d6c7487c9', '38e5e3b628169ea529251580f05a8dbec0df92b5b48acf00fa152e5402e9a83f', '{"interlingua":1,"message":{"id":"msg_01a1e28a2251b9457535b33a","createdAt":"2026-11-15T10:07:02.776Z","origin":{"dialect":"anthropic","provider":"anthropic","model":"m"},"usage":{"inputTokens":5,"outputTokens":2,"totalTokens":7,"cachedInputTokens":3},"role":"assistant","content":[{"type":"text","text":"A2"}],"parentId":"msg_01a1e28a218192cc5f114340"}}', 'anthropic', 'm', '2026-11-15', '5', '2', '7', '3', null, null);
insert into interlingua_migrations (version) values ('1');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e28a2173fb8265a57633', 'messages', '0', null, null, '', 'm_01a1e28a219d73c80f6e97bb', '23697aef77e1eecd5664f2e1181116efcd3b3c9d75b936c937d7bd8250c96f2e');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e28a2173fb8265a57633', 'notes', '1', null, null, '', 'm_01a1e28a21d3f5216e7d9cc1', '4c2a6c4b9914985b7deafdfec20a8d0d0f2f917ef0b9ffa1b9d6df21d47e35dc');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e28a223a44f2551e9018', 'notes', '1', 'm_01a1e28a21d3f5216e7d9cc1', 's_01a1e28a2173fb8265a57633', 's_01a1e28a2173fb8265a57633', 'm_01a1e28a21d3f5216e7d9cc1', '22bbcfc527894a7431ccdf68de9da2511aaea778c2bfdc00f8d34907c59aa5b4');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e28a223a44f2551e9018', 'messages', '0', 'm_01a1e28a219d3443ca70d2e9', 's_01a1e28a2173fb8265a57633', 's_01a1e28a2173fb8265a57633', 'm_01a1e28a2265a4ef20431a2f', '62461d5fc3247455734fa88a55cf32e058d37802d76b6c9cb16fab87ebf55d46');
insert into interlingua_sessions (key, tenant, id, title, search, labels, parameters, created_at, updated_at, checksum) values ('s_01a1e28a2173fb8265a57633', 'default', 'golden', 'Golden', 'golden
golden', ' a%20b %C3%A4 ', '{"n":1}', '2026-11-16T04:07:45.778Z', '2026-11-16T04:07:45.886Z', '646696f3951a4bae7a81168fabc04325ecdb8cf4a1db45d9f953ee605661a39e');
insert into interlingua_sessions (key, tenant, id, title, search, labels, parameters, created_at, updated_at, checksum) values ('s_01a1e28a223a44f2551e9018', 'default', 'fork', 'Golden', 'golden
fork', ' a%20b %C3%A4 ', '{"n":1}', '2026-11-16T04:07:45.978Z', '2026-11-16T04:07:46.041Z', '931d4a02687dfcd32a9bdc0982ecdc381785adb45f373d8effecee9aea5e1998');
