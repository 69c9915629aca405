import { checkMethods } from '../../wire/check-methods.ts'
import { checkCount, checkDatabasePath } from '../check-arguments.ts'
import { prepareDatabase } from '../sql/migrations.ts'
import { isNamedFile, openOwnDatabase } from './open-own-database.ts'
import { describeSqliteFile, type SqliteDatabase } from './sqlite-database.ts'
import { SqliteDriver } from './sqlite-driver.ts'
import { convertSqliteError } from './sqlite-errors.ts'

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
