import { createRequire } from 'node:module'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { loadOptionalPackage } from '../../wire/load-modules.ts'
import type { SqlValue } from '../sql/sql-driver.ts'
import type { SqliteFile } from './sqlite-worker.ts'

/** The part of `node:sqlite` that is used; any compatible object works. */
export interface SqliteDatabase {
  exec(text: string): unknown
  prepare(text: string): { all(...values: SqlValue[]): unknown[] }
  close(): void
}

/** Version 3.51.3, as SQLite numbers it. Older ones can corrupt a database if two connections write at once. */
const MIN_SAFE_VERSION = 3_051_003

/** True if the SQLite of Node is recent enough; otherwise the package is used. */
const isBuiltInUsed = isSafeVersion(process.versions['sqlite'])

/** Returns what a worker needs to open a file in the same way. */
export function describeSqliteFile(file: string): SqliteFile {
  const { resolve } = createRequire(import.meta.url)
  return { file, module: isBuiltInUsed ? undefined : resolve('@photostructure/sqlite') }
}

/** Options of the constructor of a {@link SqliteDatabase}. */
export interface SqliteOpenOptions {
  /** True if the database may load extensions. Default: false. */
  readonly allowExtension?: boolean
}

/** Opens a file with the SQLite of Node if it is recent enough, otherwise with the package. */
export async function openSqliteDatabase(
  path: string,
  options: SqliteOpenOptions = {},
): Promise<SqliteDatabase> {
  const builtIn = isBuiltInUsed
    ? (process.getBuiltinModule('node:sqlite') as {
        DatabaseSync: new (path: string, options: SqliteOpenOptions) => SqliteDatabase
      })
    : undefined
  const { DatabaseSync } =
    builtIn ?? (await loadOptionalPackage('@photostructure/sqlite@1', () => import('@photostructure/sqlite')))
  return new DatabaseSync(path, options)
}

/** Tests whether a version of SQLite is recent enough for several connections that write. */
export function isSafeVersion(version = '0'): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  return major * 1_000_000 + minor * 1000 + patch >= MIN_SAFE_VERSION
}

/**
 * Collects garbage, unless the SQLite of Node is used. The package cannot finalize a prepared statement, and SQLite keeps the files of a closed database
 * open until its last statement is collected: a file could not be deleted on Windows, and its space would not be freed.
 */
export async function finalizeStatements(): Promise<void> {
  if (isBuiltInUsed) return
  await setImmediate() // the statements may still be on the stack
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
  setFlagsFromString('--no-expose-gc')
  await setImmediate() // finalizers run after the collection
}
