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
insert into interlingua_labels (session, message, label, checksum) values ('s_01a1e2a611c98ec87aa5faeb', 'msg_01a1e2a611d032fbd1cab14d', 'good', '4c0dc10282c28869df461f2cc49ac84799c6f447e96ed2b019765da88f947cdd');
insert into interlingua_messages (key, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e2a611e4e6c5eecb7d2b', 's_01a1e2a611c98ec87aa5faeb', 'messages', 'msg_01a1e2a611d032fbd1cab14d', null, '1', '89dc1ff84e2605fc397219d02bc82a6029b52fe9b7d77075bdea4825bccc0c29', 'dce2300c2c1d71d8e23566e41a44df62c3e59560289f71df20707081c78c270e', '{"interlingua":1,"message":{"id":"msg_01a1e2a611d032fbd1cab14d","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Q"}]}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e2a611e4f9fd29005ce3', 's_01a1e2a611c98ec87aa5faeb', 'messages', 'msg_01a1e2a611d081697c835c3f', 'm_01a1e2a611e4e6c5eecb7d2b', '2', 'c3396b23e1dd71b5e48de35c5bbb3ff080bec5f18641c314744100ae5c6fb22e', 'd0bd7c16ec2dfd6575ef4d376f4e109218238f261b8438fce9ed98fea76f3569', '{"interlingua":1,"message":{"id":"msg_01a1e2a611d081697c835c3f","createdAt":"2026-11-15T10:07:02.776Z","origin":{"dialect":"anthropic","provider":"anthropic","model":"m"},"usage":{"inputTokens":5,"outputTokens":2,"totalTokens":7,"cachedInputTokens":3},"role":"assistant","content":[{"type":"text","text":"A1"}],"parentId":"msg_01a1e2a611d032fbd1cab14d"}}', 'anthropic', 'm', '2026-11-15', '5', '2', '7', '3', null, null);
insert into interlingua_messages (key, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e2a611e553f19c7e1d6a', 's_01a1e2a611c98ec87aa5faeb', 'messages', 'msg_01a1e2a611d0fa7f20bced38', 'm_01a1e2a611e4f9fd29005ce3', '3', '0cce216529ac83bee86ea01b79abedb08994423fb8aeea75833d1a0e7fe09bd7', '915749aa0bc597b415a0fc096c939aca0fc5bda023a99640c0a23a4cc0acaced', '{"interlingua":1,"message":{"id":"msg_01a1e2a611d0fa7f20bced38","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Q2"}],"parentId":"msg_01a1e2a611d081697c835c3f"}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e2a61209464cbd8357aa', 's_01a1e2a611c98ec87aa5faeb', 'notes', 'msg_01a1e2a61204d335fce9b9c2', null, '1', 'b042b41c22c8af4d1878b49a887e7ac2c23b9cf69a359f37b074ea4df9ddfb8d', '1d7c2cce9cdb6ff6afd037929fc15033b63dc0a542a4411e792af6b498724488', '{"interlingua":1,"message":{"id":"msg_01a1e2a61204d335fce9b9c2","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Note"}]}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e2a61283cdb75421c255', 's_01a1e2a6125074cde3639557', 'messages', 'msg_01a1e2a612663ea4047c833e', 'm_01a1e2a611e4e6c5eecb7d2b', '2', '389787f93da19e31d5952556bf90844fba13bad541b181107366299d6c7487c9', '09fe29b9d8cedc6bc7f5caa5a166bd898a1db6ae4e9f004f1bb80c8b55ce7d49', '{"interlingua":1,"message":{"id":"msg_01a1e2a612663ea4047c833e","createdAt":"2026-11-15T10:07:02.776Z","origin":{"dialect":"anthropic","provider":"anthropic","model":"m"},"usage":{"inputTokens":5,"outputTokens":2,"totalTokens":7,"cachedInputTokens":3},"role":"assistant","content":[{"type":"text","text":"A2"}],"parentId":"msg_01a1e2a611d032fbd1cab14d"}}', 'anthropic', 'm', '2026-11-15', '5', '2', '7', '3', null, null);
insert into interlingua_migrations (version) values ('1');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e2a611c98ec87aa5faeb', 'messages', '0', null, null, '', 'm_01a1e2a611e553f19c7e1d6a', '86154a85e4b0e84cdb85a4a6a80e9bfd54a1b4fbceea42644351bf0b374b2e57');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e2a611c98ec87aa5faeb', 'notes', '1', null, null, '', 'm_01a1e2a61209464cbd8357aa', '0b05f072f2cfe3dce2156f3755b7cd54d4c5414e5428eed18a379a96a87770d9');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e2a6125074cde3639557', 'notes', '1', 'm_01a1e2a61209464cbd8357aa', 's_01a1e2a611c98ec87aa5faeb', 's_01a1e2a611c98ec87aa5faeb', 'm_01a1e2a61209464cbd8357aa', '2c8f20b7424c44cf17134387fabc32b38e4701b363d0d967f88f113346665d1e');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e2a6125074cde3639557', 'messages', '0', 'm_01a1e2a611e4e6c5eecb7d2b', 's_01a1e2a611c98ec87aa5faeb', 's_01a1e2a611c98ec87aa5faeb', 'm_01a1e2a61283cdb75421c255', '86408406519c8cb0f8d6953d85bc487d74ab703c4173fb72e9707d145370adb5');
insert into interlingua_sessions (key, tenant, id, title, search, labels, parameters, created_at, updated_at, expires_at, checksum) values ('s_01a1e2a611c98ec87aa5faeb', 'default', 'golden', 'Golden', 'golden
golden', ' a%20b %C3%A4 ', '{"n":1}', '2026-11-16T04:38:16.777Z', '2026-11-16T04:38:16.844Z', null, '26ee5f5db7a91f0a62aa0e97769c3a5abc8ab402bbb7340f736dd3c4e403fbbb');
insert into interlingua_sessions (key, tenant, id, title, search, labels, parameters, created_at, updated_at, expires_at, checksum) values ('s_01a1e2a6125074cde3639557', 'default', 'fork', 'Golden', 'golden
fork', ' a%20b %C3%A4 ', '{"n":1}', '2026-11-16T04:38:16.912Z', '2026-11-16T04:38:17.034Z', null, 'fc26ff151a976cc0a446c4e5992ff0882c9bc2b296e7c1bebe97177988bb26ad');
