import type { SessionPosition, SessionRowQuery } from '../rows/row-queries.ts'
import type { RowStore, RowTransaction } from '../rows/row-store.ts'
import {
  type LabelRow,
  type MessageRow,
  type NodeRow,
  type SessionRow,
  toSessionSearchText,
} from '../rows/row-definitions.ts'
import { TransactionKeys } from './transaction-keys.ts'
import { createEncryptedSearchError } from '../storage-errors.ts'
import type { Keyring } from './keyring.ts'
import { rewrapSessionRow } from './session-envelope.ts'

/** A row store whose rows are encrypted, and whose data keys can be encrypted with another key. */
export interface EncryptedRowStore extends RowStore {
  /** Encrypts the data keys of a tenant with its current key; returns their number. Messages are not rewritten. */
  rewrapDataKeys(tenant: string): Promise<number>
}

/** Encrypts what is written to a row store, and decrypts what is read. */
export function encryptRowStore(store: RowStore, keyring: Keyring): EncryptedRowStore {
  return {
    ...(store.backend !== undefined && { backend: store.backend }),
    read: (act, scope) => store.read((rows) => act(createEncryptedTransaction(rows, keyring)), scope),
    write: (act, scope) => store.write((rows) => act(createEncryptedTransaction(rows, keyring)), scope),
    integrityIssues: (tenant) => store.integrityIssues?.(tenant) ?? [],
    removeLeftovers: async () => store.removeLeftovers?.(),
    rewrapDataKeys: async (tenant) => {
      let total = 0
      // A session that is written in the meantime changes its position in the list: repeated until none is left.
      for (let count = -1; count !== 0; total += count) count = await rewrapAll(store, tenant, keyring)
      return total
    },
    close: () => store.close(),
  }
}

/** Goes once through the sessions of a tenant. One transaction for each of them: writers wait only for one. */
async function rewrapAll(store: RowStore, tenant: string, keyring: Keyring): Promise<number> {
  let count = 0
  let after: SessionPosition | undefined
  for (;;) {
    const query: SessionRowQuery = { tenant, limit: PAGE_SIZE, ...(after && { after }) }
    const page = await store.read((rows) => rows.sessions(query), { tenant })
    for (const { key, id } of page)
      if (await store.write((rows) => rewrap(rows, key, keyring), { tenant, session: id })) count += 1
    after = page.at(-1)
    if (after === undefined) return count
  }
}

async function rewrap(rows: RowTransaction, key: string, keyring: Keyring): Promise<boolean> {
  const row = await rows.sessionByKey(key)
  const changed = row && (await rewrapSessionRow(row, keyring))
  if (changed !== undefined) await rows.putSession(changed)
  return changed !== undefined
}

const PAGE_SIZE = 200

/** Number of rows that are encrypted or decrypted at a time. */
const BATCH_SIZE = 500

function createEncryptedTransaction(inner: RowTransaction, keyring: Keyring): RowTransaction {
  const keys = new TransactionKeys(inner, keyring)
  const openNodes = (rows: readonly NodeRow[]): Promise<readonly NodeRow[]> =>
    mapInBatches(rows, (row) => keys.decryptNode(row))
  const openMessages = (rows: readonly MessageRow[]): Promise<readonly MessageRow[]> =>
    mapInBatches(rows, (row) => keys.decryptMessage(row))
  const sealMessages = (rows: readonly MessageRow[]): Promise<readonly MessageRow[]> =>
    mapInBatches(rows, (row) => keys.encryptMessage(row))
  const openNode = async (row: NodeRow | undefined): Promise<NodeRow | undefined> =>
    row && keys.decryptNode(row)
  const openSession = async (row: SessionRow | undefined): Promise<SessionRow | undefined> =>
    row && keys.decryptSession(row)

  /** Titles and labels are encrypted, so sessions are decrypted page by page until enough match. */
  async function findSessions(query: SessionRowQuery): Promise<readonly SessionRow[]> {
    const { tenant, search, label, limit } = query
    const found: SessionRow[] = []
    let { after } = query
    while (found.length < limit) {
      const isFiltered = search !== undefined || label !== undefined
      const size = isFiltered ? PAGE_SIZE : limit
      const page = await inner.sessions({ tenant, limit: size, ...(after && { after }) })
      for (const row of await mapInBatches(page, (each) => keys.decryptSession(each))) {
        // Without the key it is not known whether the session matches.
        if (isFiltered && row.fault?.error !== undefined) throw row.fault.error
        const isWanted =
          (search === undefined || toSessionSearchText(row).includes(search)) &&
          (label === undefined || row.labels.includes(label))
        if (isWanted && found.length < limit) found.push(row)
      }
      after = page.at(-1)
      if (page.length < size) break
    }
    return found
  }

  return {
    removeSession: (key) => inner.removeSession(key),
    sections: (sessions) => inner.sections(sessions),
    putSection: (row) => inner.putSection(row),
    removeSection: (session, name) => inner.removeSection(session, name),
    dependentSections: (session) => inner.dependentSections(session),
    removeMessages: (all) => inner.removeMessages(all),
    lease: (session) => inner.lease(session),
    putLease: (row) => inner.putLease(row),
    removeLease: (session) => inner.removeLease(session),
    now: () => inner.now?.() ?? Promise.resolve(Date.now()),
    usage: (query) => inner.usage(query),
    search: async () => {
      throw createEncryptedSearchError()
    },

    session: async (tenant, id, messageIds) => openSession(await inner.session(tenant, id, messageIds)),
    sessionByKey: async (key) => openSession(await inner.sessionByKey(key)),
    sessions: findSessions,
    putSession: async (row) => inner.putSession(await keys.encryptSession(row)),

    node: async (key) => openNode(await inner.node(key)),
    nodesById: async (sessions, ids) => openNodes(await inner.nodesById(sessions, ids)),
    nodesByHash: async (sessions, section, hash, depth) => {
      const found: NodeRow[] = []
      for (const session of sessions) {
        const encrypted = await keys.encryptHash({ session, section, hash })
        if (encrypted === undefined) continue
        for (const node of await inner.nodesByHash([session], section, encrypted, depth)) found.push(node)
      }
      return openNodes(found)
    },
    ancestor: async (key, depth) => openNode(await inner.ancestor(key, depth)),
    branchHeads: async (session, section) => openNodes(await inner.branchHeads(session, section)),
    nodesWithForeignParent: async (session, section) =>
      openNodes(await inner.nodesWithForeignParent(session, section)),

    message: async (key) => {
      const row = await inner.message(key)
      return row && keys.decryptMessage(row)
    },
    messages: async (all) => openMessages(await inner.messages(all)),
    pathTo: async (key, last) => openMessages(await inner.pathTo(key, last)),
    // Decryption needs the complete rows.
    bodiesTo: async (key, last) => openMessages(await inner.pathTo(key, last)),
    // The texts are encrypted, so every message of the path is decrypted.
    pathMatches: async (key, texts, last) =>
      (await openMessages(await inner.pathTo(key, last))).filter(({ body }) =>
        texts.some((text) => body.includes(text)),
      ),
    newestChildren: async (key, limit) => openMessages(await inner.newestChildren(key, limit)),
    descendants: async (key) => openMessages(await inner.descendants(key)),
    countMessages: (session) => inner.countMessages(session),
    ownPositions: (session) => inner.ownPositions(session),
    ownMessages: async function* (session) {
      for await (const page of inner.ownMessages(session)) yield await openMessages(page)
    },
    insertMessages: async (rows) => inner.insertMessages(await sealMessages(rows)),
    updateMessages: async (rows) => inner.updateMessages(await sealMessages(rows)),
    transferMessages: async (all, session) => {
      // Messages are encrypted with the data key of their session.
      for (let start = 0; start < all.length; start += BATCH_SIZE) {
        const batch = await inner.messages(all.slice(start, start + BATCH_SIZE))
        await inner.updateMessages(await keys.transferMessages(batch, session))
      }
    },

    labels: async (session) => mapInBatches(await inner.labels(session), (row) => keys.decryptLabel(row)),
    putLabel: async (row) => inner.putLabel(await keys.encryptLabel(row)),
    removeLabel: async (row: LabelRow) => inner.removeLabel(await keys.encryptLabel(row)),
  }
}

async function mapInBatches<T, R>(
  values: readonly T[],
  map: (value: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = []
  for (let start = 0; start < values.length; start += BATCH_SIZE)
    for (const result of await Promise.all(values.slice(start, start + BATCH_SIZE).map(map)))
      results.push(result)
  return results
}
