import { randomUUID } from 'node:crypto'
import { link, readFile, rename, unlink, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { conflict } from '../failures.ts'

interface Owner {
  readonly pid: number
  readonly host: string
  readonly token: string
}

/** A lock that one process has; its end gives it back. */
export interface Lock {
  release(): Promise<void>
}

/**
 * Takes the lock of a file, or refuses. A link to a file of our own appears at once and only if there is none, so of several
 * one wins. The lock of a process of this machine that has ended counts for nothing.
 */
export async function lockFile(path: string): Promise<Lock> {
  const place = `${path}.lock`
  const own: Owner = { pid: process.pid, host: hostname(), token: randomUUID() }
  const draft = `${place}.${own.token}`
  await writeFile(draft, JSON.stringify(own), { flag: 'wx' })
  try {
    if (!(await linked(draft, place))) {
      await removeStale(place, own)
      if (!(await linked(draft, place))) throw inUse()
    }
  } finally {
    await unlink(draft)
  }
  return {
    release: async () => {
      if ((await ownerOf(place))?.token === own.token) await unlink(place)
    },
  }
}

async function linked(draft: string, place: string): Promise<boolean> {
  return link(draft, place).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false
      throw error
    },
  )
}

/** Moves a dead owner's lock away. Should a living one's have come in between, it is put back. */
async function removeStale(place: string, own: Owner): Promise<void> {
  const owner = await ownerOf(place)
  if (owner !== undefined && isAlive(owner, own)) throw inUse()
  const aside = `${place}.${own.token}.old`
  try {
    await rename(place, aside)
  } catch {
    return // somebody else was faster
  }
  const moved = await ownerOf(aside)
  if (moved !== undefined && moved.token !== owner?.token) await linked(aside, place)
  await unlink(aside)
}

async function ownerOf(place: string): Promise<Owner | undefined> {
  try {
    return JSON.parse(await readFile(place, 'utf8')) as Owner
  } catch {
    return undefined
  }
}

/** Whether the owner still runs, as far as we can know: of another machine we cannot. */
function isAlive(owner: Owner, { host }: Owner): boolean {
  if (owner.host !== host) return true
  try {
    return process.kill(owner.pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function inUse(): Error {
  return conflict(
    'Another storage has the file open for writing',
    'Close it first; several processes at once need SQLite or PostgreSQL.',
  )
}
