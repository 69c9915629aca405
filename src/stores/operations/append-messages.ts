import { type MessageInput, toMessages } from '../../canonical/collections/message-input.ts'
import type { Message } from '../../canonical/model/message.ts'
import { throwInvalid } from '../../canonical/shape/shape.ts'
import { child } from '../../wire/json-pointer.ts'
import type { AppendOptions, AppendResult } from '../conversation-storage.ts'
import { conflictError } from '../storage-errors.ts'
import { checkName } from '../check-input.ts'
import type { MessageRow, NodeRow, SectionRow, RowTransaction } from '../rows/row-store.ts'
import { hashMessage, messageFromRow, toMessageRow } from '../rows/row-hash.ts'
import {
  findNodes,
  type OpenedSession,
  openSession,
  placementIn,
  type TenantScope,
  findSection,
  touchSession,
} from './open-session.ts'

export type MessagesInput = MessageInput | Iterable<MessageInput>

/** Returns the messages of an input; throws if an id occurs twice or cannot be stored. */
export function readInputMessages(input: MessagesInput, scope: TenantScope): readonly Message[] {
  const messages = toMessages(input, scope.identity)
  const ids = new Set<string>()
  for (const [index, { id }] of messages.entries()) {
    if (ids.has(checkName(id, 'id'))) {
      return throwInvalid(
        'invalid-value',
        child(child(undefined, index), 'id'),
        'an id that occurs twice',
        'a unique id',
      )
    }
    ids.add(id)
  }
  return messages
}

export async function appendMessages(
  rows: RowTransaction,
  scope: TenantScope,
  id: string,
  input: MessagesInput,
  options: AppendOptions = {},
): Promise<AppendResult> {
  const messages = readInputMessages(input, scope)
  const opened = await openSession(rows, scope, id)
  const section = findSection(opened, options)
  const head = section.head === null ? undefined : await rows.node(section.head)
  const { nodes, parent } = await findStoredPrefix(rows, opened, section, messages)
  const last = nodes.at(-1)
  const isStored = nodes.length === messages.length
  if (options.expectedHead !== undefined) {
    const expected = options.expectedHead === null ? null : checkName(options.expectedHead, 'expectedHead')
    const start = last === undefined ? head : parent
    if ((start?.id ?? null) !== expected) throw headMoved()
    if (last !== undefined && !isStored && head?.key !== last.key) throw headMoved()
  }
  if (isStored) return toAppendResult(last ?? head, [])
  return writeMessages(rows, scope, opened, section, head, messages.slice(nodes.length))
}

/** Appends messages after a node and makes the last one the head. */
export async function writeMessages(
  rows: RowTransaction,
  scope: TenantScope,
  opened: OpenedSession,
  section: SectionRow,
  parent: NodeRow | undefined,
  messages: readonly Message[],
): Promise<AppendResult> {
  const added = buildRows(messages, section, parent, scope)
  const end = added.at(-1) ?? parent
  await rows.insertMessages(added)
  if (!opened.sections.includes(section) || section.head !== (end?.key ?? null)) {
    await rows.putSection({ ...section, head: end?.key ?? null })
  }
  await touchSession(rows, opened.row, scope)
  return toAppendResult(end, added)
}

/** Builds the rows of messages, each following the previous one. */
function buildRows(
  messages: readonly Message[],
  section: SectionRow,
  parent: NodeRow | undefined,
  scope: TenantScope,
): readonly MessageRow[] {
  const placement = placementIn(section, scope)
  let last = parent
  return messages.map((message) => {
    const row = toMessageRow(message, placement, last)
    last = row
    return row
  })
}

function toAppendResult(end: NodeRow | undefined, added: readonly MessageRow[]): AppendResult {
  return { head: end?.id ?? null, added: added.map(messageFromRow), length: end?.depth ?? 0 }
}

interface StoredPrefix {
  readonly nodes: readonly NodeRow[]
  /** Parent of the first node. */
  readonly parent?: NodeRow | undefined
}

/** Returns the leading messages that are already stored, as one path with the same content. */
async function findStoredPrefix(
  rows: RowTransaction,
  opened: OpenedSession,
  section: SectionRow,
  messages: readonly Message[],
): Promise<StoredPrefix> {
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
    const isOnPath = node.section === section.name && node.parent === (parent?.key ?? null)
    if (!isOnPath || node.hash !== hashMessage(message, parent?.hash)) throw idConflict()
    if (before === undefined) start = parent
    nodes.push(node)
  }
  if (nodes.length < known.size) throw idConflict()
  return { nodes, parent: start }
}

export function idConflict(): Error {
  return conflictError(
    'The session already has a message with this id but with different content or in a different position',
    'Use another id, or call replace() to change the stored message.',
  )
}

function headMoved(): Error {
  return conflictError(
    'The head of the conversation is not `expectedHead`: messages were appended in the meantime',
    'Read the messages again and append after the current head.',
  )
}
