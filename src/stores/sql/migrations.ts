import { InterlinguaError } from '../../errors.ts'
import type { SqlExecutor, SqlDriver } from './sql-driver.ts'

/**
 * The statements that migrate a database from each version to the next; versions start at 1. Never change a
 * released one: databases of that version exist. `TEXT` is replaced by the driver's text type.
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
    `create index interlingua_sections_fork_owner on interlingua_sections (fork_owner)`,
    `create table interlingua_messages (
      key TEXT primary key,
      session TEXT not null,
      section TEXT not null,
      id TEXT not null,
      parent TEXT,
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
    `create index interlingua_messages_hash on interlingua_messages (session, section, hash)`,
    `create index interlingua_messages_parent on interlingua_messages (parent)`,
    `create index interlingua_messages_depth on interlingua_messages (session, depth, key)`,
    `create table interlingua_labels (
      session TEXT not null,
      message TEXT not null,
      label TEXT not null,
      checksum TEXT not null,
      primary key (session, message, label)
    )`,
  ],
]

/** Migrates a database to the newest version; throws if a newer interlingua created it. */
export function migrateDatabase(
  driver: SqlDriver,
  migrations: typeof MIGRATIONS = MIGRATIONS,
): Promise<void> {
  return driver.write(async (sql) => {
    await driver.lockMigrations(sql)
    await sql('create table if not exists interlingua_migrations (version integer primary key)')
    const version = await readVersion(sql)
    if (version > migrations.length) throw unsupportedDatabaseVersion(version, migrations.length)
    for (const [index, statements] of migrations.entries()) {
      if (index < version) continue
      for (const statement of statements) await sql(statement.replaceAll('TEXT', driver.textType))
      await sql('insert into interlingua_migrations (version) values (?)', [index + 1])
    }
  })
}

async function readVersion(sql: SqlExecutor): Promise<number> {
  const [row] = await sql('select max(version) as version from interlingua_migrations')
  return Number(row?.['version'] ?? 0)
}

function unsupportedDatabaseVersion(found: number, newest: number): InterlinguaError {
  return new InterlinguaError('unsupported-version', `The database has the unsupported version ${found}`, {
    found: `version ${found}`,
    expected: `version ${newest} or older`,
    hint: 'A newer version of interlingua created the database; update the package.',
  })
}
