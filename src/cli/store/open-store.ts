import { constants, existsSync } from 'node:fs'
import { access, mkdir } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { InterlinguaError } from '../../errors.ts'
import type { ConversationStorage } from '../../stores/conversation-storage.ts'
import { createUnusableFileError } from '../../stores/storage-errors.ts'
import { jsonlStorage } from '../../stores/jsonl/index.ts'
import { memoryStorage } from '../../stores/in-memory/memory-storage.ts'
import type { SearchIndexOptions } from '../../stores/sql/search-index-rows.ts'
import { sqliteStorage } from '../../stores/sqlite/index.ts'
import { toAbsolutePath } from '../input/input-source.ts'
import { printNotice, type Terminal } from '../command-io.ts'
import { findServerKind, openServerStorage, assertSupportedStoreUrl, removePassword } from './server-url.ts'

export const STORE_OPTION = [
  '--store <file or URL>',
  'the conversation store: a SQLite file, a .jsonl file, or a postgres:// or redis:// URL',
] as const

/** The options of every command that reads or writes conversations. */
export interface StoreOptions {
  readonly store?: string
  readonly json?: boolean
}

/** An open storage and its path. */
export interface StoreHandle {
  readonly storage: ConversationStorage
  /** The path of a file, or a URL without password. */
  readonly path: string
  /** Frees the disk space of removed conversations, if the storage does not do so itself. */
  readonly compact: () => Promise<void>
}

interface FileLocation {
  readonly kind: 'jsonl' | 'sqlite'
  readonly path: string
}

interface ServerLocation {
  readonly kind: 'server'
  /** The URL without password, which can be printed. */
  readonly path: string
  readonly url: string
}

/** Where a store is, and of which kind it is. */
export type StoreLocation = FileLocation | ServerLocation

/** Returns the location of a store: `--store`, or else `INTERLINGUA_STORE`, or else a file in the user data folder. */
export function resolveStoreLocation(given: string | undefined, terminal: Terminal): StoreLocation {
  const url = given ?? terminal.environment['INTERLINGUA_STORE'] ?? ''
  if (findServerKind(url) !== undefined) return { kind: 'server', path: removePassword(url), url }
  assertSupportedStoreUrl(url)
  const path = resolveStorePath(given, terminal)
  if (path.endsWith('.jsonl')) return { kind: 'jsonl', path }
  const jsonlPath = toJsonlPath(path)
  // A JSONL file from when SQLite was not available remains the store; a second store would hide it.
  if (!existsSync(path) && existsSync(jsonlPath)) return { kind: 'jsonl', path: jsonlPath }
  return { kind: 'sqlite', path }
}

function resolveStorePath(given: string | undefined, terminal: Terminal): string {
  const { environment } = terminal
  const path = given ?? environment['INTERLINGUA_STORE']
  if (path !== undefined && path !== '') return toAbsolutePath(path, terminal)
  const homes = [environment['HOME'], readUserHome()].map((home = '') => join(home, '.local', 'share'))
  const candidates = [environment['XDG_DATA_HOME'], environment['LOCALAPPDATA'], ...homes]
  const data = candidates.find((folder) => folder !== undefined && isAbsolute(folder))
  if (data === undefined) throw createUnusableFileError(new Error('no home folder was found'))
  return join(data, 'interlingua', 'conversations.db')
}

/** Returns the home folder of the operating system's user record, independent of the environment. */
function readUserHome(): string {
  try {
    return userInfo().homedir
  } catch {
    return ''
  }
}

/** Creates a folder and its parents. Node's recursive `mkdir` can loop forever if permission is denied. */
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

/** Adds a hint on how to choose another store to storage errors. */
async function withStorageHint<T>(opening: Promise<T>): Promise<T> {
  return opening.catch((cause: unknown) => {
    if (cause instanceof InterlinguaError && cause.code !== 'storage-unavailable') throw cause
    const { message } = cause instanceof InterlinguaError ? cause : createUnusableFileError(cause)
    throw new InterlinguaError('storage-unavailable', message, {
      hint: 'Choose another file with --store, or chat without a store with --no-store.',
      cause,
    })
  })
}

/** Returns the path of the JSONL file that replaces a database if SQLite is not available. */
export function toJsonlPath(path: string): string {
  return `${path.replace(/\.(db|sqlite3?)$/, '')}.jsonl`
}

/** Opens the storage; creates it if necessary. With `search`, an index for searches is created, too. */
export async function openStore(
  given: string | undefined,
  terminal: Terminal,
  options: SearchIndexOptions = {},
): Promise<StoreHandle> {
  return openLocation(resolveStoreLocation(given, terminal), terminal, options)
}

function openLocation(
  location: StoreLocation,
  terminal: Terminal,
  options: SearchIndexOptions = {},
): Promise<StoreHandle> {
  return location.kind === 'server'
    ? openServerStore(location, options)
    : withStorageHint(openFileStore(location, terminal, options))
}

async function openServerStore(
  { url, path }: ServerLocation,
  options: SearchIndexOptions,
): Promise<StoreHandle> {
  return { storage: await openServerStorage(url, path, options), path, compact: async () => {} }
}

async function openFileStore(
  { kind, path }: FileLocation,
  terminal: Terminal,
  // A new store can be searched; one of an application is not changed without need.
  { search = !existsSync(path) }: SearchIndexOptions,
): Promise<StoreHandle> {
  await createFolder(dirname(path))
  if (kind === 'jsonl') return openJsonlStore(path)
  try {
    const storage = await sqliteStorage(path, { search })
    return { storage, path, compact: () => storage.maintain() }
  } catch (error) {
    if (!(error instanceof InterlinguaError) || error.code !== 'missing-package') throw error
    const jsonlPath = toJsonlPath(path)
    const notice = `SQLite is not available in this version of Node. Conversations are stored in ${jsonlPath}.`
    await printNotice(terminal, [notice, error.hint].filter(Boolean).join(' '))
    return openJsonlStore(jsonlPath)
  }
}

/** Rejects if the storage could not be created; creates nothing. */
export async function checkStoreCreatable(path: string): Promise<void> {
  if (findServerKind(path) === undefined) await withStorageHint(checkWritable(dirname(path)))
}

async function checkWritable(folder: string): Promise<void> {
  try {
    await access(folder, constants.W_OK)
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT' && dirname(folder) !== folder
    if (!isMissing) throw error
    await checkWritable(dirname(folder))
  }
}

/** Opens the storage for reading. A missing file is treated as an empty store and not created. */
export async function openExistingStore(given: string | undefined, terminal: Terminal): Promise<StoreHandle> {
  const location = resolveStoreLocation(given, terminal)
  if (location.kind === 'server' || existsSync(location.path)) return openLocation(location, terminal)
  return openMemoryStore(location.path)
}

/**
 * Opens the storage for a search. A SQLite file gets its index; the processes that use it notice. Processes that use a
 * PostgreSQL database notice only when they start, so its index is created on request.
 */
export async function openSearchableStore(
  given: string | undefined,
  terminal: Terminal,
): Promise<StoreHandle> {
  const location = resolveStoreLocation(given, terminal)
  if (location.kind !== 'sqlite' || !existsSync(location.path)) return openExistingStore(given, terminal)
  return openLocation(location, terminal, { search: true })
}

export async function openMemoryStore(path: string): Promise<StoreHandle> {
  return { storage: memoryStorage(), path, compact: async () => {} }
}

async function openJsonlStore(path: string): Promise<StoreHandle> {
  const storage = await jsonlStorage(path)
  return { storage, path, compact: () => storage.rewrite() }
}

/** Runs `act` with the storage and always closes it. */
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
