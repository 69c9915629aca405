import { prepareDatabase } from '../sql/migrations.ts'
import { isNamedFile, openOwnDatabase } from './open-own-database.ts'
import { describeSqliteFile, type SqliteDatabase } from './sqlite-database.ts'
import { SqliteDriver } from './sqlite-driver.ts'
import { convertSqliteError } from './sqlite-errors.ts'

/** Opens a database of this library and migrates it; closes it again if that fails. */
export async function openSqliteDriver(
  pathOrDatabase: string | SqliteDatabase,
  busyTimeoutMs: number,
  migrate: boolean | undefined,
): Promise<SqliteDriver> {
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
