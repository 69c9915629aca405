import type { Message } from '../../canonical/model/message.ts'
import type { Damage } from '../contract.ts'
import type { MessageRow, NodeRow, SessionRow } from '../rows/row.ts'
import type { Rows } from '../rows/rows.ts'
import { checksumOf, hashOf, isCounted, readBody } from '../rows/seal.ts'
import { openSession, type Scope } from './scope.ts'

/** What of a session is damaged: its own messages, and those that it shares. */
export async function verifySession(rows: Rows, scope: Scope, id: string): Promise<readonly Damage[]> {
  const { row, sections } = await openSession(rows, scope, id)
  const damages: Damage[] = []
  for (const { forkPoint } of sections) {
    if (forkPoint === null) continue
    const shared = await rows.path(forkPoint)
    damages.push(...(await checkRows(rows, row, shared, new Map())))
    if (shared[0]?.depth !== 1)
      damages.push(damage(row, 'parent', 'The path that the fork shares has a hole'))
  }
  return [...damages, ...(await verifyOwn(rows, row))]
}

const PAGE = 1000

/** What is damaged of all that a tenant has. */
export async function verifyAll(rows: Rows, { tenant }: Scope): Promise<readonly Damage[]> {
  const damages: Damage[] = []
  let after: SessionRow | undefined
  do {
    const page = await rows.sessions({ tenant, limit: PAGE, ...(after && { after }) })
    for (const row of page) damages.push(...(await verifyOwn(rows, row)))
    after = page.at(-1)
  } while (after !== undefined)
  return damages
}

async function verifyOwn(rows: Rows, row: SessionRow): Promise<readonly Damage[]> {
  const damages: Damage[] = []
  const nodes = new Map<string, NodeRow>()
  for await (const page of rows.written(row.key)) {
    damages.push(...(await checkRows(rows, row, page, nodes)))
  }
  for (const { name, head, forkPoint } of await rows.sections([row.key])) {
    for (const key of [head, forkPoint]) {
      if (key === null || nodes.has(key) || (await rows.node(key)) !== undefined) continue
      damages.push(
        damage(row, 'head', `The section ${JSON.stringify(name)} ends with a message that is missing`),
      )
    }
  }
  return damages
}

/** Checks rows, parents first. A child is compared with what its parent's row says, so each damage is named once. */
async function checkRows(
  rows: Rows,
  session: SessionRow,
  page: readonly MessageRow[],
  nodes: Map<string, NodeRow>,
): Promise<readonly Damage[]> {
  const damages: Damage[] = []
  for (const row of page) {
    const { body: _body, checksum: _checksum, usage: _usage, ...node } = row
    const parent = row.parent === null ? undefined : (nodes.get(row.parent) ?? (await rows.node(row.parent)))
    nodes.set(row.key, node)
    const found = faultOf(row, parent)
    if (found !== undefined) damages.push(damage(session, ...found, row.id))
  }
  return damages
}

function faultOf(row: MessageRow, parent: NodeRow | undefined): [Damage['kind'], string] | undefined {
  const message = readable(row)
  if (message === undefined) return ['body', 'The message cannot be read']
  if (checksumOf(row) !== row.checksum || !isCounted(row, message))
    return ['checksum', 'The row is not what was written']
  const attached = parent === undefined ? row.parent === null : parent.section === row.section
  const placed = attached && row.depth === (parent?.depth ?? 0) + 1 && message.parentId === parent?.id
  if (!placed) return ['parent', 'The message does not follow the one that it was written behind']
  if (hashOf(message, parent?.hash) !== row.hash)
    return ['hash', 'The content is not what the hash stands for']
  return undefined
}

function readable(row: MessageRow): Message | undefined {
  try {
    return readBody(row)
  } catch {
    return undefined
  }
}

function damage(session: SessionRow, kind: Damage['kind'], reason: string, message?: string): Damage {
  return { session: session.id, ...(message !== undefined && { message }), kind, reason }
}
