import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { InterlinguaError } from '../../errors.ts'
import type { ConversationStorage } from '../../stores/contract.ts'
import { unusable } from '../../stores/failures.ts'
import { jsonlStorage } from '../../stores/jsonl/index.ts'
import { memoryStorage } from '../../stores/memory/index.ts'
import { sqliteStorage } from '../../stores/sqlite/index.ts'
import { absolute } from '../input/source.ts'
import { tell, type Terminal } from '../terminal.ts'

/** The option that every command has that keeps conversations. */
export const STORE_OPTION = [
  '--store <file>',
  'where conversations are kept: a SQLite file, or a .jsonl file',
] as const

/** A storage that is open, and the file that it is in. */
export interface OpenStore {
  readonly storage: ConversationStorage
  readonly path: string
  /** Gives room back that removed conversations took, where that takes doing. */
  readonly compact: () => Promise<void>
}

/** Where conversations are kept: what was said, else `INTERLINGUA_STORE`, else where programs keep their data. */
function storePath(given: string | undefined, terminal: Terminal): string {
  const { environment } = terminal
  const path = given ?? environment['INTERLINGUA_STORE']
  if (path !== undefined && path !== '') return absolute(path, terminal)
  const homes = [environment['HOME'], userHome()].map((home = '') => join(home, '.local', 'share'))
  const places = [environment['XDG_DATA_HOME'], environment['LOCALAPPDATA'], ...homes]
  const data = places.find((place) => place !== undefined && isAbsolute(place))
  if (data === undefined) throw unusable(new Error('there is no home to keep it in'))
  return join(data, 'interlingua', 'conversations.db')
}

/** The home that the system knows of, whatever the environment says. */
function userHome(): string {
  try {
    return userInfo().homedir
  } catch {
    return ''
  }
}

/** Makes a folder and those above it. Node's own way never ends where the system does not let it. */
async function makeFolder(path: string): Promise<void> {
  const made = (): Promise<void> => mkdir(path, { mode: 0o700 })
  try {
    await made()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    if (code !== 'ENOENT' || dirname(path) === path) throw error
    await makeFolder(dirname(path))
    await made()
  }
}

/** What to do where conversations cannot be kept. */
async function kept<T>(opening: Promise<T>): Promise<T> {
  return opening.catch((cause: unknown) => {
    if (cause instanceof InterlinguaError && cause.code !== 'storage-unavailable') throw cause
    const { message } = cause instanceof InterlinguaError ? cause : unusable(cause)
    throw new InterlinguaError('storage-unavailable', message, {
      hint: 'Name another place with --store, or let chat keep nothing with --no-store.',
      cause,
    })
  })
}

/** The lines that stand in for a database where there is no SQLite. */
export function linesBeside(path: string): string {
  return `${path.replace(/\.(db|sqlite3?)$/, '')}.jsonl`
}

/** Opens the storage, and makes it if it is not there. */
export function openStore(given: string | undefined, terminal: Terminal): Promise<OpenStore> {
  return kept(openAt(given, terminal))
}

async function openAt(given: string | undefined, terminal: Terminal): Promise<OpenStore> {
  const path = storePath(given, terminal)
  const lines = linesBeside(path)
  await makeFolder(dirname(path))
  if (path.endsWith('.jsonl')) return openLines(path)
  // What was kept while there was no SQLite stays the store: two of them would hide one.
  if (!existsSync(path) && existsSync(lines)) return openLines(lines)
  try {
    return { storage: await sqliteStorage(path), path, compact: async () => {} }
  } catch (error) {
    if (!(error instanceof InterlinguaError) || error.code !== 'missing-package') throw error
    const told = `This Node has no SQLite that can be used: conversations are kept in ${lines}.`
    await tell(terminal, [told, error.hint].filter(Boolean).join(' '))
    return openLines(lines)
  }
}

/** Opens the storage to read from it: one that is not there is empty, and is not made. */
export async function openExisting(given: string | undefined, terminal: Terminal): Promise<OpenStore> {
  const path = storePath(given, terminal)
  if (existsSync(path) || existsSync(linesBeside(path))) return openStore(given, terminal)
  return { storage: memoryStorage(), path, compact: async () => {} }
}

async function openLines(path: string): Promise<OpenStore> {
  const storage = await jsonlStorage(path)
  return { storage, path, compact: () => storage.rewrite() }
}

/** Does something with the storage, and closes it whatever comes of it. */
export async function withStore<T>(
  opened: Promise<OpenStore>,
  act: (store: OpenStore) => Promise<T>,
): Promise<T> {
  const store = await opened
  try {
    return await act(store)
  } finally {
    await store.storage.close()
  }
}
