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
insert into interlingua_labels (session, message, label, checksum) values ('s_01a1e365d4e11404ea086590', 'msg_01a1e365d4e819a0f51a664b', 'good', '6973ffe51b995d24970a2642b9408d9cc94128e4d54e51c6de9a82ad449d5248');
insert into interlingua_memories (tenant, key, body, created_at, updated_at, expires_at, vector_model, dimensions, vector) values ('default', 'units', '{"metadata":{"topic":"units"},"text":"Prefers metric units","value":{"system":"SI"}}', '2026-11-15T10:07:02.776Z', '2026-11-15T10:07:02.776Z', '2999-01-01T00:00:00.000Z', 'm', '2',  E'\\x9a99193fcdcc4c3f');
insert into interlingua_memory_tenants (tenant, memory_count) values ('default', '1');
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e365d4f017efa79791c1', 'default', 's_01a1e365d4e11404ea086590', 'messages', 'msg_01a1e365d4e819a0f51a664b', null, '1', '89dc1ff84e2605fc397219d02bc82a6029b52fe9b7d77075bdea4825bccc0c29', '5b9a536f9cf65de39e9e6bf8a4404cd6885ad4388aa6061fce3519e64929e841', '{"interlingua":1,"message":{"id":"msg_01a1e365d4e819a0f51a664b","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Q"}]}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e365d4f0c7be91c29156', 'default', 's_01a1e365d4e11404ea086590', 'messages', 'msg_01a1e365d4e89db68921cda5', 'm_01a1e365d4f017efa79791c1', '2', 'c3396b23e1dd71b5e48de35c5bbb3ff080bec5f18641c314744100ae5c6fb22e', '5f54cc34ebb86d9f4655363d59109a01bb914ef08fba2eec3184576d1fa2b1b4', '{"interlingua":1,"message":{"id":"msg_01a1e365d4e89db68921cda5","createdAt":"2026-11-15T10:07:02.776Z","origin":{"dialect":"anthropic","provider":"anthropic","model":"m"},"usage":{"inputTokens":5,"outputTokens":2,"totalTokens":7,"cachedInputTokens":3},"role":"assistant","content":[{"type":"text","text":"A1"}],"parentId":"msg_01a1e365d4e819a0f51a664b"}}', 'anthropic', 'm', '2026-11-15', '5', '2', '7', '3', null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e365d4f0ed52124563d0', 'default', 's_01a1e365d4e11404ea086590', 'messages', 'msg_01a1e365d4e8c24a46508822', 'm_01a1e365d4f0c7be91c29156', '3', '0cce216529ac83bee86ea01b79abedb08994423fb8aeea75833d1a0e7fe09bd7', 'fedc36fc278c9aa751ad0d747f9acca91c6837a64ab8012bba6ba5663ff69687', '{"interlingua":1,"message":{"id":"msg_01a1e365d4e8c24a46508822","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Q2"}],"parentId":"msg_01a1e365d4e89db68921cda5"}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e365d4f5c60db680a575', 'default', 's_01a1e365d4e11404ea086590', 'notes', 'msg_01a1e365d4f3b5c100188212', null, '1', 'b042b41c22c8af4d1878b49a887e7ac2c23b9cf69a359f37b074ea4df9ddfb8d', 'a38b863dfd9538355a5819b80ce14a1736412e6d09c16968a98b9e0ec925db14', '{"interlingua":1,"message":{"id":"msg_01a1e365d4f3b5c100188212","createdAt":"2026-11-15T10:07:02.776Z","role":"user","content":[{"type":"text","text":"Note"}]}}', null, null, null, null, null, null, null, null, null);
insert into interlingua_messages (key, tenant, session, section, id, parent, depth, hash, checksum, body, provider, model, day, input_tokens, output_tokens, total_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens) values ('m_01a1e365d511178ecd674d6c', 'default', 's_01a1e365d509e38552d0bbc8', 'messages', 'msg_01a1e365d50cb3681b69c625', 'm_01a1e365d4f017efa79791c1', '2', '389787f93da19e31d5952556bf90844fba13bad541b181107366299d6c7487c9', 'f3e928159a445e663cd49d794d760b9a88d611b06cf351b533540383c02f9bad', '{"interlingua":1,"message":{"id":"msg_01a1e365d50cb3681b69c625","createdAt":"2026-11-15T10:07:02.776Z","origin":{"dialect":"anthropic","provider":"anthropic","model":"m"},"usage":{"inputTokens":5,"outputTokens":2,"totalTokens":7,"cachedInputTokens":3},"role":"assistant","content":[{"type":"text","text":"A2"}],"parentId":"msg_01a1e365d4e819a0f51a664b"}}', 'anthropic', 'm', '2026-11-15', '5', '2', '7', '3', null, null);
insert into interlingua_migrations (version) values ('1');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e365d4e11404ea086590', 'messages', '0', null, null, '', 'm_01a1e365d4f0ed52124563d0', '5af685e7bbb81a426babb33dc534dd585ec93be6d117af45118e4bc553386a45');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e365d4e11404ea086590', 'notes', '1', null, null, '', 'm_01a1e365d4f5c60db680a575', '295b9526c958b2796012d26c964351eebc704a81d9155376ea7353b7b595fef4');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e365d509e38552d0bbc8', 'notes', '1', 'm_01a1e365d4f5c60db680a575', 's_01a1e365d4e11404ea086590', 's_01a1e365d4e11404ea086590', 'm_01a1e365d4f5c60db680a575', '240859a9be38ec7b212021f842ee6a7b49d11f4e2e11ee7755676cc1f2e4bb9c');
insert into interlingua_sections (session, name, position, fork_point, fork_owner, lineage, head, checksum) values ('s_01a1e365d509e38552d0bbc8', 'messages', '0', 'm_01a1e365d4f017efa79791c1', 's_01a1e365d4e11404ea086590', 's_01a1e365d4e11404ea086590', 'm_01a1e365d511178ecd674d6c', '75e41576c4852f6feec81d9f640f08a90f7815e1fa477177fe82be0d9f0b9bef');
insert into interlingua_sessions (key, tenant, id, title, search, labels, parameters, created_at, updated_at, expires_at, checksum) values ('s_01a1e365d4e11404ea086590', 'default', 'golden', 'Golden', 'golden
golden', ' a%20b %C3%A4 ', '{"n":1}', '2026-11-16T08:07:44.097Z', '2026-11-16T08:07:44.117Z', null, '6b32bff1a091102584565a66e23d4c5fd962f1b8ee8b8c5f785344c3ae12e03b');
insert into interlingua_sessions (key, tenant, id, title, search, labels, parameters, created_at, updated_at, expires_at, checksum) values ('s_01a1e365d509e38552d0bbc8', 'default', 'fork', 'Golden', 'golden
fork', ' a%20b %C3%A4 ', '{"n":1}', '2026-11-16T08:07:44.137Z', '2026-11-16T08:07:44.145Z', null, 'db849d4cecf6e3bc03df907ebd0b4563068db855560a959bdf6c26563857b0f9');
