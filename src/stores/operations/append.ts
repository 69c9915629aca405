import { type MessageInput, toMessages } from '../../canonical/collections/input.ts'
import type { Message } from '../../canonical/model/message.ts'
import { fail } from '../../canonical/shape/shape.ts'
import { below } from '../../wire/pointer.ts'
import type { AppendOptions, Appended } from '../contract.ts'
import { conflict } from '../failures.ts'
import { checkName } from '../names.ts'
import type { MessageRow, NodeRow, SectionRow } from '../rows/row.ts'
import type { Rows } from '../rows/rows.ts'
import { hashOf, messageOf, rowOf } from '../rows/seal.ts'
import { findNodes, type Opened, openSession, placeIn, type Scope, sectionOf, touch } from './scope.ts'

export type Input = MessageInput | Iterable<MessageInput>

/** The messages of an input; no two may have one id, and every backend must be able to hold it. */
export function messagesOf(input: Input, scope: Scope): readonly Message[] {
  const messages = toMessages(input, scope.identity)
  const ids = new Set<string>()
  for (const [index, { id }] of messages.entries()) {
    if (ids.has(checkName(id, 'id'))) {
      return fail(
        'invalid-value',
        below(below(undefined, index), 'id'),
        'an id given twice',
        'an id of its own',
      )
    }
    ids.add(id)
  }
  return messages
}

export async function append(
  rows: Rows,
  scope: Scope,
  id: string,
  input: Input,
  options: AppendOptions = {},
): Promise<Appended> {
  const messages = messagesOf(input, scope)
  const opened = await openSession(rows, scope, id)
  const section = sectionOf(opened, options)
  const head = section.head === null ? undefined : await rows.node(section.head)
  const { nodes, parent } = await storedAlready(rows, opened, section, messages)
  const last = nodes.at(-1)
  const whole = nodes.length === messages.length
  if (options.expectedHead !== undefined) {
    const expected = options.expectedHead === null ? null : checkName(options.expectedHead, 'expectedHead')
    const begin = last === undefined ? head : parent
    if ((begin?.id ?? null) !== expected) throw goneOn()
    if (last !== undefined && !whole && head?.key !== last.key) throw goneOn()
  }
  if (whole) return appended(last ?? head, [])
  return write(rows, scope, opened, section, head, messages.slice(nodes.length))
}

/** Writes messages behind a node, and makes the last one the head. */
export async function write(
  rows: Rows,
  scope: Scope,
  opened: Opened,
  section: SectionRow,
  parent: NodeRow | undefined,
  messages: readonly Message[],
): Promise<Appended> {
  const added = chain(messages, section, parent, scope)
  const end = added.at(-1) ?? parent
  await rows.insert(added)
  if (!opened.sections.includes(section) || section.head !== (end?.key ?? null)) {
    await rows.putSection({ ...section, head: end?.key ?? null })
  }
  await touch(rows, opened.row, scope)
  return appended(end, added)
}

/** Rows of messages, each behind the one before. */
function chain(
  messages: readonly Message[],
  section: SectionRow,
  parent: NodeRow | undefined,
  scope: Scope,
): readonly MessageRow[] {
  const place = placeIn(section, scope)
  let last = parent
  return messages.map((message) => {
    const row = rowOf(message, place, last)
    last = row
    return row
  })
}

function appended(end: NodeRow | undefined, added: readonly MessageRow[]): Appended {
  return { head: end?.id ?? null, added: added.map(messageOf), length: end?.depth ?? 0 }
}

interface StoredAlready {
  readonly nodes: readonly NodeRow[]
  /** What the first of them follows. */
  readonly parent?: NodeRow | undefined
}

/** The leading messages that an earlier call has stored: one line of them, saying the same. */
async function storedAlready(
  rows: Rows,
  opened: Opened,
  section: SectionRow,
  messages: readonly Message[],
): Promise<StoredAlready> {
  const known = await findNodes(
    rows,
    opened,
    messages.map(({ id }) => id),
  )
  const nodes: NodeRow[] = []
  let start: NodeRow | undefined
  if (known.size === 0) return { nodes }
  for (const message of messages) {
    const node = known.get(message.id)
    if (node === undefined) break
    const before = nodes.at(-1)
    const parent = before ?? (node.parent === null ? undefined : await rows.node(node.parent))
    const inLine = node.section === section.name && node.parent === (parent?.key ?? null)
    if (!inLine || node.hash !== hashOf(message, parent?.hash)) throw idTaken()
    if (before === undefined) start = parent
    nodes.push(node)
  }
  if (nodes.length < known.size) throw idTaken()
  return { nodes, parent: start }
}

export function idTaken(): Error {
  return conflict(
    'The session has a message of that id which says something else, or stands somewhere else',
    'Give the message an id of its own, or replace the one that is there.',
  )
}

function goneOn(): Error {
  return conflict(
    'The conversation has gone on: its last message is another one than expected',
    'Read the path again, and append behind its end.',
  )
}
