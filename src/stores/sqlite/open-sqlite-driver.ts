import { checkMethods } from '../../wire/check-methods.ts'
import { checkCount, checkDatabasePath } from '../check-arguments.ts'
import { prepareDatabase } from '../sql/migrations.ts'
import {
  describeSqliteFile,
  openSqliteDatabase,
  type SqliteDatabase,
  type SqliteOpenOptions,
} from './sqlite-database.ts'
import { SqliteDriver } from './sqlite-driver.ts'
import { convertSqliteError } from './sqlite-errors.ts'
import { existsSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { createForeignFileError } from '../storage-errors.ts'
import { PRIVATE_FILE_MODE, refuseForeignFile } from '../storage-file.ts'

/** Matches the paths of databases that are not named files: in memory, temporary, or a URI. */
const UNNAMED_PATTERN = /^(:memory:|file:.*)?$/s

/** Tests whether a path is that of a file, which another connection can open, too. */
export function isNamedFile(path: string): boolean {
  return !UNNAMED_PATTERN.test(path)
}

/**
 * Opens a database of this library, or a new one. Rejects if the file is not a database, or if it is one of another
 * program. A missing file is created, readable for its owner only; SQLite gives the files beside it the same permissions.
 */
export async function openOwnDatabase(path: string, options?: SqliteOpenOptions): Promise<SqliteDatabase> {
  if (!isNamedFile(path)) return openSqliteDatabase(path, options)
  if (await refuseForeignFile(path, 'sqlite')) {
    // An immutable database is read without its log, and without creating files beside it.
    const unchanged = await openSqliteDatabase(`${pathToFileURL(path).href}?immutable=1&mode=ro`)
    try {
      refuseForeignTables(unchanged, path)
    } finally {
      unchanged.close()
    }
  }
  const isNew = !existsSync(path)
  const database = await openSqliteDatabase(path, options)
  try {
    if (isNew) await chmod(path, PRIVATE_FILE_MODE)
    database.exec('pragma busy_timeout = 10000')
    refuseForeignTables(database, path) // tables may be in the log only
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

function refuseForeignTables(database: SqliteDatabase, path: string): void {
  const statement = database.prepare(
    `select name from sqlite_schema where name not like 'sqlite^_%' escape '^'`,
  )
  const names = (statement.all() as { readonly name: string }[]).map(({ name }) => name)
  if (names.length > 0 && !names.includes('interlingua_migrations'))
    throw createForeignFileError(path, 'sqlite', 'sqlite')
}

/** Checks what the caller opens. */
export function checkSource(pathOrDatabase: string | SqliteDatabase, busyTimeoutMs: number): void {
  if (busyTimeoutMs !== 0) checkCount(busyTimeoutMs, 'busyTimeoutMs')
  if (typeof pathOrDatabase === 'string') checkDatabasePath(pathOrDatabase)
  else checkMethods(pathOrDatabase, 'database', 'a path or an open database', ['exec', 'prepare', 'close'])
}

/** Opens a database of this library and migrates it; closes it again if that fails. */
export async function openSqliteDriver(
  pathOrDatabase: string | SqliteDatabase,
  busyTimeoutMs: number,
  migrate: boolean | undefined,
): Promise<SqliteDriver> {
  checkSource(pathOrDatabase, busyTimeoutMs)
  let database: SqliteDatabase | undefined
  try {
    database = typeof pathOrDatabase === 'string' ? await openOwnDatabase(pathOrDatabase) : pathOrDatabase
    const isNamed = typeof pathOrDatabase === 'string' && isNamedFile(pathOrDatabase)
    const file = isNamed ? describeSqliteFile(pathOrDatabase) : undefined
    const driver = new SqliteDriver(database, busyTimeoutMs, file)
    await prepareDatabase(driver, migrate)
    return driver
  } catch (error) {
    database?.close()
    throw convertSqliteError(error, typeof pathOrDatabase === 'string' ? pathOrDatabase : undefined)
  }
}
