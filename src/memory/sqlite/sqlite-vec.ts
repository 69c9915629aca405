import { InterlinguaError } from '../../errors.ts'
import { loadOptionalPackage } from '../../wire/load-optional-package.ts'
import type { SqliteDatabase } from '../../stores/sqlite/sqlite-database.ts'
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
export async function loadSqliteVec(database: SqliteDatabase): Promise<void> {
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
export function findSqliteVec(database: SqliteDatabase): SqlSimilarity | undefined {
  try {
    database.prepare('select vec_version()').all()
    return SQLITE_VEC_SIMILARITY
  } catch {
    return undefined // no such function
  }
}
