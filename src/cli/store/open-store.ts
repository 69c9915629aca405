import { constants, existsSync } from 'node:fs'
import { access, mkdir } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { InterlinguaError } from '../../errors.ts'
import type { ConversationStorage } from '../../stores/conversation-storage.ts'
import { unusableError } from '../../stores/storage-errors.ts'
import { jsonlStorage } from '../../stores/jsonl/index.ts'
import { memoryStorage } from '../../stores/memory/memory-storage.ts'
import { sqliteStorage } from '../../stores/sqlite/index.ts'
import { toAbsolutePath } from '../input/source.ts'
import { printNotice, type Terminal } from '../command-io.ts'

/** The option that every command has that keeps conversations. */
export const STORE_OPTION = [
  '--store <file>',
  'where conversations are kept: a SQLite file, or a .jsonl file',
] as const

/** A storage that is open, and the file that it is in. */
export interface StoreHandle {
  readonly storage: ConversationStorage
  readonly path: string
  /** Gives room back that removed conversations took, where that takes doing. */
  readonly compact: () => Promise<void>
}

/** Where conversations are kept: what was said, else `INTERLINGUA_STORE`, else where programs keep their data. */
function resolveStorePath(given: string | undefined, terminal: Terminal): string {
  const { environment } = terminal
  const path = given ?? environment['INTERLINGUA_STORE']
  if (path !== undefined && path !== '') return toAbsolutePath(path, terminal)
  const homes = [environment['HOME'], readUserHome()].map((home = '') => join(home, '.local', 'share'))
  const places = [environment['XDG_DATA_HOME'], environment['LOCALAPPDATA'], ...homes]
  const data = places.find((place) => place !== undefined && isAbsolute(place))
  if (data === undefined) throw unusableError(new Error('there is no home to keep it in'))
  return join(data, 'interlingua', 'conversations.db')
}

/** The home that the system knows of, whatever the environment says. */
function readUserHome(): string {
  try {
    return userInfo().homedir
  } catch {
    return ''
  }
}

/** Makes a folder and those above it. Node's own way never ends where the system does not let it. */
async function createFolder(path: string): Promise<void> {
  const create = (): Promise<void> => mkdir(path, { mode: 0o700 })
  try {
    await create()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    if (code !== 'ENOENT' || dirname(path) === path) throw error
    await createFolder(dirname(path))
    await create()
  }
}

/** What to do where conversations cannot be kept. */
async function withStorageHint<T>(opening: Promise<T>): Promise<T> {
  return opening.catch((cause: unknown) => {
    if (cause instanceof InterlinguaError && cause.code !== 'storage-unavailable') throw cause
    const { message } = cause instanceof InterlinguaError ? cause : unusableError(cause)
    throw new InterlinguaError('storage-unavailable', message, {
      hint: 'Name another place with --store, or let chat keep nothing with --no-store.',
      cause,
    })
  })
}

/** The lines that stand in for a database where there is no SQLite. */
export function toJsonlPath(path: string): string {
  return `${path.replace(/\.(db|sqlite3?)$/, '')}.jsonl`
}

/** Opens the storage, and makes it if it is not there. */
export function openStore(given: string | undefined, terminal: Terminal): Promise<StoreHandle> {
  return withStorageHint(openAtPath(given, terminal))
}

async function openAtPath(given: string | undefined, terminal: Terminal): Promise<StoreHandle> {
  const path = resolveStorePath(given, terminal)
  const lines = toJsonlPath(path)
  await createFolder(dirname(path))
  if (path.endsWith('.jsonl')) return openJsonlStore(path)
  // What was kept while there was no SQLite stays the store: two of them would hide one.
  if (!existsSync(path) && existsSync(lines)) return openJsonlStore(lines)
  try {
    return { storage: await sqliteStorage(path), path, compact: async () => {} }
  } catch (error) {
    if (!(error instanceof InterlinguaError) || error.code !== 'missing-package') throw error
    const notice = `This Node has no SQLite that can be used: conversations are kept in ${lines}.`
    await printNotice(terminal, [notice, error.hint].filter(Boolean).join(' '))
    return openJsonlStore(lines)
  }
}

/** Fails where a storage that is not there yet could not be made; nothing is made. */
export function checkCreatable(path: string): Promise<void> {
  return withStorageHint(checkWritable(dirname(path)))
}

async function checkWritable(folder: string): Promise<void> {
  try {
    await access(folder, constants.W_OK)
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT' && dirname(folder) !== folder
    if (!missing) throw error
    await checkWritable(dirname(folder))
  }
}

/** Opens the storage to read from it: one that is not there is empty, and is not made. */
export async function openExistingStore(given: string | undefined, terminal: Terminal): Promise<StoreHandle> {
  const path = resolveStorePath(given, terminal)
  if (existsSync(path) || existsSync(toJsonlPath(path))) return openStore(given, terminal)
  return { storage: memoryStorage(), path, compact: async () => {} }
}

async function openJsonlStore(path: string): Promise<StoreHandle> {
  const storage = await jsonlStorage(path)
  return { storage, path, compact: () => storage.rewrite() }
}

/** Does something with the storage, and closes it whatever comes of it. */
export async function withStore<T>(
  opened: Promise<StoreHandle>,
  act: (store: StoreHandle) => Promise<T>,
): Promise<T> {
  const store = await opened
  try {
    return await act(store)
  } finally {
    await store.storage.close()
  }
}
