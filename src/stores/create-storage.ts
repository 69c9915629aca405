import type { IdentityOptions } from '../canonical/build/ids-and-timestamps.ts'
import type { ConversationStorage } from './conversation-storage.ts'
import { checkName } from './check-input.ts'
import { appendMessages } from './operations/append-messages.ts'
import { removeMessage, replaceMessage } from './operations/replace-remove.ts'
import { exportSession, importSession } from './operations/export-import.ts'
import { syncHistory } from './operations/sync-history.ts'
import { addMessageLabel, listMessageLabels, removeMessageLabel } from './operations/message-labels.ts'
import type { TenantScope } from './operations/open-session.ts'
import {
  createSession,
  deleteSession,
  getSession,
  listSessions,
  updateSession,
} from './operations/sessions.ts'
import { loadStore, saveStore } from './operations/load-save-store.ts'
import {
  listBranches,
  forkSession,
  getMessage,
  getHead,
  setHead,
  listMessages,
} from './operations/heads-and-branches.ts'
import { queryUsage } from './operations/query-usage.ts'
import { verifyAll, verifySession } from './operations/verify-integrity.ts'
import type { RowTransaction, RowStore } from './rows/row-store.ts'

/** Options of every storage. */
export interface StorageOptions extends IdentityOptions {
  /** Tenant that owns the conversations. Default: `default`. */
  readonly tenant?: string
}

type Operation<A extends readonly unknown[], T> = (
  rows: RowTransaction,
  scope: TenantScope,
  ...args: A
) => Promise<T>

/**
 * Creates a storage on top of a row store. Contains the logic of conversations, which all backends share.
 *
 * @example
 * const storage = createStorage(myRowStore, { tenant: 'acme' })
 */
export function createStorage(
  store: RowStore,
  { tenant = 'default', ...identity }: StorageOptions = {},
): ConversationStorage {
  const scope: TenantScope = { identity, tenant: checkName(tenant, 'tenant') }
  const reads =
    <A extends readonly unknown[], T>(operation: Operation<A, T>) =>
    (...args: A): Promise<T> =>
      store.read((rows) => operation(rows, scope, ...args))
  const writes =
    <A extends readonly unknown[], T>(operation: Operation<A, T>) =>
    (...args: A): Promise<T> =>
      store.write((rows) => operation(rows, scope, ...args))
  const exported = reads(exportSession)
  const imported = writes(importSession)
  return Object.freeze({
    tenant,
    forTenant: (other: string) => createStorage(store, { ...identity, tenant: other }),
    createSession: writes(createSession),
    session: reads(getSession),
    sessions: reads(listSessions),
    updateSession: writes(updateSession),
    deleteSession: writes(deleteSession),
    append: writes(appendMessages),
    syncHistory: writes(syncHistory),
    get: reads(getMessage),
    replace: writes(replaceMessage),
    remove: writes(removeMessage),
    head: reads(getHead),
    setHead: writes(setHead),
    messages: reads(listMessages),
    branches: reads(listBranches),
    fork: writes(forkSession),
    label: writes(addMessageLabel),
    unlabel: writes(removeMessageLabel),
    labels: reads(listMessageLabels),
    loadStore: reads(loadStore),
    saveStore: writes(saveStore),
    exportSession: async function* (session: string) {
      yield* await exported(session)
    },
    importSession: async (
      lines: Iterable<string> | AsyncIterable<string>,
      options?: { readonly id?: string },
    ) => {
      const all: string[] = []
      for await (const line of lines) if (typeof line !== 'string' || line.trim() !== '') all.push(line)
      return imported(all, options)
    },
    usage: reads(queryUsage),
    verify: async (session?: string) => [
      ...(store.integrityIssues?.() ?? []),
      ...(await (session === undefined ? reads(verifyAll)() : reads(verifySession)(session))),
    ],
    close: () => store.close(),
  })
}
