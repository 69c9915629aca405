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
      parent text collate "C" not null,
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
create index interlingua_messages_tree on interlingua_messages (session, depth, parent, key);
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
create table interlingua_streams (
      id text collate "C" primary key,
      tenant text collate "C" not null,
      topic text collate "C" not null,
      position integer not null,
      holder text collate "C" not null,
      status text collate "C" not null,
      code text collate "C",
      first_event integer not null,
      last_event integer not null,
      is_stop_requested integer not null,
      data_key text collate "C",
      lease_expires_at_ms bigint not null,
      expires_at_ms bigint not null,
      unique (tenant, topic, position)
    );
create index interlingua_streams_expiry on interlingua_streams (expires_at_ms);
create table interlingua_stream_batches (
      stream text collate "C" not null,
      first_event integer not null,
      last_event integer not null,
      body text collate "C" not null,
      primary key (stream, last_event)
    );
create table interlingua_memory_tenants (
      tenant text collate "C" primary key,
      memory_count integer not null
    );
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
create index interlingua_memories_expiry
      on interlingua_memories (expires_at, tenant) where expires_at is not null;
insert into interlingua_labels (session, message, label, checksum) values ('s_01a1e56eded76aea2878195e', 'msg_01a1e56ededb4f3319eabd06', 'good', '57f6820afc55f6d13f8be6f21dc8b7496479684def6f4c1d6ccc6c925619e703');
insert into interlingua_memories (tenant, key, body, created_at, updated_at, expires_at, vector_model, dimensions, vector) values ('default', 'units', '{"metadata":{"topic":"units"},"text":"Prefers metric units","value":{"system":"SI"}}', '2026-11-15T10:07:02.776Z', '2026-11-15T10:07:02.776Z', '2999-01-01T00:00:00.000Z', 'm', '2',  E'\\x9a99193fcdcc4c3f');
insert into interlingua_memory_tenants (tenant, memory_count) values ('default', '1');
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e56ededf174dd56bddf3', 'default', 's_01a1e56eded76aea2878195e', 'messages', 'msg_01a1e56ededb4f3319eabd06', '', '1', '89dc1ff84e2605fc397219d02bc82a6029b52fe9b7d77075bdea4825bccc0c29', 'b0412659bdebbc86185bac285ea6d488975ecef3716af09c6c97fc375b993693', '{"interlingua":1,"message":{"id":"msg_01a1e56ededb4f3319eabd06","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Q"}]}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e56ededf1c8c85afc0c7', 'default', 's_01a1e56eded76aea2878195e', 'messages', 'msg_01a1e56ededb4f3319eabd07', 'm_01a1e56ededf174dd56bddf3', '2', 'c3396b23e1dd71b5e48de35c5bbb3ff080bec5f18641c314744100ae5c6fb22e', '3ed76fa94c56bcb15126536e35772904df7e30893173e305c4cb8402e8ee2312', '{"interlingua":1,"message":{"id":"msg_01a1e56ededb4f3319eabd07","createdAt":"2026-11-15T10:07:02.776Z","origin":{"dialect":"anthropic","provider":"anthropic","model":"m"},"usage":{"inputTokens":5,"outputTokens":2,"totalTokens":7,"cachedInputTokens":3},"role":"assistant","content":[{"type":"text","text":"A1"}],"parentId":"msg_01a1e56ededb4f3319eabd06"}}', 'anthropic', 'm', '2026-11-15', '5', '2', '7', '3', null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e56ededfaf6f9f25b69a', 'default', 's_01a1e56eded76aea2878195e', 'messages', 'msg_01a1e56ededb4f3319eabd08', 'm_01a1e56ededf1c8c85afc0c7', '3', '0cce216529ac83bee86ea01b79abedb08994423fb8aeea75833d1a0e7fe09bd7', '077ed29c82b508d25cdd29ceb1fe4abb67e841bd37aed8d74d37e08ecc797c11', '{"interlingua":1,"message":{"id":"msg_01a1e56ededb4f3319eabd08","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Q2"}],"parentId":"msg_01a1e56ededb4f3319eabd07"}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e56edee5f1e8e84a90f5', 'default', 's_01a1e56eded76aea2878195e', 'notes', 'msg_01a1e56edee1766aafedfdff', '', '1', 'b042b41c22c8af4d1878b49a887e7ac2c23b9cf69a359f37b074ea4df9ddfb8d', '818f8c3a99508c956989d997b560c8410d5851ae2e01bf359aa8e757845be830', '{"interlingua":1,"message":{"id":"msg_01a1e56edee1766aafedfdff","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Note"}]}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e56edf19ec55765742c2', 'default', 's_01a1e56edefc40f6816062b9', 'messages', 'msg_01a1e56edf151d8e7b60a6e6', 'm_01a1e56ededf174dd56bddf3', '2', '389787f93da19e31d5952556bf90844fba13bad541b181107366299d6c7487c9', '255665b24d0a67c0f4830b25759a5072d83bfd8f4816c48716926a7037f1977e', '{"interlingua":1,"message":{"id":"msg_01a1e56edf151d8e7b60a6e6","createdAt":"2026-11-15T10:07:02.776Z","origin":{"dialect":"anthropic","provider":"anthropic","model":"m"},"usage":{"inputTokens":5,"outputTokens":2,"totalTokens":7,"cachedInputTokens":3},"role":"assistant","content":[{"type":"text","text":"A2"}],"parentId":"msg_01a1e56ededb4f3319eabd06"}}', 'anthropic', 'm', '2026-11-15', '5', '2', '7', '3', null, null);
insert into interlingua_migrations (version) values ('1');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e56eded76aea2878195e', 'messages', '0', null, null, '', 'm_01a1e56ededfaf6f9f25b69a', '2db44e04de9ea9cd03ed277e2f68bfc11f22df0aa92b412e4e215d334b2cb96f');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e56eded76aea2878195e', 'notes', '1', null, null, '', 'm_01a1e56edee5f1e8e84a90f5', '692055fe836e1e43e80267085ec408e2d85fe19f4ba68ac7a526de6e3c2015ef');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e56edefc40f6816062b9', 'notes', '1', 'm_01a1e56edee5f1e8e84a90f5', 's_01a1e56eded76aea2878195e', 's_01a1e56eded76aea2878195e', 'm_01a1e56edee5f1e8e84a90f5', '45ab5641ae83b34c24636c6aa093dd3219ced00bd3c44cdb301c6c16029db20b');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e56edefc40f6816062b9', 'messages', '0', 'm_01a1e56ededf174dd56bddf3', 's_01a1e56eded76aea2878195e', 's_01a1e56eded76aea2878195e', 'm_01a1e56edf19ec55765742c2', 'b4f8927c67354784818242cce3979c5af5429fc5a9e377a15227cf682acf37df');
insert into interlingua_sessions (key, tenant, id, title, search, labels, parameters, created_at, updated_at, expires_at, checksum) values ('s_01a1e56eded76aea2878195e', 'default', 'golden', 'Golden', 'golden
golden', ' a%20b %C3%A4 ', '{"n":1}', '2026-11-16T17:36:50.903Z', '2026-11-16T17:36:50.917Z', null, '1e96b25f57a8406685f149757a82af3b76f5f361151e8d67dff39d1dcaa9b685');
insert into interlingua_sessions (key, tenant, id, title, search, labels, parameters, created_at, updated_at, expires_at, checksum) values ('s_01a1e56edefc40f6816062b9', 'default', 'fork', 'Golden', 'golden
fork', ' a%20b %C3%A4 ', '{"n":1}', '2026-11-16T17:36:50.940Z', '2026-11-16T17:36:50.969Z', null, '58736f5deac9ea1b7ca07c26a955adcfefdfbef1ad12dc5aeeea56157d3dd96b');
