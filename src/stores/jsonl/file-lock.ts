import { randomUUID } from 'node:crypto'
import { link, readFile, rename, unlink, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { createConflictError } from '../storage-errors.ts'

interface LockOwner {
  readonly pid: number
  readonly host: string
  readonly token: string
  /** Start time of the process, if the system reports it. */
  readonly began?: string
}

/**
 * Acquires the lock of a file, or throws; returns the function that releases it. Creating a hard link is atomic and
 * fails if the lock exists, so one process wins. A lock whose process on this machine has ended is stale and removed.
 */
export async function acquireFileLock(path: string): Promise<() => Promise<void>> {
  const lockPath = `${path}.lock`
  const began = await readProcessStart(process.pid)
  const own: LockOwner = { pid: process.pid, host: hostname(), token: randomUUID(), ...(began && { began }) }
  const draftPath = `${lockPath}.${own.token}`
  await writeFile(draftPath, JSON.stringify(own), { flag: 'wx' })
  try {
    if (!(await tryLink(draftPath, lockPath))) {
      await removeStaleLock(lockPath, own)
      if (!(await tryLink(draftPath, lockPath))) throw fileInUse()
    }
  } finally {
    await unlink(draftPath)
  }
  return async () => {
    if ((await readOwner(lockPath))?.token === own.token) await unlink(lockPath)
  }
}

async function tryLink(draftPath: string, lockPath: string): Promise<boolean> {
  return link(draftPath, lockPath).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false
      throw error
    },
  )
}

/** Moves a stale lock away. If another process acquired the lock in between, it is restored. */
async function removeStaleLock(lockPath: string, own: LockOwner): Promise<void> {
  const owner = await readOwner(lockPath)
  if (owner !== undefined && (await isOwnerRunning(owner, own))) throw fileInUse()
  const movedPath = `${lockPath}.${own.token}.old`
  try {
    await rename(lockPath, movedPath)
  } catch {
    return // another process removed it first
  }
  const moved = await readOwner(movedPath)
  if (moved !== undefined && moved.token !== owner?.token) await tryLink(movedPath, lockPath)
  await unlink(movedPath)
}

async function readOwner(lockPath: string): Promise<LockOwner | undefined> {
  try {
    return JSON.parse(await readFile(lockPath, 'utf8')) as LockOwner
  } catch {
    return undefined
  }
}

/** Tests whether the lock owner still runs. An owner on another machine is assumed to run. */
async function isOwnerRunning({ pid, host, began }: LockOwner, own: LockOwner): Promise<boolean> {
  if (host !== own.host) return true
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  // Process ids are reused: after a restart, and in containers often the same one.
  const currentStart = began === undefined ? undefined : await readProcessStart(pid)
  return currentStart === undefined || currentStart === began
}

/** Returns the start time of a process and the boot id, on Linux only. */
async function readProcessStart(pid: number): Promise<string | undefined> {
  try {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8')
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    // Field 2 is the process name in parentheses and may contain anything; field 22 is the start time.
    return `${boot.trim()}/${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`
  } catch {
    return undefined
  }
}

function fileInUse(): Error {
  return createConflictError(
    'Another storage has this file open for writing',
    'Close it first, or use SQLite or PostgreSQL for several processes.',
  )
}
