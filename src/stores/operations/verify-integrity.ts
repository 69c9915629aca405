import type { Message } from '../../canonical/model/message.ts'
import type { IntegrityIssue } from '../conversation-storage.ts'
import type { MessageRow, NodeRow, SessionRow, RowTransaction } from '../rows/row-store.ts'
import { computeChecksum, hashMessage, hasMatchingUsage, parseBody } from '../rows/row-hash.ts'
import { openSession, type TenantScope } from './open-session.ts'

/** Returns the integrity issues of a session: of its own messages and of shared ones. */
export async function verifySession(
  rows: RowTransaction,
  scope: TenantScope,
  id: string,
): Promise<readonly IntegrityIssue[]> {
  const { row, sections } = await openSession(rows, scope, id)
  const damages: IntegrityIssue[] = []
  for (const { forkPoint } of sections) {
    if (forkPoint === null) continue
    const shared = await rows.pathTo(forkPoint)
    damages.push(...(await checkRows(rows, row, shared, new Map())))
    if (shared[0]?.depth !== 1)
      damages.push(toIntegrityIssue(row, 'parent', 'A message on the path that the fork shares is missing'))
  }
  return [...damages, ...(await verifyOwnRows(rows, row))]
}

const PAGE_SIZE = 1000

/** Returns the integrity issues of all sessions of a tenant. */
export async function verifyAll(
  rows: RowTransaction,
  { tenant }: TenantScope,
): Promise<readonly IntegrityIssue[]> {
  const damages: IntegrityIssue[] = []
  let after: SessionRow | undefined
  do {
    const page = await rows.sessions({ tenant, limit: PAGE_SIZE, ...(after && { after }) })
    for (const row of page) damages.push(...(await verifyOwnRows(rows, row)))
    after = page.at(-1)
  } while (after !== undefined)
  return damages
}

async function verifyOwnRows(rows: RowTransaction, row: SessionRow): Promise<readonly IntegrityIssue[]> {
  const damages: IntegrityIssue[] = []
  const nodes = new Map<string, NodeRow>()
  for await (const page of rows.ownMessages(row.key)) {
    damages.push(...(await checkRows(rows, row, page, nodes)))
  }
  for (const { name, head, forkPoint } of await rows.sections([row.key])) {
    for (const key of [head, forkPoint]) {
      if (key === null || nodes.has(key) || (await rows.node(key)) !== undefined) continue
      damages.push(
        toIntegrityIssue(row, 'head', `The head of the section ${JSON.stringify(name)} is missing`),
      )
    }
  }
  return damages
}

/** Checks rows, parents first. A child is compared with its parent's row, so each issue is reported once. */
async function checkRows(
  rows: RowTransaction,
  session: SessionRow,
  page: readonly MessageRow[],
  nodes: Map<string, NodeRow>,
): Promise<readonly IntegrityIssue[]> {
  const damages: IntegrityIssue[] = []
  for (const row of page) {
    const { body: _body, checksum: _checksum, usage: _usage, ...node } = row
    const parent = row.parent === null ? undefined : (nodes.get(row.parent) ?? (await rows.node(row.parent)))
    nodes.set(row.key, node)
    const found = findFault(row, parent)
    if (found !== undefined) damages.push(toIntegrityIssue(session, ...found, row.id))
  }
  return damages
}

function findFault(
  row: MessageRow,
  parent: NodeRow | undefined,
): [IntegrityIssue['kind'], string] | undefined {
  const message = tryReadBody(row)
  if (message === undefined) return ['body', 'The message cannot be read']
  if (computeChecksum(row) !== row.checksum || !hasMatchingUsage(row, message))
    return ['checksum', 'The checksum of the row does not match']
  const attached = parent === undefined ? row.parent === null : parent.section === row.section
  const placed = attached && row.depth === (parent?.depth ?? 0) + 1 && message.parentId === parent?.id
  if (!placed) return ['parent', 'The message does not follow its original parent']
  if (hashMessage(message, parent?.hash) !== row.hash) return ['hash', 'The content does not match its hash']
  return undefined
}

function tryReadBody(row: MessageRow): Message | undefined {
  try {
    return parseBody(row)
  } catch {
    return undefined
  }
}

function toIntegrityIssue(
  session: SessionRow,
  kind: IntegrityIssue['kind'],
  reason: string,
  message?: string,
): IntegrityIssue {
  return { session: session.id, ...(message !== undefined && { message }), kind, reason }
}
