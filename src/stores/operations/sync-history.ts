import type { AppendResult, SectionOptions } from '../conversation-storage.ts'
import type { NodeRow, SectionRow, RowTransaction } from '../rows/row-store.ts'
import { hashMessageChain } from '../rows/row-hash.ts'
import {
  findNodes,
  isVisible,
  type OpenedSession,
  openSession,
  type TenantScope,
  findSection,
} from './open-session.ts'
import { idConflict, type MessagesInput, readInputMessages, writeMessages } from './append-messages.ts'

/** Makes a history the current line, and writes only what is not stored yet. */
export async function syncHistory(
  rows: RowTransaction,
  scope: TenantScope,
  id: string,
  input: MessagesInput,
  options: SectionOptions = {},
): Promise<AppendResult> {
  const messages = readInputMessages(input, scope)
  const opened = await openSession(rows, scope, id)
  const section = findSection(opened, options)
  const end = await findLongestStored(rows, opened, section, hashMessageChain(messages))
  const fresh = messages.slice(end?.depth ?? 0)
  const taken = await findNodes(
    rows,
    opened,
    fresh.map((message) => message.id),
  )
  if (taken.size > 0) throw idConflict()
  return writeMessages(rows, scope, opened, section, end, fresh)
}

/**
 * The stored node that stands for the most of a history. Most often it is the head. Else it is searched for by halves: a hash
 * stands for all that comes before it, so where one is stored, all shorter ones are.
 */
async function findLongestStored(
  rows: RowTransaction,
  opened: OpenedSession,
  section: SectionRow,
  hashes: readonly string[],
): Promise<NodeRow | undefined> {
  const head = section.head === null ? undefined : await rows.node(section.head)
  let low = 0
  let best: NodeRow | undefined
  if (head !== undefined && hashes[head.depth - 1] === head.hash) {
    low = head.depth
    best = head
    // What follows the head is new, unless the head was moved back.
    if (low === hashes.length || (await findByHash(rows, opened, section, hashes, low)) === undefined)
      return head
  }
  let high = hashes.length
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const node = await findByHash(rows, opened, section, hashes, middle)
    if (node === undefined) high = middle
    else {
      best = node
      low = middle + 1
    }
  }
  return best
}

async function findByHash(
  rows: RowTransaction,
  opened: OpenedSession,
  { session, name, lineage }: SectionRow,
  hashes: readonly string[],
  index: number,
): Promise<NodeRow | undefined> {
  for (const node of await rows.nodesByHash([session, ...lineage], name, hashes[index] ?? '')) {
    if (await isVisible(rows, opened, node)) return node
  }
  return undefined
}
