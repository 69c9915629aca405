import type { AppendResult, SectionOptions } from '../conversation-storage.ts'
import type { NodeRow, SectionRow, RowTransaction } from '../rows/row-store.ts'
import { hashMessageChain } from '../rows/row-hash.ts'
import {
  findNodes,
  isInSession,
  type OpenedSession,
  openSession,
  type TenantScope,
  findSection,
} from './open-session.ts'
import { idConflict, type MessagesInput, readInputMessages, writeMessages } from './append-messages.ts'

/** Makes a history the current branch and writes only the messages that are not stored yet. */
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
 * Returns the stored node that covers the longest prefix of a history. Usually this is the head. Otherwise a
 * binary search finds it: a hash covers all previous messages, so if one is stored, all shorter prefixes are.
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
    // Messages after the head are new, unless the head was moved back.
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
    if (await isInSession(rows, opened, node)) return node
  }
  return undefined
}
