import { InterlinguaError } from '../../errors.ts'
import type { SqlExecutor, SqlDriver } from './sql-driver.ts'

/**
 * The statements that migrate a database from each version to the next; versions start at 1. Never change a
 * released one: databases of that version exist. `TEXT` and `BYTES` are replaced by the driver's types.
 */
export const MIGRATIONS: readonly (readonly string[])[] = [
  [
    `create table interlingua_sessions (
      key TEXT primary key,
      tenant TEXT not null,
      id TEXT not null,
      title TEXT not null,
      search TEXT not null,
      labels TEXT not null,
      parameters TEXT not null,
      created_at TEXT not null,
      updated_at TEXT not null,
      expires_at TEXT,
      checksum TEXT not null,
      unique (tenant, id)
    )`,
    `create index interlingua_sessions_recent on interlingua_sessions (tenant, updated_at, key)`,
    `create table interlingua_sections (
      session TEXT not null,
      name TEXT not null,
      position integer not null,
      fork_point TEXT,
      fork_owner TEXT,
      lineage TEXT not null,
      head TEXT,
      checksum TEXT not null,
      primary key (session, name)
    )`,
    `create index interlingua_sections_fork_owner on interlingua_sections (fork_owner) where fork_owner is not null`,
    `create table interlingua_messages (
      key TEXT primary key,
      tenant TEXT not null,
      session TEXT not null,
      section TEXT not null,
      id TEXT not null,
      parent TEXT not null,
      depth integer not null,
      hash TEXT not null,
      checksum TEXT not null,
      body TEXT not null,
      provider TEXT,
      model TEXT,
      day TEXT,
      input_tokens bigint,
      output_tokens bigint,
      total_tokens bigint,
      cached_input_tokens bigint,
      cache_write_tokens bigint,
      reasoning_tokens bigint,
      unique (session, id)
    )`,
    `create index interlingua_messages_tree on interlingua_messages (session, depth, parent, key)`,
    `create index interlingua_messages_usage on interlingua_messages (tenant, day, key) where day is not null`,
    `create table interlingua_labels (
      session TEXT not null,
      message TEXT not null,
      label TEXT not null,
      checksum TEXT not null,
      primary key (session, message, label)
    )`,
    `create table interlingua_removals (
      session TEXT primary key,
      removable_at_ms bigint not null
    )`,
    `create index interlingua_removals_due on interlingua_removals (removable_at_ms)`,
    `create table interlingua_leases (
      session TEXT primary key,
      token TEXT not null,
      holder TEXT not null,
      acquired_at_ms bigint not null,
      expires_at_ms bigint not null,
      is_release_requested integer not null
    )`,
    `create table interlingua_streams (
      id TEXT primary key,
      tenant TEXT not null,
      topic TEXT not null,
      position integer not null,
      holder TEXT not null,
      status TEXT not null,
      code TEXT,
      first_event integer not null,
      last_event integer not null,
      is_stop_requested integer not null,
      data_key TEXT,
      lease_expires_at_ms bigint not null,
      expires_at_ms bigint not null,
      unique (tenant, topic, position)
    )`,
    `create index interlingua_streams_expiry on interlingua_streams (expires_at_ms)`,
    `create table interlingua_stream_batches (
      stream TEXT not null,
      first_event integer not null,
      last_event integer not null,
      body TEXT not null,
      primary key (stream, last_event)
    )`,
    `create table interlingua_memory_tenants (
      tenant TEXT primary key,
      memory_count integer not null
    )`,
    `create table interlingua_memories (
      tenant TEXT not null,
      key TEXT not null,
      body TEXT not null,
      created_at TEXT not null,
      updated_at TEXT not null,
      expires_at TEXT,
      vector_model TEXT,
      dimensions integer,
      vector BYTES,
      primary key (tenant, key)
    )`,
    `create index interlingua_memories_created on interlingua_memories (tenant, created_at, key)`,
    `create index interlingua_memories_vectors
      on interlingua_memories (tenant, vector_model, dimensions, created_at, key) where vector_model is not null`,
    `create index interlingua_memories_expiry
      on interlingua_memories (expires_at, tenant) where expires_at is not null`,
  ],
]

/** Options of a storage that has tables. */
export interface MigrationOptions {
  /**
   * If false, tables are neither created nor changed, and a database of another version is refused. An up-to-date
   * database is opened without changes either way, so a role that may only read can open it. Default: true.
   */
  readonly migrate?: boolean
}

/** Checks the version of a database and migrates an older one; throws if a newer interlingua created it. */
export async function prepareDatabase(
  driver: SqlDriver,
  migrate = true,
  migrations: typeof MIGRATIONS = MIGRATIONS,
): Promise<void> {
  const found = await driver.read((sql) => readVersion(driver, sql))
  if (found > migrations.length) throw newerDatabaseVersion(found, migrations.length)
  if (found === migrations.length) return
  if (!migrate) throw olderDatabaseVersion(found, migrations.length)
  await driver.migrate(async (sql) => {
    const version = await readVersion(driver, sql)
    if (version === 0)
      await sql('create table if not exists interlingua_migrations (version integer primary key)')
    for (const [index, statements] of migrations.entries()) {
      if (index < version) continue
      for (const statement of statements)
        await sql(statement.replaceAll('TEXT', driver.textType).replaceAll('BYTES', driver.bytesType))
      await sql('insert into interlingua_migrations (version) values (?)', [index + 1])
    }
  })
}

/** Returns the version of a database; 0 if it has no tables. */
async function readVersion(driver: SqlDriver, sql: SqlExecutor): Promise<number> {
  const [table] = await sql(driver.tableQuery, ['interlingua_migrations'])
  if (table === undefined) return 0
  const [row] = await sql('select max(version) as version from interlingua_migrations')
  return Number(row?.['version'] ?? 0)
}

function newerDatabaseVersion(found: number, newest: number): InterlinguaError {
  return new InterlinguaError('unsupported-version', `The database has the unsupported version ${found}`, {
    found: `version ${found}`,
    expected: `version ${newest} or older`,
    hint: 'A newer version of interlingua created the database; update the package.',
  })
}

function olderDatabaseVersion(found: number, newest: number): InterlinguaError {
  return new InterlinguaError('unsupported-version', 'The database is not migrated, and `migrate` is false', {
    found: found === 0 ? 'no tables' : `version ${found}`,
    expected: `version ${newest}`,
    hint: 'Run `interlingua store migrate` with a role that may create tables.',
  })
}
