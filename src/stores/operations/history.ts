import type { Appended, InSection } from '../contract.ts'
import type { NodeRow, SectionRow } from '../rows/row.ts'
import type { Rows } from '../rows/rows.ts'
import { chainedHashes } from '../rows/seal.ts'
import { findNodes, isVisible, type Opened, openSession, type Scope, sectionOf } from './scope.ts'
import { idTaken, type Input, messagesOf, write } from './append.ts'

/** Makes a history the current line, and writes only what is not stored yet. */
export async function appendHistory(
  rows: Rows,
  scope: Scope,
  id: string,
  input: Input,
  options: InSection = {},
): Promise<Appended> {
  const messages = messagesOf(input, scope)
  const opened = await openSession(rows, scope, id)
  const section = sectionOf(opened, options)
  const end = await longestStored(rows, opened, section, chainedHashes(messages))
  const fresh = messages.slice(end?.depth ?? 0)
  const taken = await findNodes(
    rows,
    opened,
    fresh.map((message) => message.id),
  )
  if (taken.size > 0) throw idTaken()
  return write(rows, scope, opened, section, end, fresh)
}

/**
 * The stored node that stands for the most of a history. Most often it is the head. Else it is searched for by halves: a hash
 * stands for all that comes before it, so where one is stored, all shorter ones are.
 */
async function longestStored(
  rows: Rows,
  opened: Opened,
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
    if (low === hashes.length || (await lookUp(rows, opened, section, hashes, low)) === undefined) return head
  }
  let high = hashes.length
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const node = await lookUp(rows, opened, section, hashes, middle)
    if (node === undefined) high = middle
    else {
      best = node
      low = middle + 1
    }
  }
  return best
}

async function lookUp(
  rows: Rows,
  opened: Opened,
  { session, name, lineage }: SectionRow,
  hashes: readonly string[],
  index: number,
): Promise<NodeRow | undefined> {
  for (const node of await rows.nodesByHash([session, ...lineage], name, hashes[index] ?? '')) {
    if (await isVisible(rows, opened, node)) return node
  }
  return undefined
}
