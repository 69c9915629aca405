import type { Message } from '../../canonical/model/message.ts'
import type { AppendOptions, AppendResult, MessagesInput } from '../conversation-storage.ts'
import { createConflictError, createUnknownMessageError } from '../storage-errors.ts'
import { checkIdentifier } from '../check-arguments.ts'
import type { RowTransaction } from '../rows/row-store.ts'
import type { MessageRow, NodeRow, SectionRow } from '../rows/row-definitions.ts'
import { mapInSlices, yieldIfTurnIsLong } from '../event-loop-turns.ts'
import { hashMessage, messageFromRow, toMessageRow } from '../rows/row-hash.ts'
import { assertLeaseHeld } from './leases.ts'
import { identifyResponse, RepeatedUsageFilter } from './repeated-usage-filter.ts'
import type { WrittenAppend } from './known-heads.ts'
import { readInputMessages } from './read-input-messages.ts'
import {
  findNodes,
  getNode,
  getSectionOrEmpty,
  type OpenedSession,
  openSession,
  createMessagePlacement,
  readNodeByKey,
  type TenantScope,
  touchSession,
} from './open-session.ts'

/** Appends messages. `remember` is called with what was written, if anything was. */
export async function appendMessages(
  scope: TenantScope,
  id: string,
  input: MessagesInput,
  options: AppendOptions,
  remember: (written: WrittenAppend) => void,
): Promise<AppendResult> {
  const messages = await readInputMessages(input, scope)
  const opened = await openSession(scope, id, toIds(messages))
  if (options.lease !== undefined) await assertLeaseHeld(opened, options.lease)
  const section = getSectionOrEmpty(opened, options)
  const head = await readNodeByKey(scope, section.head)
  const { nodes, parent } = await findStoredPrefix(opened, section, messages)
  const last = nodes.at(-1)
  const isStored = nodes.length === messages.length
  const branchPoint = await findBranchPoint(opened, section, options)
  if (options.expectedHead !== undefined) {
    const expected =
      options.expectedHead === null ? null : checkIdentifier(options.expectedHead, 'expectedHead')
    // Repeating a call that started a branch finds the head at its own messages.
    const isRepeatedBranch = branchPoint !== undefined && last !== undefined
    const start = last === undefined ? head : parent
    if (!isRepeatedBranch && (start?.id ?? null) !== expected) throw headMoved()
    if (last !== undefined && !isStored && head?.key !== last.key) throw headMoved()
  }
  if (isStored) return toAppendResult(last ?? head, [])
  const end = branchPoint === undefined ? head : (last ?? branchPoint.node)
  return writeMessages(opened, section, end, messages.slice(nodes.length), remember)
}

/** Returns the message after which a branch starts; `undefined` if the messages follow the head. */
async function findBranchPoint(
  opened: OpenedSession,
  { name }: SectionRow,
  { after }: AppendOptions,
): Promise<{ readonly node: NodeRow | undefined } | undefined> {
  if (after === undefined) return undefined
  const node = after === null ? undefined : await getNode(opened, after)
  if (node !== undefined && node.section !== name) throw createUnknownMessageError()
  return { node }
}

/** Appends messages after a node and makes the last one the head. */
async function writeMessages(
  opened: OpenedSession,
  section: SectionRow,
  parent: NodeRow | undefined,
  messages: readonly Message[],
  remember: (written: WrittenAppend) => void = () => undefined,
): Promise<AppendResult> {
  const { rows, sections } = opened
  const placement = createMessagePlacement(opened.row, opened.identity, section.name)
  let previous: NodeRow | undefined = parent
  const usageFilter = new RepeatedUsageFilter(await findOtherCandidates(rows, parent, messages))
  const added = await mapInSlices(messages, (message): MessageRow => {
    const row = usageFilter.removeRepeatedUsage(toMessageRow(message, placement, previous))
    previous = row
    return row
  })
  const end = added.at(-1) ?? parent
  const head = end?.key ?? null
  await rows.insertMessages(added)
  const movedSection = { ...section, head }
  if (!sections.includes(section) || section.head !== head) await rows.putSection(movedSection)
  const touchedSession = await touchSession(opened)
  const last = added.at(-1)
  if (last !== undefined) remember({ opened, touchedSession, movedSection, head: last })
  return toAppendResult(end, added)
}

/** Number of candidates that a response can have; the largest limit of a provider is 128. */
const MAX_CANDIDATES = 256

/** Returns the newest children of a node, if the first new message could be another candidate of the same response. */
async function findOtherCandidates(
  rows: RowTransaction,
  parent: NodeRow | undefined,
  [first]: readonly Message[],
): Promise<readonly MessageRow[]> {
  if (parent === undefined || first === undefined || identifyResponse(first) === undefined) return []
  return rows.newestChildren(parent.key, MAX_CANDIDATES)
}

/** Appends the messages of a history that follow `end`, the last stored one. Their ids must be new. */
export async function writeRestOfHistory(
  opened: OpenedSession,
  section: SectionRow,
  end: NodeRow | undefined,
  history: readonly Message[],
): Promise<AppendResult> {
  const rest = history.slice(end?.depth ?? 0)
  const existing = await findNodes(opened, toIds(rest))
  if (existing.size > 0) throw idConflict()
  return writeMessages(opened, section, end, rest)
}

function toIds(messages: readonly Message[]): readonly string[] {
  return messages.map(({ id }) => id)
}

async function toAppendResult(end: NodeRow | undefined, added: readonly MessageRow[]): Promise<AppendResult> {
  return { head: end?.id ?? null, added: await mapInSlices(added, messageFromRow), length: end?.depth ?? 0 }
}

/** Returns the leading messages that are already stored as one path, and the parent of the first one. */
async function findStoredPrefix(
  opened: OpenedSession,
  section: SectionRow,
  messages: readonly Message[],
): Promise<{ readonly nodes: readonly NodeRow[]; readonly parent: NodeRow | undefined }> {
  const known = await findNodes(opened, toIds(messages))
  const nodes: NodeRow[] = []
  let start: NodeRow | undefined
  for (const message of messages) {
    const node = known.get(message.id)
    if (node === undefined) break
    await yieldIfTurnIsLong()
    const parent: NodeRow | undefined = nodes.at(-1) ?? (await readNodeByKey(opened, node.parent))
    const isOnPath = node.section === section.name && node.parent === (parent?.key ?? null)
    if (!isOnPath || node.hash !== hashMessage(message, parent?.hash)) throw idConflict()
    if (nodes.length === 0) start = parent
    nodes.push(node)
  }
  if (nodes.length < known.size) throw idConflict()
  return { nodes, parent: start }
}

function idConflict(): Error {
  return createConflictError(
    'The session already has a message with this id but with different content or in a different position',
    'Use another id, or call replace() to change the stored message.',
  )
}

function headMoved(): Error {
  return createConflictError(
    'The head of the conversation is not `expectedHead`: messages were appended in the meantime',
    'Read the messages again and append after the current head.',
  )
}
