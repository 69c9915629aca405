import type { Message } from '../../canonical/model/message.ts'
import type { IntegrityIssue } from '../conversation-storage.ts'
import { yieldIfTurnIsLong } from '../event-loop-turns.ts'
import type { MessageRow, NodeRow } from '../rows/row-definitions.ts'
import { computeChecksum, computeMessageHash, hasMatchingUsage, parseRowBody } from '../rows/row-hash.ts'
import { type OpenedSession, readNodeByKey } from './open-session.ts'

/** The messages of the last depth, among which the parents of the next ones are; others are looked up. */
export class LastNodes {
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
export async function checkMessageRows(
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
