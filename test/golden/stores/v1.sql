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
insert into interlingua_labels (session, message, label, checksum) values ('s_01a1e4320dd852f9b5405084', 'msg_01a1e4320dde1d752670bcec', 'good', '48211f136e870bbf4ceddd2ecac7e1845bbd216ab80e927e1d6614a3d528c6cf');
insert into interlingua_memories (tenant, key, body, created_at, updated_at, expires_at, vector_model, dimensions, vector) values ('default', 'units', '{"metadata":{"topic":"units"},"text":"Prefers metric units","value":{"system":"SI"}}', '2026-11-15T10:07:02.776Z', '2026-11-15T10:07:02.776Z', '2999-01-01T00:00:00.000Z', 'm', '2',  E'\\x9a99193fcdcc4c3f');
insert into interlingua_memory_tenants (tenant, memory_count) values ('default', '1');
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e4320de32cfbaa14e31f', 'default', 's_01a1e4320dd852f9b5405084', 'messages', 'msg_01a1e4320dde1d752670bcec', null, '1', '89dc1ff84e2605fc397219d02bc82a6029b52fe9b7d77075bdea4825bccc0c29', '95af59432c1f4a2f92fc446e7e3c6ccba537446b04224826b46ab1f7ce85fbce', '{"interlingua":1,"message":{"id":"msg_01a1e4320dde1d752670bcec","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Q"}]}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e4320de32cfbaa14e320', 'default', 's_01a1e4320dd852f9b5405084', 'messages', 'msg_01a1e4320ddfa03fe89f2efa', 'm_01a1e4320de32cfbaa14e31f', '2', 'c3396b23e1dd71b5e48de35c5bbb3ff080bec5f18641c314744100ae5c6fb22e', '2a2f408c8f968e347d9ae812042ad15c6dc28548bbad4043afe53d0436502cfb', '{"interlingua":1,"message":{"id":"msg_01a1e4320ddfa03fe89f2efa","createdAt":"2026-11-15T10:07:02.776Z","origin":{"dialect":"anthropic","provider":"anthropic","model":"m"},"usage":{"inputTokens":5,"outputTokens":2,"totalTokens":7,"cachedInputTokens":3},"role":"assistant","content":[{"type":"text","text":"A1"}],"parentId":"msg_01a1e4320dde1d752670bcec"}}', 'anthropic', 'm', '2026-11-15', '5', '2', '7', '3', null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e4320deda2d88101beee', 'default', 's_01a1e4320dd852f9b5405084', 'messages', 'msg_01a1e4320ddfa03fe89f2efb', 'm_01a1e4320de32cfbaa14e320', '3', '0cce216529ac83bee86ea01b79abedb08994423fb8aeea75833d1a0e7fe09bd7', 'b4a2da04ef01e8d1fb450f249f5986b1880d70cd3e50abb8ba907fca57a852e4', '{"interlingua":1,"message":{"id":"msg_01a1e4320ddfa03fe89f2efb","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Q2"}],"parentId":"msg_01a1e4320ddfa03fe89f2efa"}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e4320e216e819e756790', 'default', 's_01a1e4320dd852f9b5405084', 'notes', 'msg_01a1e4320e1c3aca6fa666ce', null, '1', 'b042b41c22c8af4d1878b49a887e7ac2c23b9cf69a359f37b074ea4df9ddfb8d', '13177b3cb066ea013b1b48177bd3eef6eec9d8e43cc607f9186c55e44e97ab3c', '{"interlingua":1,"message":{"id":"msg_01a1e4320e1c3aca6fa666ce","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Note"}]}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e4320e91625ea7882e17', 'default', 's_01a1e4320e46a75f61797c8e', 'messages', 'msg_01a1e4320e654336cd564169', 'm_01a1e4320de32cfbaa14e31f', '2', '389787f93da19e31d5952556bf90844fba13bad541b181107366299d6c7487c9', '23fa2af2343a3da6cbbd9081e678c3494ca0509912ad0810c20c22578f39fd3b', '{"interlingua":1,"message":{"id":"msg_01a1e4320e654336cd564169","createdAt":"2026-11-15T10:07:02.776Z","origin":{"dialect":"anthropic","provider":"anthropic","model":"m"},"usage":{"inputTokens":5,"outputTokens":2,"totalTokens":7,"cachedInputTokens":3},"role":"assistant","content":[{"type":"text","text":"A2"}],"parentId":"msg_01a1e4320dde1d752670bcec"}}', 'anthropic', 'm', '2026-11-15', '5', '2', '7', '3', null, null);
insert into interlingua_migrations (version) values ('1');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e4320dd852f9b5405084', 'messages', '0', null, null, '', 'm_01a1e4320deda2d88101beee', '8c01869c7381c66743fcf93cbdfda08cf0f61ec7fe0951a68622f419a1b5c0a7');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e4320dd852f9b5405084', 'notes', '1', null, null, '', 'm_01a1e4320e216e819e756790', 'b68bec76ecfd7713bfb225cb1d86327c88d75842219a887abd238dd5a8981b91');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e4320e46a75f61797c8e', 'notes', '1', 'm_01a1e4320e216e819e756790', 's_01a1e4320dd852f9b5405084', 's_01a1e4320dd852f9b5405084', 'm_01a1e4320e216e819e756790', '634b52a6d926e00d26b6ba06eed1cb1f967dfadf9d09961159434bb297e63407');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e4320e46a75f61797c8e', 'messages', '0', 'm_01a1e4320de32cfbaa14e31f', 's_01a1e4320dd852f9b5405084', 's_01a1e4320dd852f9b5405084', 'm_01a1e4320e91625ea7882e17', '2021f4647fe7d29a367c65c1b52fe9581f5b350881cb9aa6bcee9f1f0d782d0c');
insert into interlingua_sessions (key, tenant, id, title, search, labels, parameters, created_at, updated_at, expires_at, checksum) values ('s_01a1e4320dd852f9b5405084', 'default', 'golden', 'Golden', 'golden
golden', ' a%20b %C3%A4 ', '{"n":1}', '2026-11-16T11:50:48.024Z', '2026-11-16T11:50:48.097Z', null, 'fe065fa5a96f344cd6617a8b08f2e178cd06b4e94b21d6a662ffb1564d2bee85');
insert into interlingua_sessions (key, tenant, id, title, search, labels, parameters, created_at, updated_at, expires_at, checksum) values ('s_01a1e4320e46a75f61797c8e', 'default', 'fork', 'Golden', 'golden
fork', ' a%20b %C3%A4 ', '{"n":1}', '2026-11-16T11:50:48.134Z', '2026-11-16T11:50:48.209Z', null, '9992bc6dee30b51fac36abd2ecc88ffa46d2e44396f3ee2eef7e270babffb52d');
