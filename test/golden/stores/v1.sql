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
insert into interlingua_labels (session, message, label) values ('s_01a1e26febb91de2738533c5', 'msg_01a1e26febbd342cbbf29b6a', 'good');
insert into interlingua_messages (key, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e26febc26a857c87bad5', 's_01a1e26febb91de2738533c5', 'messages', 'msg_01a1e26febbd342cbbf29b6a', null, '1', '89dc1ff84e2605fc397219d02bc82a6029b52fe9b7d77075bdea4825bccc0c29', '609063f463cdfcf73301a74df8a4a96028dd4a8a10feec3301ca1155c09aac2e', '{"interlingua":1,"message":{"id":"msg_01a1e26febbd342cbbf29b6a","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Q"}]}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e26febc2f315ca3b9569', 's_01a1e26febb91de2738533c5', 'messages', 'msg_01a1e26febbeab5f290250bf', 'm_01a1e26febc26a857c87bad5', '2', 'c3396b23e1dd71b5e48de35c5bbb3ff080bec5f18641c314744100ae5c6fb22e', 'e36570f6738f6256b558d8589fc0b9169f05a8f54eb6896fb80177b35360c467', '{"interlingua":1,"message":{"id":"msg_01a1e26febbeab5f290250bf","createdAt":"2026-11-15T10:07:02.776Z","origin":{"dialect":"anthropic","provider":"anthropic","model":"m"},"usage":{"inputTokens":5,"outputTokens":2,"totalTokens":7,"cachedInputTokens":3},"role":"assistant","content":[{"type":"text","text":"A1"}],"parentId":"msg_01a1e26febbd342cbbf29b6a"}}', 'anthropic', 'm', '2026-11-15', '5', '2', '7', '3', null, null);
insert into interlingua_messages (key, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e26febc3245d7c736628', 's_01a1e26febb91de2738533c5', 'messages', 'msg_01a1e26febbead3648632965', 'm_01a1e26febc2f315ca3b9569', '3', '0cce216529ac83bee86ea01b79abedb08994423fb8aeea75833d1a0e7fe09bd7', '15e4a4aec95b6b0c5709d464a391bbb81df75a8647d75540274c8b0f536dfe1b', '{"interlingua":1,"message":{"id":"msg_01a1e26febbead3648632965","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Q2"}],"parentId":"msg_01a1e26febbeab5f290250bf"}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e26febe910e2583d3b43', 's_01a1e26febb91de2738533c5', 'notes', 'msg_01a1e26febd937673696f818', null, '1', 'b042b41c22c8af4d1878b49a887e7ac2c23b9cf69a359f37b074ea4df9ddfb8d', 'ada0dbcba8865b103a834f13541e6a2b31a14b65cefbf1ea341ff3dfb6c5ed10', '{"interlingua":1,"message":{"id":"msg_01a1e26febd937673696f818","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Note"}]}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e26fec02a2cab37e0b0d', 's_01a1e26febfbbdbef5e2e446', 'messages', 'msg_01a1e26febffb7bacd014c2c', 'm_01a1e26febc26a857c87bad5', '2', '389787f93da19e31d5952556bf90844fba13bad541b181107366299d6c7487c9', '0b7650274af190fa8a01781ec1343166aa315694e4d581ebe62cd53dad600d11', '{"interlingua":1,"message":{"id":"msg_01a1e26febffb7bacd014c2c","createdAt":"2026-11-15T10:07:02.776Z","origin":{"dialect":"anthropic","provider":"anthropic","model":"m"},"usage":{"inputTokens":5,"outputTokens":2,"totalTokens":7,"cachedInputTokens":3},"role":"assistant","content":[{"type":"text","text":"A2"}],"parentId":"msg_01a1e26febbd342cbbf29b6a"}}', 'anthropic', 'm', '2026-11-15', '5', '2', '7', '3', null, null);
insert into interlingua_migrations (version) values ('1');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head) values ('s_01a1e26febb91de2738533c5', 'messages', '0', null, null, '', 'm_01a1e26febc3245d7c736628');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head) values ('s_01a1e26febb91de2738533c5', 'notes', '1', null, null, '', 'm_01a1e26febe910e2583d3b43');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head) values ('s_01a1e26febfbbdbef5e2e446', 'notes', '1', 'm_01a1e26febe910e2583d3b43', 's_01a1e26febb91de2738533c5', 's_01a1e26febb91de2738533c5', 'm_01a1e26febe910e2583d3b43');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head) values ('s_01a1e26febfbbdbef5e2e446', 'messages', '0', 'm_01a1e26febc26a857c87bad5', 's_01a1e26febb91de2738533c5', 's_01a1e26febb91de2738533c5', 'm_01a1e26fec02a2cab37e0b0d');
insert into interlingua_sessions (key, tenant, id, title, search, labels, parameters, created_at, updated_at) values ('s_01a1e26febb91de2738533c5', 'default', 'golden', 'Golden', 'golden
golden', ' a%20b %C3%A4 ', '{"n":1}', '2026-11-16T03:39:08.089Z', '2026-11-16T03:39:08.138Z');
insert into interlingua_sessions (key, tenant, id, title, search, labels, parameters, created_at, updated_at) values ('s_01a1e26febfbbdbef5e2e446', 'default', 'fork', 'Golden', 'golden
fork', ' a%20b %C3%A4 ', '{"n":1}', '2026-11-16T03:39:08.155Z', '2026-11-16T03:39:08.163Z');
