import type { IdentityOptions } from '../canonical/build/identity.ts'
import type { ConversationStorage } from './contract.ts'
import { checkName } from './names.ts'
import { append } from './operations/append.ts'
import { remove, replace } from './operations/change.ts'
import { exportSession, importSession } from './operations/exchange.ts'
import { appendHistory } from './operations/history.ts'
import { label, labels, unlabel } from './operations/labels.ts'
import type { Scope } from './operations/scope.ts'
import {
  createSession,
  deleteSession,
  getSession,
  listSessions,
  updateSession,
} from './operations/sessions.ts'
import { loadStore, saveStore } from './operations/store.ts'
import { branches, fork, get, head, navigate, path } from './operations/tree.ts'
import { usage } from './operations/usage.ts'
import { verifyAll, verifySession } from './operations/verify.ts'
import type { Rows, RowStore } from './rows/rows.ts'

/** What every storage may be told. */
export interface StorageOptions extends IdentityOptions {
  /** Whose conversations these are. Default: `default`. */
  readonly tenant?: string
}

type Operation<A extends readonly unknown[], T> = (rows: Rows, scope: Scope, ...args: A) => Promise<T>

/**
 * A storage over rows: all that conversations need is done here, once for every backend.
 *
 * @example
 * const storage = storageOver(myRowStore, { tenant: 'acme' })
 */
export function storageOver(
  store: RowStore,
  { tenant = 'default', ...identity }: StorageOptions = {},
): ConversationStorage {
  const scope: Scope = { identity, tenant: checkName(tenant, 'tenant') }
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
    forTenant: (other: string) => storageOver(store, { ...identity, tenant: other }),
    createSession: writes(createSession),
    session: reads(getSession),
    sessions: reads(listSessions),
    updateSession: writes(updateSession),
    deleteSession: writes(deleteSession),
    append: writes(append),
    appendHistory: writes(appendHistory),
    get: reads(get),
    replace: writes(replace),
    remove: writes(remove),
    head: reads(head),
    navigate: writes(navigate),
    path: reads(path),
    branches: reads(branches),
    fork: writes(fork),
    label: writes(label),
    unlabel: writes(unlabel),
    labels: reads(labels),
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
    usage: reads(usage),
    verify: async (session?: string) => [
      ...(store.damages?.() ?? []),
      ...(await (session === undefined ? reads(verifyAll)() : reads(verifySession)(session))),
    ],
    close: () => store.close(),
  })
}
