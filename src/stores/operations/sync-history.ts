import type { AppendResult, MessagesInput, SectionOptions } from '../conversation-storage.ts'
import type { NodeRow, SectionRow } from '../rows/row-definitions.ts'
import { mapInSlices } from '../event-loop-turns.ts'
import { hashMessage } from '../rows/row-hash.ts'
import {
  getSectionOrEmpty,
  isNodeInSession,
  type OpenedSession,
  openSession,
  readNodeByKey,
  type TenantScope,
} from './open-session.ts'
import { writeRestOfHistory } from './append-messages.ts'
import { readInputMessages } from './read-input-messages.ts'

/** Makes a history the current branch and writes only the messages that are not stored yet. */
export async function syncHistory(
  scope: TenantScope,
  id: string,
  input: MessagesInput,
  options: SectionOptions = {},
): Promise<AppendResult> {
  const messages = await readInputMessages(input, scope)
  const opened = await openSession(scope, id)
  const section = getSectionOrEmpty(opened, options)
  let last: string | undefined
  const hashes = await mapInSlices(messages, (message) => (last = hashMessage(message, last)))
  const end = await findLongestStored(opened, section, hashes)
  return writeRestOfHistory(opened, section, end, messages)
}

/**
 * Returns the stored node that covers the longest prefix of a history. Usually this is the head. Otherwise a
 * binary search finds it: a hash covers all previous messages, so if one is stored, all shorter prefixes are.
 */
async function findLongestStored(
  opened: OpenedSession,
  section: SectionRow,
  hashes: readonly string[],
): Promise<NodeRow | undefined> {
  const head = await readNodeByKey(opened, section.head)
  let low = 0
  let best: NodeRow | undefined
  if (head !== undefined && hashes[head.depth - 1] === head.hash) {
    low = head.depth
    best = head
    // Messages after the head are new, unless the head was moved back.
    if (low === hashes.length || (await findByDepth(opened, section, hashes, low + 1)) === undefined)
      return head
  }
  let high = hashes.length
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const node = await findByDepth(opened, section, hashes, middle + 1)
    if (node === undefined) high = middle
    else {
      best = node
      low = middle + 1
    }
  }
  return best
}

/** Returns the stored node of the first `depth` messages of a history. */
async function findByDepth(
  opened: OpenedSession,
  { session, name, lineage }: SectionRow,
  hashes: readonly string[],
  depth: number,
): Promise<NodeRow | undefined> {
  const hash = hashes[depth - 1] ?? ''
  for (const node of await opened.rows.nodesByHash([session, ...lineage], name, hash, depth)) {
    if (await isNodeInSession(opened, node)) return node
  }
  return undefined
}
