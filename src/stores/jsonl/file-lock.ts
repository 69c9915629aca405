import { spawn } from 'node:child_process'
import { open, stat } from 'node:fs/promises'
import { InterlinguaError } from '../../errors.ts'
import { createConflictError, createUnusableFileError } from '../storage-errors.ts'
import { PRIVATE_FILE_MODE } from '../storage-file.ts'
import type { SqliteDatabase } from '../sqlite/sqlite-database.ts'
import { isBusy } from '../sqlite/sqlite-errors.ts'

type ReleaseLock = () => Promise<void>

/**
 * Acquires the lock of a file, or throws; returns the function that releases it.
 *
 * Node has no file locks, so SQLite requests one from the operating system. The system releases it when the process
 * ends, in whatever way; it excludes processes of other containers, too. The lock file `<path>.lock` is a database and
 * stays: another process could otherwise lock a file that was just removed.
 *
 * Without SQLite, the program `flock` requests the lock. The two kinds of locks do not exclude each other. Therefore a
 * process with SQLite acquires both while the lock file is still empty, then writes to it; from then on, only processes
 * with SQLite may lock it.
 */
export async function acquireFileLock(path: string): Promise<ReleaseLock> {
  // On POSIX systems, closing any handle of a file releases the locks that SQLite holds on it in this process.
  if (lockedPaths.has(path)) throw fileInUse()
  lockedPaths.add(path)
  try {
    const release = await lockFile(`${path}.lock`)
    return async () => {
      await release()
      lockedPaths.delete(path)
    }
  } catch (error) {
    lockedPaths.delete(path)
    throw error instanceof InterlinguaError ? error : createUnusableFileError(error, `${path}.lock`)
  }
}

const lockedPaths = new Set<string>()

async function lockFile(lockPath: string): Promise<ReleaseLock> {
  await createLockFile(lockPath)
  const sqlite =
    (process.getBuiltinModule('node:sqlite') as SqliteModule | undefined) ?? (await importSqlitePackage())
  const isSqliteRequired = !(await isEmptyFile(lockPath))
  if (sqlite === undefined && isSqliteRequired) throw noLockMethod()
  const flock = isSqliteRequired ? 'unavailable' : await lockWithFlock(lockPath)
  if (flock === 'held') throw fileInUse()
  if (sqlite !== undefined)
    return lockWithSqlite(lockPath, sqlite, flock === 'unavailable' ? undefined : flock)
  if (flock === 'unavailable') throw noLockMethod()
  if (await isEmptyFile(lockPath)) return flock
  await flock()
  throw noLockMethod()
}

/** Creates the lock file. An existing one is not opened. */
async function createLockFile(lockPath: string): Promise<void> {
  try {
    await (await open(lockPath, 'ax', PRIVATE_FILE_MODE)).close()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

type SqliteModule = { readonly DatabaseSync: new (path: string) => SqliteDatabase }

/** Locks a file as a database, by a transaction that never ends. `releaseFlock` closes the same file. */
async function lockWithSqlite(
  lockPath: string,
  { DatabaseSync }: SqliteModule,
  releaseFlock?: ReleaseLock,
): Promise<ReleaseLock> {
  const database = new DatabaseSync(lockPath)
  const release: ReleaseLock = async () => {
    database.close()
    await releaseFlock?.()
  }
  try {
    database.exec('pragma busy_timeout = 0')
    database.exec('pragma journal_mode = memory')
    // In this mode, the end of a transaction does not release the lock.
    database.exec('pragma locking_mode = exclusive')
    database.exec('begin exclusive')
    if (await isEmptyFile(lockPath)) database.exec('pragma user_version = 1; commit; begin exclusive')
    return release
  } catch (error) {
    await release()
    throw isBusy(error) ? fileInUse() : error
  }
}

async function importSqlitePackage(): Promise<SqliteModule | undefined> {
  return import('@photostructure/sqlite').catch(() => undefined)
}

/** Exit code of `flock` if another process holds the lock. */
const FLOCK_HELD = 1

/**
 * Locks a file with the program `flock`, which Linux systems have. The lock belongs to the open file, which the program
 * shares with this process: it stays after the program has ended, until this process closes the file.
 */
async function lockWithFlock(lockPath: string): Promise<ReleaseLock | 'held' | 'unavailable'> {
  const file = await open(lockPath, 'r+')
  const exitCode = await new Promise<number | null>((resolve) => {
    const child = spawn('flock', ['-n', '3'], { stdio: ['ignore', 'ignore', 'ignore', file.fd] })
    child.on('error', () => resolve(null))
    child.on('exit', resolve)
  })
  if (exitCode === 0) return () => file.close()
  await file.close()
  return exitCode === FLOCK_HELD ? 'held' : 'unavailable'
}

async function isEmptyFile(path: string): Promise<boolean> {
  return (await stat(path)).size === 0
}

function fileInUse(): InterlinguaError {
  return createConflictError(
    'Another storage has this file open for writing',
    'Close it first, or use SQLite or PostgreSQL for several processes.',
  )
}

function noLockMethod(): InterlinguaError {
  return new InterlinguaError(
    'missing-package',
    'The file cannot be locked: neither SQLite nor `flock` exists',
    {
      hint: 'Use Node 22.13 or newer, or install the package: npm install @photostructure/sqlite@1',
    },
  )
}
