import { throwInvalid, throwWrongType } from '../../canonical/shape/shape.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { isObject, type JsonObject } from '../../wire/json.ts'
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

/** Matches a line of a session file: the header, a message or a label; newer versions may have other types. */
export const isEntry: MessageTest = isEvery(
  isNot(hasKeys('role')),
  isAny(
    isEvery(hasValue('type', 'message'), hasObject('data')),
    isEvery(hasValue('type', 'session'), hasKeys('leafId')),
    isEvery(hasValue('type', 'label'), hasKeys('targetId')),
    isEvery(hasText('type'), hasKeys('timestamp', 'section'), hasText('id')),
  ),
)

/** A message, or the line that contains it. */
export interface MessageItem {
  readonly wire: JsonObject
  /** The fields of the message. */
  readonly data: JsonObject
  readonly path: Path
}

/**
 * Returns the messages of a list. For the lines of a session file, these are the messages on the branch that ends at the
 * head: the one that the header names, or else the last one. Lines that are omitted are reported.
 */
export function listMessageItems(
  items: readonly JsonObject[],
  path: Path | undefined,
  context: ReadingContext,
): readonly MessageItem[] {
  if (!items.some(isEntry))
    return items.map((wire, index) => ({ wire, data: wire, path: child(path, index) }))
  const lines = new Map<string, number>()
  let head: string | undefined
  items.forEach((item, index) => {
    const { type, id, leafId } = item
    if (type === 'session' && typeof leafId === 'string') head = leafId
    if (type === 'label') context.report('session-field', child(child(path, index), 'label'))
    if (type !== 'message' || typeof id !== 'string') return
    if (lines.has(id)) throwDuplicate(child(child(path, index), 'id'))
    lines.set(id, index)
  })
  const isBranched = [...lines.values()].some((index) => typeof items[index]?.['parentId'] === 'string')
  const last = [...lines.keys()].at(-1)
  const start = head !== undefined && lines.has(head) ? head : last
  const branch = isBranched && start !== undefined ? walkBranch(items, lines, start, path) : undefined
  return items.flatMap((wire, index): readonly MessageItem[] => {
    const { type, data } = wire
    if (!isEntry(wire)) return [{ wire, data: wire, path: child(path, index) }]
    if (type !== 'message') {
      if (type !== 'session' && type !== 'label') context.report('session-field', child(path, index))
      return []
    }
    const dataPath = child(child(path, index), 'data')
    if (!isObject(data)) return throwWrongType(data, dataPath, 'the message of the line: an object')
    if (branch === undefined || branch.has(index)) return [{ wire, data, path: dataPath }]
    context.report('branch-omitted', child(path, index))
    return []
  })
}

/** Returns the positions of a message and of its ancestors; a parent that is missing ends the branch. */
function walkBranch(
  items: readonly JsonObject[],
  lines: ReadonlyMap<string, number>,
  head: string,
  path: Path | undefined,
): ReadonlySet<number> {
  const branch = new Set<number>()
  let index = lines.get(head)
  while (index !== undefined) {
    branch.add(index)
    const parent: unknown = items[index]?.['parentId']
    const next = typeof parent === 'string' ? lines.get(parent) : undefined
    if (next !== undefined && branch.has(next))
      return throwInvalid(
        'cyclic',
        child(child(path, index), 'parentId'),
        'a message whose ancestors contain the message itself',
        'a tree of messages',
        'Remove the parentId that closes the circle.',
      )
    index = next
  }
  return branch
}

function throwDuplicate(path: Path): never {
  const found = 'the id of an earlier message'
  return throwInvalid('invalid-value', path, found, 'an id that no other message of the session has')
}
