import { throwInvalid } from '../../canonical/shape/shape.ts'
import { type JsonObject, omitUndefined, readStringOrEmpty } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import {
  hasKeys,
  hasObject,
  hasText,
  hasValue,
  isAny,
  isEvery,
  isNot,
  type MessageTest,
} from '../engine/format-signs.ts'
import type { ReadingContext } from '../engine/message-format.ts'
import { requireObject } from '../engine/require-fields.ts'
import { ENTRY_TYPES } from './constants.ts'

const isMessageEntry = isEvery(hasValue('type', 'message'), hasObject('message', hasText('role')))

/** Returns true for an entry of a session file. */
export const isEntry: MessageTest = isEvery(
  isNot(hasKeys('role')),
  isAny(isMessageEntry, isEvery(hasValue('type', ...ENTRY_TYPES), hasText('timestamp'))),
)

/** A message, its path in the input, and the id of its entry in a session file. */
export interface LocatedMessage {
  readonly wire: JsonObject
  readonly path: Path
  readonly id?: string
}

/** Returns the messages of a list: the list itself, or those of the current branch of a session. */
export function listMessages(
  items: readonly JsonObject[],
  path: Path | undefined,
  context: ReadingContext,
): readonly LocatedMessage[] {
  const located = items.map((wire, index) => ({ wire, path: child(path, index) }))
  if (!items.some(isEntry)) return located
  const branch = new Set(findBranch(located))
  return located.flatMap((entry): readonly LocatedMessage[] => {
    const message = branch.has(entry) ? toEntryMessage(entry) : undefined
    if (message !== undefined) return [message]
    if (entry.wire['type'] !== 'session') context.report('session-entry', entry.path)
    return []
  })
}

/** Returns the entries from a root to the last entry. Entries of the first version have no ids and are one branch. */
function findBranch(entries: readonly LocatedMessage[]): readonly LocatedMessage[] {
  const tree = entries.filter(({ wire }) => wire['type'] !== 'session')
  const byId = new Map<string, LocatedMessage>()
  for (const entry of tree) {
    const { id } = entry.wire
    if (typeof id !== 'string') continue
    if (byId.has(id))
      throwInvalid('invalid-value', child(entry.path, 'id'), 'the id of another entry', 'a unique id')
    byId.set(id, entry)
  }
  if (byId.size === 0) return tree
  const branch = new Set<LocatedMessage>()
  let entry = tree.at(-1)
  while (entry !== undefined) {
    if (branch.has(entry))
      return throwInvalid(
        'cyclic',
        child(entry.path, 'parentId'),
        'a parent that follows from itself',
        'a tree',
      )
    branch.add(entry)
    const { parentId } = entry.wire
    entry = typeof parentId === 'string' ? byId.get(parentId) : undefined
  }
  return [...branch]
}

/** Fields of the entries that pi turns into messages of their own roles, besides the role and the time. */
const ENTRY_MESSAGES: { readonly [type: string]: (entry: JsonObject) => JsonObject } = {
  custom_message: ({ customType, content, display, details }) =>
    omitUndefined({ role: 'custom', customType, content, display, details }),
  branch_summary: ({ summary, fromId }) => omitUndefined({ role: 'branchSummary', summary, fromId }),
  compaction: ({ summary, tokensBefore }) =>
    omitUndefined({ role: 'compactionSummary', summary, tokensBefore }),
}

/** Returns the message of an entry; undefined for an entry that is not part of the conversation. */
export function toEntryMessage({ wire, path }: LocatedMessage): LocatedMessage | undefined {
  const { type, id, timestamp } = wire
  const named = typeof id === 'string' ? { id } : {}
  if (type === 'message')
    return {
      wire: requireObject(wire['message'], child(path, 'message'), 'a message'),
      path: child(path, 'message'),
      ...named,
    }
  const convert = Object.hasOwn(ENTRY_MESSAGES, readStringOrEmpty(type))
    ? ENTRY_MESSAGES[type as string]
    : undefined
  if (convert === undefined) return undefined
  const time = Date.parse(readStringOrEmpty(timestamp))
  return { wire: { ...convert(wire), timestamp: Number.isNaN(time) ? 0 : time }, path, ...named }
}
