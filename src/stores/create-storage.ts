import type { IdentityOptions } from '../canonical/build/ids-and-timestamps.ts'
import type {
  AppendOptions,
  AppendResult,
  ConversationStorage,
  ImportOptions,
  MessagesInput,
} from './conversation-storage.ts'
import { encryptRowStore } from './encryption/encrypt-row-store.ts'
import { checkKeyring, type EncryptionOptions } from './encryption/keyring.ts'
import { checkMethods } from '../wire/check-methods.ts'
import { checkOptions, type OptionNames } from '../wire/check-options.ts'
import { withTypedErrors } from '../wire/typed-errors.ts'
import { checkIdentifier, throwInvalidType } from './check-arguments.ts'
import { checkStorageArguments } from './check-storage-arguments.ts'
import { appendMessages } from './operations/append-messages.ts'
import { readShortInput } from './operations/read-input-messages.ts'
import { KnownHeads, type WrittenAppend } from './operations/known-heads.ts'
import { removeMessage, replaceMessage } from './operations/replace-and-remove-message.ts'
import { exportPages, planExport, readExportPage } from './operations/export-session.ts'
import { importSession } from './operations/import-session.ts'
import { syncHistory } from './operations/sync-history.ts'
import { addMessageLabel, listMessageLabels, removeMessageLabel } from './operations/message-labels.ts'
import type { TenantScope } from './operations/open-session.ts'
import { createSession, getSession, listSessions, updateSession } from './operations/sessions.ts'
import {
  deleteSession,
  deleteWithReceipt,
  describeDeletion,
  listDeletableSessions,
} from './operations/delete-sessions.ts'
import { loadStore, saveStore } from './operations/load-and-save-message-store.ts'
import {
  listBranches,
  forkSession,
  getMessage,
  getHead,
  setHead,
  listSessionMessages,
} from './operations/heads-and-branches.ts'
import { acquireLease, getLease, releaseLease, renewLease, requestLeaseRelease } from './operations/leases.ts'
import { queryUsage } from './operations/query-usage.ts'
import { searchMessages } from './operations/search-messages.ts'
import { verifyAllSessions, verifyListedSession, verifyOneSession } from './operations/verify-integrity.ts'
import { type DeletionTarget, forgetSessions, pruneSessions } from './prune-and-forget-sessions.ts'
import type { ForgetSessionsOptions, ForgetSessionsSelection, PruneSessionsOptions } from './retention.ts'
import type { SessionPosition } from './rows/row-queries.ts'
import type { RowStore, RowTransaction } from './rows/row-store.ts'
import type { SessionRow } from './rows/row-definitions.ts'

/** Options of every storage. */
export interface StorageOptions extends IdentityOptions {
  /** Tenant that owns the conversations. Default: `default`. */
  readonly tenant?: string
  /** Encrypts titles, labels, parameters and messages with keys of the tenants. Default: not encrypted. */
  readonly encryption?: EncryptionOptions
}

/** The names of the options of every storage. */
export const STORAGE_OPTION_NAMES: OptionNames<StorageOptions> = {
  tenant: true,
  encryption: { keys: true },
  newId: Function,
  now: Function,
}

/** Checks the options that all storages have, and throws for others. */
export function checkStorageOptions(owner: string, options: StorageOptions): void {
  withTypedErrors(() => {
    checkOptions(owner, options, STORAGE_OPTION_NAMES)
    const { tenant, encryption, newId, now } = options
    if (tenant !== undefined) checkIdentifier(tenant, 'tenant')
    if (encryption !== undefined) checkKeyring(encryption.keys)
    for (const [name, value] of Object.entries({ newId, now }))
      if (value !== undefined && typeof value !== 'function') throwInvalidType(name, value, 'a function')
  }, [owner, options])
}

type Operation<A extends readonly unknown[], T> = (scope: TenantScope, ...args: A) => Promise<T>

/**
 * Creates a storage on top of a row store. Contains the logic of conversations, which all backends share.
 *
 * @example
 * const storage = createStorage(myRowStore, { tenant: 'acme' })
 */
export function createStorage(store: RowStore, storageOptions: StorageOptions = {}): ConversationStorage {
  checkStorageOptions('the storage', storageOptions)
  checkMethods(store, 'store', 'a row store', ['read', 'write', 'close'])
  const { encryption, ...options } = storageOptions
  if (encryption === undefined) return bindOperations(store, options)
  const encrypted = encryptRowStore(store, encryption.keys)
  return bindOperations(encrypted, options, (tenant) => encrypted.rewrapDataKeys(tenant))
}

/** Binds the operations to a store and a tenant. */
function bindOperations(
  store: RowStore,
  { tenant = 'default', ...identity }: Omit<StorageOptions, 'encryption'>,
  rewrapDataKeys?: (tenant: string) => Promise<number>,
): ConversationStorage {
  checkIdentifier(tenant, 'tenant')
  const bind =
    <A extends readonly unknown[], T>(mode: 'read' | 'write', operation: Operation<A, T>) =>
    (...args: A): Promise<T> => {
      const [session] = args
      const act = (rows: RowTransaction): Promise<T> => operation({ rows, tenant, identity }, ...args)
      return store[mode](act, typeof session === 'string' ? { tenant, session } : { tenant })
    }
  const plan = bind('read', planExport)
  const readPage = bind('read', readExportPage)
  const verifyOne = bind('read', verifyOneSession)
  const verifyListed = bind('read', verifyListedSession)
  const exportSession = async function* (session: string): AsyncGenerator<string> {
    yield* exportPages(await plan(session), readPage)
  }
  /** Runs a deletion, and removes what it has left before it resolves. */
  const removingLeftovers =
    <A extends readonly unknown[], T>(remove: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      const removed = await remove(...args)
      await store.removeLeftovers?.()
      return removed
    }
  const listPage = bind('read', listDeletableSessions)
  const deletionTarget: DeletionTarget = {
    tenant,
    identity,
    candidates: async function* (label) {
      let after: SessionPosition | undefined
      do {
        const page: readonly SessionRow[] = await listPage(label, after)
        yield* page
        after = page.at(-1)
      } while (after !== undefined)
    },
    session: bind('read', getSession),
    exportSession,
    describe: bind('read', describeDeletion),
    delete: removingLeftovers(bind('write', deleteWithReceipt)),
  }
  const knownHeads = new KnownHeads()
  const remember = (written: WrittenAppend): void => knownHeads.remember(written)
  const appendAfterReading = bind('write', appendMessages)
  const append = async (
    session: string,
    input: MessagesInput,
    options: AppendOptions = {},
  ): Promise<AppendResult> => {
    const read = readShortInput(input, { identity })
    if ('long' in read) return appendAfterReading(session, read.long, options, remember)
    const { messages } = read
    const planned = store.appendIfUnchanged && knownHeads.plan(session, messages, options, identity)
    if (planned && (await store.appendIfUnchanged?.(planned.append, { tenant, session }))) {
      knownHeads.remember(planned.written)
      return planned.result
    }
    return appendAfterReading(session, messages, options, remember)
  }
  return checkStorageArguments<ConversationStorage>({
    tenant,
    ...(store.backend !== undefined && { backend: store.backend }),
    forTenant: (other: string) => bindOperations(store, { ...identity, tenant: other }, rewrapDataKeys),
    createSession: bind('write', createSession),
    session: bind('read', getSession),
    sessions: bind('read', listSessions),
    updateSession: bind('write', updateSession),
    deleteSession: removingLeftovers(bind('write', deleteSession)),
    prune: (options?: PruneSessionsOptions) => pruneSessions(deletionTarget, options),
    forget: (selection: ForgetSessionsSelection, options?: ForgetSessionsOptions) =>
      forgetSessions(deletionTarget, selection, options),
    append,
    syncHistory: bind('write', syncHistory),
    get: bind('read', getMessage),
    replace: bind('write', replaceMessage),
    remove: bind('write', removeMessage),
    head: bind('read', getHead),
    setHead: bind('write', setHead),
    messages: bind('read', listSessionMessages),
    branches: bind('read', listBranches),
    fork: bind('write', forkSession),
    label: bind('write', addMessageLabel),
    unlabel: bind('write', removeMessageLabel),
    labels: bind('read', listMessageLabels),
    loadStore: bind('read', loadStore),
    saveStore: bind('write', saveStore),
    exportSession,
    importSession: (lines: Iterable<string> | AsyncIterable<string>, options?: ImportOptions) =>
      importSession(store, { tenant, identity }, lines, options).catch(async (error: unknown) => {
        await store.removeLeftovers?.().catch(() => undefined)
        throw error
      }),
    lease: bind('read', getLease),
    acquireLease: bind('write', acquireLease),
    renewLease: bind('write', renewLease),
    requestLeaseRelease: bind('write', requestLeaseRelease),
    releaseLease: bind('write', releaseLease),
    ...(rewrapDataKeys !== undefined && { rotateKeys: () => rewrapDataKeys(tenant) }),
    search: bind('read', searchMessages),
    ...(store.rebuildSearchIndex !== undefined && {
      rebuildSearchIndex: () => store.rebuildSearchIndex?.() ?? Promise.resolve(0),
    }),
    usage: bind('read', queryUsage),
    verify: async (session?: string) => {
      if (session !== undefined) return verifyOne(session)
      const found = await verifyAllSessions((after) => listPage(undefined, after), verifyListed)
      return [...((await store.integrityIssues?.(tenant)) ?? []), ...found]
    },
    close: () => store.close(),
  })
}
