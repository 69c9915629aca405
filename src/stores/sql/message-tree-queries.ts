import { findDescendants } from '../rows/row-queries.ts'
import type { MessageTreeQueries } from '../rows/row-store.ts'
import type { MessageBody, MessageTreePosition, MessageRow, NodeRow } from '../rows/row-definitions.ts'
import {
  BODY_COLUMNS,
  MESSAGE_COLUMNS,
  NODE_COLUMNS,
  POSITION_COLUMNS,
  readBodyRow,
  readMessageRow,
  readNodeRow,
  readPositionRow,
  readTextColumn,
} from './row-columns.ts'
import { ANCESTORS_SQL, collectPath, PATH_PAGE_SIZE, readPath } from './message-path.ts'
import type { SqlRow } from './sql-driver.ts'
import {
  checkPageOrder,
  formatParameterList,
  qualifyColumns,
  type SqlStatements,
  toLikePattern,
} from './sql-statements.ts'

/** Maximum number of complete rows that are handed over at once: `verify()` hashes each of them. */
const ROW_PAGE_SIZE = 250

export const SELECT_NODE: string = `select ${qualifyColumns(NODE_COLUMNS, 'm')} from interlingua_messages m`
const SELECT_MESSAGE = `select ${qualifyColumns(MESSAGE_COLUMNS, 'm')} from interlingua_messages m`

/** The ancestor of a message at a depth. */
const HIGHEST_ANCESTOR_SQL = `${ANCESTORS_SQL} select ${qualifyColumns(NODE_COLUMNS, 'm')} from up
  join interlingua_messages m on m.key = up.key where up.depth = ?`

/** The position of a message among those of a session: depth, parent and key, as in the index of the tree. */
type TreePosition = readonly [depth: number, parent: string, key: string]

const POSITION = '(m.depth, m.parent, m.key)'
const ORDER = 'order by m.depth, m.parent, m.key'

/** Returns the position before all messages of a depth. */
const startOfDepth = (depth: number): TreePosition => [depth, '', '']

const START = startOfDepth(0)
const END = startOfDepth(2 ** 31 - 1)

/** Creates the queries over the tree of messages. */
export function createMessageTreeQueries(statements: SqlStatements): Readonly<MessageTreeQueries> {
  async function readPathMatches(
    key: string,
    texts: readonly string[],
    last = Infinity,
  ): Promise<readonly MessageRow[]> {
    const where = texts.map(() => `m.body like ? escape '\\'`).join(' or ')
    const matches = `${ANCESTORS_SQL} select ${qualifyColumns(MESSAGE_COLUMNS, 'm')} from up
      join interlingua_messages m on m.key = up.key where ${where} order by up.depth desc`
    const pageEnd = `${ANCESTORS_SQL} select parent from up where count = ?`
    const found: MessageRow[] = []
    let left = last
    for (let next = key; next !== '' && left > 0;) {
      const size = Math.min(left, PATH_PAGE_SIZE)
      left -= size
      const values = [next, size, ...texts.map(toLikePattern)]
      for (const row of await statements.select(readMessageRow, matches, values)) found.push(row)
      const [end] = await statements.query(pageEnd, [next, size, size])
      next = end === undefined ? '' : readTextColumn(end, 'parent')
    }
    return found.toReversed()
  }

  /** Yields the positions after which and up to which each page of a session's messages is. */
  async function* readPages(
    session: string,
    start: TreePosition,
  ): AsyncGenerator<readonly [after: TreePosition, to: TreePosition]> {
    const text = `select m.depth, m.parent, m.key from interlingua_messages m
      where m.session = ? and ${POSITION} > (?, ?, ?) ${ORDER} limit 1 offset ?`
    let after = start
    for (;;) {
      const to = await statements.selectOne(readPosition, text, [session, ...after, PATH_PAGE_SIZE - 1])
      yield [after, to ?? END]
      if (to === undefined) return
      after = checkPageOrder(after, to)
    }
  }

  /** Yields columns of the messages that a session owns after a position, ordered by depth. */
  async function* readOwn<T extends MessageTreePosition>(
    session: string,
    start: TreePosition,
    columns: readonly string[],
    read: (row: SqlRow) => T,
  ): AsyncGenerator<readonly T[]> {
    const text = `select ${qualifyColumns(columns, 'm')} from interlingua_messages m
      where m.session = ? and ${POSITION} > (?, ?, ?) ${ORDER} limit ?`
    let after = start
    for (;;) {
      const page = await statements.select(read, text, [session, ...after, ROW_PAGE_SIZE])
      const last = page.at(-1)
      if (last === undefined) return
      yield page
      after = checkPageOrder(after, [last.depth, last.parent ?? '', last.key])
    }
  }

  const readOwnMessages = (session: string, start: TreePosition): AsyncGenerator<readonly MessageRow[]> =>
    readOwn(session, start, MESSAGE_COLUMNS, readMessageRow)

  async function countMessages(session: string): Promise<number> {
    let pages = 0
    let last = START
    for await (const [after] of readPages(session, START)) {
      pages += 1
      last = after
    }
    const text = `select count(*) as count from interlingua_messages m where m.session = ? and ${POSITION} > (?, ?, ?)`
    const [row] = await statements.query(text, [session, ...last])
    return (pages - 1) * PATH_PAGE_SIZE + Number(row?.['count'])
  }

  /** Returns the nodes of a section that match a condition, ordered by key. */
  async function selectNodes(
    session: string,
    section: string,
    condition: string,
  ): Promise<readonly NodeRow[]> {
    const text = `${SELECT_NODE} where m.session = ? and ${POSITION} > (?, ?, ?) and ${POSITION} <= (?, ?, ?)
      and m.section = ? and ${condition}`
    const found: NodeRow[] = []
    for await (const [after, to] of readPages(session, START)) {
      const values = [session, ...after, ...to, section]
      for (const node of await statements.select(readNodeRow, text, values)) found.push(node)
    }
    return found.sort((a, b) => (a.key < b.key ? -1 : 1))
  }

  const selectMessage = (key: string): Promise<MessageRow | undefined> =>
    statements.selectOne(readMessageRow, `${SELECT_MESSAGE} where m.key = ?`, [key])

  const selectNode = (key: string): Promise<NodeRow | undefined> =>
    statements.selectOne(readNodeRow, `${SELECT_NODE} where m.key = ?`, [key])

  return {
    node: selectNode,
    nodesById: (sessions, ids) =>
      statements.inBatches(ids, (batch) => {
        const where = `where m.session in ${formatParameterList(sessions)} and m.id in ${formatParameterList(batch)}`
        return statements.select(readNodeRow, `${SELECT_NODE} ${where}`, [...sessions, ...batch])
      }),
    nodesByHash: (sessions, section, hash, depth) =>
      statements.select(
        readNodeRow,
        `${SELECT_NODE}
        where m.session in ${formatParameterList(sessions)} and m.depth = ? and m.section = ? and m.hash = ? order by m.key`,
        [...sessions, depth, section, hash],
      ),
    ancestor: async (key, depth) => {
      let node = await selectNode(key)
      while (node !== undefined && node.depth > depth) {
        const target: number = Math.max(depth, node.depth - PATH_PAGE_SIZE)
        node = await statements.selectOne(readNodeRow, HIGHEST_ANCESTOR_SQL, [
          node.key,
          node.depth - target + 1,
          target,
        ])
      }
      return node?.depth === depth ? node : undefined
    },
    branchHeads: (session, section) =>
      selectNodes(
        session,
        section,
        `not exists (select 1 from interlingua_messages c
          where c.session = m.session and c.depth = m.depth + 1 and c.parent = m.key)`,
      ),
    nodesWithForeignParent: (session, section) =>
      selectNodes(
        session,
        section,
        'exists (select 1 from interlingua_messages p where p.key = m.parent and p.session <> m.session)',
      ),

    message: selectMessage,
    messages: (keys) =>
      statements.inBatches(keys, (batch) =>
        statements.select(
          readMessageRow,
          `${SELECT_MESSAGE} where m.key in ${formatParameterList(batch)}`,
          batch,
        ),
      ),
    bodiesTo: (key, last = Infinity): Promise<readonly MessageBody[]> =>
      collectPath(readPath(statements, BODY_COLUMNS, readBodyRow, key, last)),
    pathTo: (key, last = Infinity) =>
      collectPath(readPath(statements, MESSAGE_COLUMNS, readMessageRow, key, last)),
    pathMatches: readPathMatches,
    newestChildren: async (key, limit) => {
      const text = `${SELECT_MESSAGE} where m.parent = ? and (m.session, m.depth) =
        (select p.session, p.depth + 1 from interlingua_messages p where p.key = ?) order by m.key desc limit ?`
      return statements.select(readMessageRow, text, [key, key, limit])
    },
    descendants: async (key) => {
      const top = await selectNode(key)
      return top === undefined
        ? []
        : findDescendants(key, readOwnMessages(top.session, startOfDepth(top.depth + 1)))
    },
    countMessages,
    ownPositions: (session) => readOwn(session, START, POSITION_COLUMNS, readPositionRow),
    ownMessages: (session) => readOwnMessages(session, START),
  }
}

function readPosition(row: SqlRow): TreePosition {
  return [Number(row['depth']), String(row['parent']), String(row['key'])]
}
