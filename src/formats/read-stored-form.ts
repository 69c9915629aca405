import type { Message } from '../canonical/model/message.ts'
import { createLenientRequestContext, readMessageListInput } from '../canonical/parse/parse.ts'
import { fromJson, type StoredKind } from '../canonical/stored/stored-form.ts'
import { getOwnValue, isObject, type Json, type JsonObject } from '../wire/json.ts'
import { throwUnrecognized } from './engine/detect-format.ts'
import { findMessageList } from './engine/find-message-list.ts'
import type { ReadMessagesOptions } from './engine/message-format.ts'
import { messageFormatCodecs } from './message-formats.ts'

/** The stored forms that contain messages, and the messages of each. */
const STORED_KINDS: { readonly [kind in StoredKind]: (stored: unknown) => Iterable<Message> } = {
  message: (stored) => [fromJson(stored, 'message')],
  messages: (stored) => fromJson(stored),
  request: (stored) => fromJson(stored, 'request').messages,
  response: (stored) => fromJson(stored, 'response').candidates,
  store: (stored) =>
    fromJson(stored, 'store')
      .toJSON()
      .sections.flatMap(({ messages }) => messages),
}

const hasVersion = (value: Json | undefined): boolean =>
  isObject(value) && typeof getOwnValue(value, 'interlingua') === 'number'

/** Returns true for the stored form of this library, and for the lines of an exported session. */
export function isStoredForm(input: Json): boolean {
  return Array.isArray(input) ? hasVersion(input[0]) : hasVersion(input)
}

/** Reads the stored form, the lines of an exported session, or messages in a form that `parseMessages` accepts. */
export function readStoredForm(input: Json, options: ReadMessagesOptions): readonly Message[] {
  if (Array.isArray(input) && input.some(hasVersion)) return readExport(input as readonly Json[])
  if (isObject(input) && hasVersion(input)) {
    const kind = (Object.keys(STORED_KINDS) as StoredKind[]).find((each) => Object.hasOwn(input, each))
    return Object.freeze([...STORED_KINDS[kind ?? 'messages'](input)])
  }
  const { items, path, root } = findMessageList(input)
  if (!items.every((item) => isObject(item) && Object.hasOwn(item, 'role')))
    return throwUnrecognized(items, path, Object.keys(messageFormatCodecs))
  const context = createLenientRequestContext(options)
  // An object with `messages` may have system text beside them.
  const isPlainContainer = isObject(root) && Array.isArray(getOwnValue(root, 'messages'))
  return isPlainContainer
    ? readMessageListInput(root, undefined, context)
    : readMessageListInput(items, path, context)
}

/**
 * Reads the lines of an exported session: the messages up to the head of its first section. Without a header, all messages
 * are returned in their order.
 */
function readExport(lines: readonly Json[]): readonly Message[] {
  const entries = lines.filter(isObject) as readonly JsonObject[]
  const messages = entries
    .filter((entry) => Object.hasOwn(entry, 'message'))
    .map((entry) => fromJson(entry, 'message'))
  const header = entries.find((entry) => Array.isArray(entry['sections']))
  const [section] = (header?.['sections'] ?? []) as readonly JsonObject[]
  const head = section?.['head']
  if (typeof head !== 'string') return Object.freeze(messages)
  const byId = new Map(messages.map((message) => [message.id, message]))
  const branch: Message[] = []
  for (let id: string | undefined = head; id !== undefined;) {
    const message: Message | undefined = byId.get(id)
    // An id is removed when it was visited: a damaged export may contain a cycle.
    byId.delete(id)
    if (message !== undefined) branch.push(message)
    id = message?.parentId
  }
  return Object.freeze(branch.reverse())
}
