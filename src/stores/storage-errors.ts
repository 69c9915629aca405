import { type ErrorDetails, InterlinguaError } from '../errors.ts'
import { describeWriteError } from '../wire/describe-write-error.ts'

/** A concurrent write came first, or the id is in use for something else. */
export function createConflictError(message: string, hint: string, details?: ErrorDetails): InterlinguaError {
  return new InterlinguaError('conflict', message, { hint, ...details })
}

/** The file or disk of a storage cannot be used; the write had no effect. */
export function createUnusableFileError(cause: unknown, path?: string): InterlinguaError {
  const place = path === undefined ? '' : ` at ${path}`
  return new InterlinguaError(
    'storage-unavailable',
    `The storage${place} cannot be used: ${describeWriteError(cause)}`,
    {
      hint: 'Check the path, its permissions and the free disk space; then try again with the same messages.',
      cause,
    },
  )
}

/** The kinds of files that contain a storage. */
export type StorageFileKind = 'journal' | 'sqlite'

/** The name of each kind of file, and the function that opens it. */
const STORAGE_FILES: { readonly [K in StorageFileKind]: { readonly name: string; readonly open: string } } = {
  journal: { name: 'a JSONL storage', open: 'jsonlStorage()' },
  sqlite: { name: 'a SQLite database', open: 'sqliteStorage()' },
}

/** The file belongs to something else. Nothing was written to it. */
export function createForeignFileError(
  path: string,
  expected: StorageFileKind,
  found?: StorageFileKind,
): InterlinguaError {
  const { name } = STORAGE_FILES[expected]
  const other = found === undefined ? undefined : STORAGE_FILES[found]
  const advice = found === expected || other === undefined ? '' : ` or open it with ${other.open},`
  return new InterlinguaError('foreign-file', `The file ${path} was not created by interlingua as ${name}`, {
    found: found === expected ? 'a database of another program' : (other?.name ?? 'unknown content'),
    expected: `${name} of interlingua, an empty file, or no file`,
    hint: `Choose another path,${advice} or restore a backup. The file was not changed.`,
  })
}

/** The id is not quoted, because it may belong to another tenant. */
export function createUnknownSessionError(): InterlinguaError {
  return new InterlinguaError('unknown-session', 'There is no session with this id', {
    hint: 'Create the session first, or check the id and the tenant.',
  })
}

export function createUnknownMessageError(): InterlinguaError {
  return new InterlinguaError('unknown-id', 'The session has no message with this id', {
    hint: 'Check the id. A fork contains only messages up to its fork point.',
  })
}

export function createDamagedDataError(message: string, cause?: unknown): InterlinguaError {
  return new InterlinguaError('damaged', message, {
    hint: 'Call verify() to list the damage; export intact sessions, or restore a backup.',
    ...(cause !== undefined && { cause }),
  })
}

export function createStorageClosedError(): InterlinguaError {
  return new InterlinguaError('storage-closed', 'The storage is closed', {
    hint: 'Open it again, and close it only when it is no longer used.',
  })
}

/** An index would contain the words of encrypted messages. */
export function createEncryptedSearchError(): InterlinguaError {
  return new InterlinguaError('unsupported', 'An encrypted storage cannot be searched', {
    hint: 'Read the messages and search them in the application, or store them without `encryption`.',
  })
}

/** The database has no index to search in. */
export function createMissingSearchIndexError(): InterlinguaError {
  return new InterlinguaError('unsupported', 'The database has no index for searches', {
    hint: 'Open the storage with `search: true` in every process; the first one creates the index.',
  })
}
