import { findDescendants } from '../rows/row-queries.ts'
import type { MessageTreeQueries } from '../rows/row-store.ts'
import type { MessageBody, MessageRow, NodeRow } from '../rows/row-definitions.ts'
import { createCompositeKey } from '../in-memory/in-memory-tables.ts'
import type { PendingChanges } from '../in-memory/pending-changes.ts'
import { INDEX_PREFIXES } from './redis-keys.ts'
import { NODE_FIELDS } from './lua-scripts.ts'
import type { RedisReader } from './redis-reader.ts'
import { BODY_ROW_FIELDS, decodeMessageRow, decodeNodeRow, MESSAGE_ROW_FIELDS } from './redis-row-codec.ts'

/** What a transaction has read together with its sessions. */
export interface KnownMessages {
  /** By key. */
  readonly nodes: Map<string, NodeRow>
  /** Ids that were looked up, by the key of their session. */
  readonly ids: Map<string, readonly string[]>
}

/** Reads some rows by their keys. */
type ReadRows<T> = (keys: readonly string[]) => Promise<readonly T[]>

/** Creates the queries over the tree of messages: what is stored, combined with the changes of the transaction. */
export function createRedisMessageTree(
  reader: RedisReader,
  changes: PendingChanges,
  { nodes: knownNodes, ids: knownIds }: KnownMessages,
): MessageTreeQueries {
  const { tables } = changes
  const isStored = (key: string): boolean => !changes.isChanged('message', key)
  const isPresent = ({ session }: NodeRow): boolean => !changes.removedSessions.has(session)

  /** Returns changed rows from the transaction and the others from the server, in the order of the keys. */
  async function lookUp<T extends NodeRow>(
    keys: readonly string[],
    read: ReadRows<T>,
  ): Promise<readonly (T | MessageRow)[]> {
    const stored = new Map((await read(keys.filter(isStored))).filter(isPresent).map((row) => [row.key, row]))
    return keys.flatMap((key) => stored.get(key) ?? tables.message.get(key) ?? [])
  }

  const readMessages: ReadRows<MessageRow> = (keys) => reader.messages(keys)

  const readNodes: ReadRows<NodeRow> = async (keys) => {
    const unknown = keys.filter((key) => !knownNodes.has(key))
    const read = new Map((await reader.nodes(unknown)).map((row) => [row.key, row]))
    return keys.flatMap((key) => knownNodes.get(key) ?? read.get(key) ?? [])
  }

  async function readNode(key: string): Promise<NodeRow | undefined> {
    return (await lookUp([key], readNodes))[0]
  }

  async function readMessage(key: string): Promise<MessageRow | undefined> {
    return (await lookUp([key], readMessages))[0]
  }

  async function findMessageKeys(session: string, ids: readonly string[]): Promise<readonly string[]> {
    const known = knownIds.get(session)
    if (known === undefined || !ids.every((id) => known.includes(id))) return reader.messageKeys(session, ids)
    const nodes = [...knownNodes.values()]
    return nodes.filter((node) => node.session === session && ids.includes(node.id)).map(({ key }) => key)
  }

  /** Yields the path to a message, from last to first. A changed row may be anywhere on it. */
  async function* walkPath<T extends { readonly depth: number }>(
    start: string,
    limit: number,
    fields: readonly string[],
    decode: (key: string, values: readonly unknown[]) => T,
  ): AsyncGenerator<T | MessageRow> {
    let key = start
    let depth: number | undefined
    let left = limit
    while (key !== '' && left > 0) {
      if (!isStored(key)) {
        const row = tables.message.get(key)
        if (row === undefined || (depth !== undefined && row.depth !== depth)) return
        yield row
        left -= 1
        depth = row.depth - 1
        key = row.parent ?? ''
        continue
      }
      const { rows, next } = await reader.path(key, depth, left, fields)
      key = next
      for (const [each, values] of rows) {
        if (!isStored(each)) {
          key = each
          break
        }
        const row = decode(each, values)
        yield row
        left -= 1
        depth = row.depth - 1
      }
    }
  }

  async function collectPath<T>(rows: AsyncIterable<T>): Promise<readonly T[]> {
    const path: T[] = []
    for await (const row of rows) path.push(row)
    return path.reverse()
  }

  const decodeBody = (_key: string, [depth, body]: readonly unknown[]): MessageBody => ({
    depth: Number(depth),
    body: String(body),
  })

  const readPath = (key: string, last = Infinity): AsyncGenerator<MessageRow> =>
    walkPath(key, last, MESSAGE_ROW_FIELDS, decodeMessageRow)

  /** Yields the messages that a session owns in pages, ordered by depth. */
  async function* readOwn<T extends NodeRow>(
    session: string,
    minDepth: number,
    read: ReadRows<T>,
  ): AsyncGenerator<readonly (T | MessageRow)[]> {
    const changed = [...tables.messagesBySession.get(session)].flatMap((key) => tables.message.get(key) ?? [])
    const pending: (T | MessageRow)[] = changed.filter(({ depth }) => depth >= minDepth)
    for await (const keys of changes.removedSessions.has(session) ? [] : reader.ownKeys(session, minDepth)) {
      const page = await read(keys.filter(isStored))
      if (changed.length === 0) yield page
      else for (const row of page) pending.push(row)
    }
    if (pending.length > 0) yield pending.sort((a, b) => a.depth - b.depth)
  }

  /** Reads all messages of an index; one that is missing is damage, which its empty row shows. */
  const readOwnMessages: ReadRows<MessageRow> = async (keys) => {
    const found = new Map((await reader.messages(keys)).map((row) => [row.key, row]))
    return keys.map((key) => found.get(key) ?? decodeMessageRow(key, []))
  }

  async function collectNodes(session: string): Promise<readonly NodeRow[]> {
    const nodes: NodeRow[] = []
    for await (const page of readOwn(session, 1, (keys) => reader.nodes(keys)))
      for (const node of page) nodes.push(node)
    return nodes.toSorted((a, b) => (a.key < b.key ? -1 : 1))
  }

  async function findIndexed(session: string, entry: string): Promise<readonly string[]> {
    if (changes.removedSessions.has(session)) return []
    // The entries that begin with this one, which ends with a space.
    const keys = await reader.indexed(session, entry, `${entry.slice(0, -1)}!`)
    return keys.filter(isStored)
  }

  return {
    node: readNode,
    nodesById: async (sessions, ids) => {
      const keys = await Promise.all(
        sessions.map(async (session) => {
          const known = ids.map((id) => tables.messageById.get(createCompositeKey(session, id)) ?? [])
          const stored = changes.removedSessions.has(session) ? [] : await findMessageKeys(session, ids)
          return [...stored.filter(isStored), ...known.flat()]
        }),
      )
      return lookUp(keys.flat(), readNodes)
    },
    nodesByHash: async (sessions, section, hash) => {
      const keys: string[] = []
      for (const session of sessions) {
        const stored = await findIndexed(session, INDEX_PREFIXES.hash(hash, section))
        const changed = tables.messagesByHash.get(createCompositeKey(session, section, hash))
        for (const key of [...stored, ...changed]) keys.push(key)
      }
      const nodes = await lookUp(keys, readNodes)
      return nodes.filter((node) => node.hash === hash && node.section === section)
    },
    ancestor: async (key, depth) => {
      for await (const node of walkPath(key, Infinity, NODE_FIELDS, decodeNodeRow))
        if (node.depth <= depth) return node.depth === depth ? node : undefined
      return undefined
    },
    branchHeads: async (session, section) => {
      const nodes = await collectNodes(session)
      const parents = new Set(nodes.map(({ parent }) => parent))
      return nodes.filter((node) => node.section === section && !parents.has(node.key))
    },
    nodesWithForeignParent: async (session, section) => {
      const nodes = (await collectNodes(session)).filter((node) => node.section === section)
      const own = new Set(nodes.map(({ key }) => key))
      const foreign = nodes.filter(({ parent }) => parent !== null && !own.has(parent))
      const parents = await lookUp([...new Set(foreign.map(({ parent }) => parent ?? ''))], readNodes)
      const others = new Set(parents.filter((node) => node.session !== session).map(({ key }) => key))
      return foreign.filter(({ parent }) => others.has(parent ?? ''))
    },

    message: readMessage,
    messages: (keys) => lookUp(keys, readMessages),
    pathTo: (key, last) => collectPath(readPath(key, last)),
    bodiesTo: (key, last = Infinity) => collectPath(walkPath(key, last, BODY_ROW_FIELDS, decodeBody)),
    pathMatches: async (key, texts) => {
      const found: MessageRow[] = []
      for await (const row of readPath(key))
        if (texts.some((text) => row.body.includes(text))) found.push(row)
      return found.reverse()
    },
    newestChildren: async (key, limit) => {
      const parent = await readNode(key)
      if (parent === undefined) return []
      const stored = await findIndexed(parent.session, INDEX_PREFIXES.children(key))
      const keys = [...new Set([...stored, ...tables.childrenByParent.get(key)])].toSorted()
      const rows = await lookUp(keys.slice(-limit), readMessages)
      return rows.filter(({ session }) => session === parent.session)
    },
    descendants: async (key) => {
      const top = await readNode(key)
      return top === undefined
        ? []
        : findDescendants(key, readOwn(top.session, top.depth + 1, readOwnMessages))
    },
    countMessages: async (session) => {
      if (changes.isEmpty) return reader.countOwn(session)
      let count = 0
      for await (const page of readOwn(session, 1, (keys) => reader.nodes(keys))) count += page.length
      return count
    },
    ownPositions: (session) => readOwn(session, 1, (keys) => reader.nodes(keys)),
    ownMessages: (session) => readOwn(session, 1, readOwnMessages),
  }
}
