import { randomUUID } from 'node:crypto'
import { link, readFile, rename, unlink, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { conflictError } from '../storage-errors.ts'

interface LockOwner {
  readonly pid: number
  readonly host: string
  readonly token: string
  /** When the process began, where the system tells. */
  readonly began?: string
}

/** A lock that one process has; its end gives it back. */
export interface FileLock {
  release(): Promise<void>
}

/**
 * Takes the lock of a file, or refuses. A link to a file of our own appears at once and only if there is none, so of several
 * one wins. The lock of a process of this machine that has ended counts for nothing.
 */
export async function acquireFileLock(path: string): Promise<FileLock> {
  const place = `${path}.lock`
  const began = await readProcessStart(process.pid)
  const own: LockOwner = { pid: process.pid, host: hostname(), token: randomUUID(), ...(began && { began }) }
  const draft = `${place}.${own.token}`
  await writeFile(draft, JSON.stringify(own), { flag: 'wx' })
  try {
    if (!(await tryLink(draft, place))) {
      await removeStaleLock(place, own)
      if (!(await tryLink(draft, place))) throw fileInUse()
    }
  } finally {
    await unlink(draft)
  }
  return {
    release: async () => {
      if ((await readOwner(place))?.token === own.token) await unlink(place)
    },
  }
}

async function tryLink(draft: string, place: string): Promise<boolean> {
  return link(draft, place).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false
      throw error
    },
  )
}

/** Moves a dead owner's lock away. Should a living one's have come in between, it is put back. */
async function removeStaleLock(place: string, own: LockOwner): Promise<void> {
  const owner = await readOwner(place)
  if (owner !== undefined && (await isOwnerRunning(owner, own))) throw fileInUse()
  const movedPath = `${place}.${own.token}.old`
  try {
    await rename(place, movedPath)
  } catch {
    return // somebody else was faster
  }
  const moved = await readOwner(movedPath)
  if (moved !== undefined && moved.token !== owner?.token) await tryLink(movedPath, place)
  await unlink(movedPath)
}

async function readOwner(place: string): Promise<LockOwner | undefined> {
  try {
    return JSON.parse(await readFile(place, 'utf8')) as LockOwner
  } catch {
    return undefined
  }
}

/** Whether the owner still runs, as far as we can know: of another machine we cannot. */
async function isOwnerRunning({ pid, host, began }: LockOwner, own: LockOwner): Promise<boolean> {
  if (host !== own.host) return true
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  // Numbers are given again: after a restart, in a container always the same one.
  const runs = began === undefined ? undefined : await readProcessStart(pid)
  return runs === undefined || runs === began
}

/** When a process began, counted from the start of the system, and which start that was. Only Linux tells. */
async function readProcessStart(pid: number): Promise<string | undefined> {
  try {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8')
    const facts = await readFile(`/proc/${pid}/stat`, 'utf8')
    // The second of the facts is a name in brackets, which may hold anything; the time is the 22nd.
    return `${boot.trim()}/${facts.slice(facts.lastIndexOf(')') + 2).split(' ')[19]}`
  } catch {
    return undefined
  }
}

function fileInUse(): Error {
  return conflictError(
    'Another storage has the file open for writing',
    'Close it first; several processes at once need SQLite or PostgreSQL.',
  )
}
