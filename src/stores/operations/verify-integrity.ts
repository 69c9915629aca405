import type { Message } from '../../canonical/model/message.ts'
import type { IntegrityIssue } from '../conversation-storage.ts'
import type { MessageRow, NodeRow, SessionRow } from '../rows/row-store.ts'
import { computeChecksum, hashMessage, hasMatchingUsage, parseRowBody } from '../rows/row-hash.ts'
import { refuseEncryptedRow } from '../encryption/session-envelope.ts'
import { openSession, readNodeByKey, type TenantScope } from './open-session.ts'

const PAGE_SIZE = 1000

/** Returns the integrity issues of one session, shared messages included, or of all sessions of a tenant. */
export async function verifyIntegrity(
  scope: TenantScope,
  session?: string,
): Promise<readonly IntegrityIssue[]> {
  if (session !== undefined) return verifySession(scope, session)
  const { rows, tenant } = scope
  const issues: IntegrityIssue[] = []
  let after: SessionRow | undefined
  do {
    const page = await rows.sessions({ tenant, limit: PAGE_SIZE, ...(after && { after }) })
    for (const row of page) await verifyOwnRows(scope, refuseEncryptedRow(row), issues)
    after = page.at(-1)
  } while (after !== undefined)
  return issues
}

async function verifySession(scope: TenantScope, id: string): Promise<readonly IntegrityIssue[]> {
  const { row, sections } = await openSession(scope, id)
  const issues: IntegrityIssue[] = []
  for (const { forkPoint } of sections) {
    if (forkPoint === null) continue
    const shared = await scope.rows.pathTo(forkPoint)
    await checkRows(scope, row, shared, new Map(), issues)
    const reason = 'A message on the path that the fork shares is missing'
    if (shared[0]?.depth !== 1) issues.push({ session: row.id, kind: 'parent', reason })
  }
  await verifyOwnRows(scope, row, issues)
  return issues
}

/** Adds the issues of the rows that a session owns. */
async function verifyOwnRows(scope: TenantScope, row: SessionRow, issues: IntegrityIssue[]): Promise<void> {
  const { rows } = scope
  const nodes = new Map<string, NodeRow>()
  for await (const page of rows.ownMessages(row.key)) await checkRows(scope, row, page, nodes, issues)
  for (const { name, head, forkPoint } of await rows.sections([row.key])) {
    for (const key of [head, forkPoint]) {
      if (key === null || nodes.has(key) || (await rows.node(key)) !== undefined) continue
      const reason = `The head of the section ${JSON.stringify(name)} is missing`
      issues.push({ session: row.id, kind: 'head', reason })
    }
  }
}

/** Adds the issues of rows, parents first. A child is compared with its parent's row, so each issue is reported once. */
async function checkRows(
  scope: TenantScope,
  session: SessionRow,
  page: readonly MessageRow[],
  nodes: Map<string, NodeRow>,
  issues: IntegrityIssue[],
): Promise<void> {
  for (const row of page) {
    const { body: _body, checksum: _checksum, usage: _usage, ...node } = row
    const parent = nodes.get(row.parent ?? '') ?? (await readNodeByKey(scope, row.parent))
    nodes.set(row.key, node)
    const fault = findFault(row, parent)
    if (fault !== undefined) issues.push({ session: session.id, message: row.id, ...fault })
  }
}

function findFault(
  row: MessageRow,
  parent: NodeRow | undefined,
): Pick<IntegrityIssue, 'kind' | 'reason'> | undefined {
  const message = tryReadBody(row)
  if (message === undefined) return { kind: 'body', reason: 'The message cannot be read' }
  if (computeChecksum(row) !== row.checksum || !hasMatchingUsage(row, message))
    return { kind: 'checksum', reason: 'The checksum of the row does not match' }
  const attached = parent === undefined ? row.parent === null : parent.section === row.section
  const placed = attached && row.depth === (parent?.depth ?? 0) + 1 && message.parentId === parent?.id
  if (!placed) return { kind: 'parent', reason: 'The message does not follow its original parent' }
  if (hashMessage(message, parent?.hash) === row.hash) return undefined
  return { kind: 'hash', reason: 'The content does not match its hash' }
}

function tryReadBody(row: MessageRow): Message | undefined {
  try {
    return parseRowBody(row)
  } catch {
    return undefined
  }
}
