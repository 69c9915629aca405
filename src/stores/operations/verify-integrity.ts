import type { IntegrityIssue } from '../conversation-storage.ts'
import { InterlinguaError } from '../../errors.ts'
import type { MessageRow, NodeRow, SectionRow, SessionRow } from '../rows/row-definitions.ts'
import { createUnknownSessionError } from '../storage-errors.ts'
import {
  findNodes,
  findSessionRow,
  isNodeInSession,
  type OpenedSession,
  readNodeByKey,
  type TenantScope,
} from './open-session.ts'
import { refuseEncryptedRow } from '../encryption/session-envelope.ts'
import type { Message } from '../../canonical/model/message.ts'
import { yieldIfTurnIsLong } from '../event-loop-turns.ts'
import { computeChecksum, computeMessageHash, hasMatchingUsage, parseRowBody } from '../rows/row-hash.ts'

/** The messages of the last depth, among which the parents of the next ones are; others are looked up. */
class LastNodes {
  #depth = 0
  #parents = new Map<string, NodeRow>()
  #nodes = new Map<string, NodeRow>()

  /** Returns a node that was added, if its depth is the last one or the one before. */
  get(key: string | null): NodeRow | undefined {
    return this.#parents.get(key ?? '') ?? this.#nodes.get(key ?? '')
  }

  /** Adds a node; nodes are added in the order of their depth. */
  add({ body: _body, checksum: _checksum, usage: _usage, ...node }: MessageRow): void {
    if (node.depth !== this.#depth) {
      this.#parents = this.#nodes
      this.#nodes = new Map()
      this.#depth = node.depth
    }
    this.#nodes.set(node.key, node)
  }
}

/**
 * Adds the issues of rows, parents first. A child is compared with its parent's row, so each issue is reported once.
 * `isVisible` tests whether a parent belongs to the session, or to a path that it shares.
 */
async function checkMessageRows(
  opened: OpenedSession,
  page: readonly MessageRow[],
  nodes: LastNodes,
  issues: IntegrityIssue[],
  isVisible: (node: NodeRow) => Promise<boolean> = async () => true,
): Promise<void> {
  for (const row of page) {
    await yieldIfTurnIsLong()
    const parent = nodes.get(row.parent) ?? (await readNodeByKey(opened, row.parent))
    nodes.add(row)
    const fault = findFault(row, parent, parent === undefined || (await isVisible(parent)))
    if (fault !== undefined) issues.push({ session: opened.row.id, message: row.id, ...fault })
  }
}

function findFault(
  row: MessageRow,
  parent: NodeRow | undefined,
  isParentVisible: boolean,
): Pick<IntegrityIssue, 'kind' | 'reason'> | undefined {
  const message = tryReadBody(row)
  if (message === undefined) return { kind: 'body', reason: 'The message cannot be read' }
  if (computeChecksum(row) !== row.checksum || !hasMatchingUsage(row, message))
    return { kind: 'checksum', reason: 'The checksum of the row does not match' }
  const attached =
    parent === undefined ? row.parent === null : parent.section === row.section && isParentVisible
  const placed = attached && row.depth === (parent?.depth ?? 0) + 1 && message.parentId === parent?.id
  if (!placed) return { kind: 'parent', reason: 'The message does not follow its original parent' }
  if (computeMessageHash(message, parent?.hash) === row.hash) return undefined
  return { kind: 'hash', reason: 'The content does not match its hash' }
}

function tryReadBody(row: MessageRow): Message | undefined {
  try {
    return parseRowBody(row)
  } catch {
    return undefined
  }
}

/** Returns the integrity issues of one session, shared messages included. */
export async function verifyOneSession(
  scope: TenantScope,
  session: string,
): Promise<readonly IntegrityIssue[]> {
  const row = await findSessionRow(scope, session)
  if (row === undefined) throw createUnknownSessionError()
  const issues: IntegrityIssue[] = []
  await verifySession(scope, row, issues, true)
  return issues
}

/** Returns the integrity issues of a session that was listed, or none if it was deleted in the meantime. */
export async function verifyListedSession(
  scope: TenantScope,
  listed: SessionRow,
): Promise<readonly IntegrityIssue[]> {
  const issues: IntegrityIssue[] = []
  await continueAfterDamage(listed.id, issues, async () => {
    const row = await scope.rows.sessionByKey(listed.key)
    // A row that could not be read when it was listed may not be found by its key.
    const checked = row ?? (listed.fault?.isUnreadable === true ? listed : undefined)
    if (checked !== undefined) await verifySession(scope, refuseEncryptedRow(checked), issues, false)
  })
  return issues
}

/**
 * Returns the integrity issues of all sessions of a tenant. Each session is read in a transaction of its own: a snapshot of
 * all of them would have to be kept for as long as the check takes.
 */
export async function verifyAllSessions(
  listPage: (after: SessionRow | undefined) => Promise<readonly SessionRow[]>,
  verifyListed: (row: SessionRow) => Promise<readonly IntegrityIssue[]>,
): Promise<readonly IntegrityIssue[]> {
  const issues: IntegrityIssue[] = []
  let after: SessionRow | undefined
  await continueAfterDamage(undefined, issues, async () => {
    do {
      const page = await listPage(after)
      for (const row of page) for (const issue of await verifyListed(row)) issues.push(issue)
      after = page.at(-1)
    } while (after !== undefined)
  })
  return issues
}

/** Runs a check. Rows that the database cannot read are an issue; the other checks continue. */
async function continueAfterDamage(
  session: string | undefined,
  issues: IntegrityIssue[],
  check: () => Promise<void>,
): Promise<void> {
  try {
    await check()
  } catch (error) {
    if (!(error instanceof InterlinguaError) || error.code !== 'damaged') throw error
    issues.push({ ...(session !== undefined && { session }), kind: 'database', reason: error.message })
  }
}

/** Adds the issues of a session. Messages that it shares belong to other sessions and are checked on request. */
async function verifySession(
  scope: TenantScope,
  row: SessionRow,
  issues: IntegrityIssue[],
  includesShared: boolean,
): Promise<void> {
  const { rows, tenant, identity } = scope
  if (row.fault !== undefined) issues.push({ session: row.id, kind: 'session', reason: row.fault.reason })
  await continueAfterDamage(row.id, issues, async () => {
    const opened = { rows, tenant, identity, row, sections: await rows.sections([row.key]) }
    if (includesShared) await verifySharedPaths(opened, issues)
    const nodes = new LastNodes()
    for await (const page of rows.ownMessages(row.key)) {
      await checkMessageRows(opened, page, nodes, issues, (node) => isNodeInSession(opened, node))
      await verifySearchIndex(opened, page, issues)
    }
    for (const section of opened.sections) await verifySection(opened, section, issues)
    await verifyLabels(opened, issues)
  })
}

/** Adds the messages whose entry in the index of searches is missing or outdated. */
async function verifySearchIndex(
  { rows, row, tenant }: OpenedSession,
  page: readonly MessageRow[],
  issues: IntegrityIssue[],
): Promise<void> {
  const keys = new Set(await rows.findUnindexed?.(page, tenant))
  const reason = 'The index of searches does not match the message; rebuildSearchIndex() repairs it'
  for (const { key, id } of page)
    if (keys.has(key)) issues.push({ session: row.id, message: id, kind: 'search', reason })
}

async function verifySharedPaths(opened: OpenedSession, issues: IntegrityIssue[]): Promise<void> {
  for (const { name, forkPoint } of opened.sections) {
    if (forkPoint === null) continue
    const shared = await opened.rows.pathTo(forkPoint)
    await checkMessageRows(opened, shared, new LastNodes(), issues)
    const reason = `A message on the path that the section ${JSON.stringify(name)} shares is missing`
    if (shared[0]?.depth !== 1) issues.push({ session: opened.row.id, kind: 'parent', reason })
  }
}

/** Adds the issues of a section: its checksum, its head and its fork point. */
async function verifySection(
  opened: OpenedSession,
  { name, head, forkPoint, lineage, fault }: SectionRow,
  issues: IntegrityIssue[],
): Promise<void> {
  const report = (kind: IntegrityIssue['kind'], reason: string): void => {
    issues.push({ session: opened.row.id, kind, reason: `${reason} (section ${JSON.stringify(name)})` })
  }
  if (fault !== undefined) report('section', fault.reason)
  const headNode = await readNodeByKey(opened, head)
  if (head !== null && headNode === undefined) report('head', 'The head is missing')
  else if (
    headNode !== undefined &&
    (headNode.section !== name || !(await isNodeInSession(opened, headNode)))
  )
    report('head', 'The head belongs to another session or section')
  const owner = (await readNodeByKey(opened, forkPoint))?.session
  if (forkPoint !== null && owner === undefined) report('head', 'The fork point is missing')
  else if (owner !== lineage[0] || owner === opened.row.key)
    report('head', 'The fork point does not belong to the first session of the lineage')
}

/** Adds the issues of labels: their checksums, and messages that the session does not contain. */
async function verifyLabels(opened: OpenedSession, issues: IntegrityIssue[]): Promise<void> {
  const labels = await opened.rows.labels(opened.row.key)
  const known = await findNodes(opened, [...new Set(labels.map(({ message }) => message))])
  for (const { message, fault } of labels) {
    const missing = known.has(message) ? undefined : 'A label belongs to a message that is missing'
    const reason = fault?.reason ?? missing
    if (reason !== undefined) issues.push({ session: opened.row.id, message, kind: 'label', reason })
  }
}
