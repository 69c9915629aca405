import { checkSource, isNamedFile, openOwnDatabase } from '../../stores/sqlite/open-sqlite-driver.ts'
import { readOptions } from '../../wire/check-options.ts'
import { describeSqliteFile, type SqliteDatabase } from '../../stores/sqlite/sqlite-database.ts'
import { SqliteDriver } from '../../stores/sqlite/sqlite-driver.ts'
import { convertSqliteError } from '../../stores/sqlite/sqlite-errors.ts'
import { type MigrationOptions, prepareDatabase } from '../../stores/sql/migrations.ts'
import {
  createMemoryStore,
  MEMORY_STORE_OPTION_NAMES,
  type MemoryStoreOptions,
} from '../create-memory-store.ts'
import type { MemoryStore } from '../memory-store.ts'
import { SqlMemoryRows } from '../sql/sql-memory-rows.ts'
import { InterlinguaError } from '../../errors.ts'
import { loadOptionalPackage } from '../../wire/load-modules.ts'
import type { SqlSimilarity } from '../sql/compare-vectors.ts'

/** A database that can load extensions, as that of `node:sqlite`. */
interface ExtensibleDatabase extends SqliteDatabase {
  enableLoadExtension(allow: boolean): void
  loadExtension(path: string): void
}

/** Rounding error of one 32-bit operation. */
const ROUNDING_ERROR = 2 ** -24

/** The extension computes with 32-bit numbers: each step of the three sums may round, and the quotient, too. */
const SQLITE_VEC_SIMILARITY: SqlSimilarity = {
  expression: '1 - vec_distance_cosine(vector, ?)',
  maxError: (dimensions) => (3 * dimensions + 8) * ROUNDING_ERROR,
}

/**
 * Loads the extension `sqlite-vec` into a database that was opened with `allowExtension`. Afterwards, no further
 * extension can be loaded.
 */
async function loadSqliteVec(database: SqliteDatabase): Promise<void> {
  const extensible = database as ExtensibleDatabase
  try {
    const { getLoadablePath } = await loadOptionalPackage('sqlite-vec', () => import('sqlite-vec'))
    extensible.enableLoadExtension(true)
    extensible.loadExtension(getLoadablePath())
  } catch (cause) {
    if (cause instanceof InterlinguaError) throw cause
    throw new InterlinguaError('unsupported', 'The SQLite extension sqlite-vec cannot be loaded', {
      hint: 'Omit `useSqliteVec`: vectors are then compared in JavaScript. See `cause`.',
      cause,
    })
  } finally {
    extensible.enableLoadExtension(false)
  }
}

/** Returns the similarity of `sqlite-vec` if it is loaded. */
function findSqliteVec(database: SqliteDatabase): SqlSimilarity | undefined {
  try {
    database.prepare('select vec_version()').all()
    return SQLITE_VEC_SIMILARITY
  } catch {
    return undefined // no such function
  }
}

export type { SqliteDatabase }

/** Options of {@link sqliteMemory}. */
export interface SqliteMemoryOptions extends MemoryStoreOptions, MigrationOptions {
  /** Milliseconds to wait for a write of another process. Default: 10,000. */
  readonly busyTimeoutMs?: number
  /**
   * True to compare vectors with the package `sqlite-vec`, and to fail without it; false to compare them in JavaScript.
   * The hits are the same. Default: the package if it is installed. An open database uses it if it is loaded.
   */
  readonly useSqliteVec?: boolean
}

/** A memory store in a SQLite database. */
export interface SqliteMemory extends MemoryStore {
  /** True if `sqlite-vec` compares the vectors. */
  readonly usesSqliteVec: boolean
  /**
   * Erases deleted memories from the file and its log, and frees their space. Rewrites the whole file; fails with
   * `conflict` if another process uses the database.
   */
  maintain(): Promise<void>
}

/**
 * Opens a memory store in a SQLite file: that of the conversations, or another one. Accepts a path, or an open database
 * with the interface of `node:sqlite`.
 *
 * @example
 * const memory = await sqliteMemory('chat.db')
 */
export async function sqliteMemory(
  pathOrDatabase: string | SqliteDatabase,
  memoryOptions: SqliteMemoryOptions = {},
): Promise<SqliteMemory> {
  const {
    busyTimeoutMs = 10_000,
    migrate,
    useSqliteVec,
    ...options
  } = readOptions('sqliteMemory()', memoryOptions, {
    ...MEMORY_STORE_OPTION_NAMES,
    migrate: Boolean,
    busyTimeoutMs: true,
    useSqliteVec: Boolean,
  })
  checkSource(pathOrDatabase, busyTimeoutMs)
  const path = typeof pathOrDatabase === 'string' ? pathOrDatabase : undefined
  let database: SqliteDatabase | undefined
  try {
    database =
      typeof pathOrDatabase === 'string'
        ? await openOwnDatabase(pathOrDatabase, { allowExtension: useSqliteVec !== false })
        : pathOrDatabase
    if (path !== undefined && useSqliteVec !== false) {
      const loading = loadSqliteVec(database)
      // Without the option, the extension is a matter of speed.
      await (useSqliteVec === true ? loading : loading.catch(() => undefined))
    }
    const file = path !== undefined && isNamedFile(path) ? describeSqliteFile(path) : undefined
    const driver = new SqliteDriver(database, busyTimeoutMs, file)
    await prepareDatabase(driver, migrate)
    const similarity = useSqliteVec === false ? undefined : findSqliteVec(database)
    const store = createMemoryStore(new SqlMemoryRows(driver, similarity), options)
    const usesSqliteVec = similarity !== undefined
    return Object.freeze({ ...store, usesSqliteVec, maintain: () => driver.maintain() })
  } catch (error) {
    database?.close()
    throw convertSqliteError(error, path)
  }
}
