import { InterlinguaError } from '../../errors.ts'
import { createConflictError, createDamagedDataError, createUnusableFileError } from '../storage-errors.ts'
import { createMissingFts5Error } from './sqlite-search-index.ts'

/** Tests whether another connection holds a lock on the database. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && /database is locked|SQLITE_BUSY/.test(error.message)
}

/** Patterns of SQLite messages; not every error of every driver has a code. */
const DAMAGED_PATTERN = /malformed|not a database/
const UNUSABLE_PATTERN = /is full|readonly database|unable to open|I\/O error|permission/

/** Tests whether an error reports that the file is damaged. */
export function isDamage(error: unknown): boolean {
  return error instanceof Error && DAMAGED_PATTERN.test(error.message)
}

/** Converts a SQLite error into a storage error; returns any other error unchanged. */
export function convertSqliteError(error: unknown, path?: string): unknown {
  if (!(error instanceof Error) || error instanceof InterlinguaError) return error
  if (isBusy(error)) {
    const hint = 'Try again, or set a longer `busyTimeoutMs`.'
    return createConflictError('The database is locked by another process', hint, {
      retryable: true,
      cause: error,
    })
  }
  if (/no such module: fts5/.test(error.message)) return createMissingFts5Error(error)
  if (isDamage(error)) return createDamagedDataError('The file is damaged or not a SQLite database', error)
  return UNUSABLE_PATTERN.test(error.message) ? createUnusableFileError(error, path) : error
}
