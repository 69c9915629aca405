import type { Message } from '../../canonical/model/message.ts'
import type { Part } from '../../canonical/model/part.ts'
import { checkAndFreezeMessage } from '../../canonical/shape/message.ts'
import { partTypesByContainer } from '../../canonical/shape/part.ts'
import { throwInvalid } from '../../canonical/shape/shape.ts'
import { type JsonObject, omitUndefined, readStringOrEmpty } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { ConversationContent } from '../engine/conversation-codec.ts'
import { keepPart, readTimestamp } from '../engine/keep-unknown-values.ts'
import type { ReadingContext } from '../engine/message-format.ts'
import { buildMessageTree, sortByParent, type TreeNode } from '../engine/message-tree.ts'
import { readOptionalList, requireObject, requireText } from '../engine/require-fields.ts'
import { NAME } from './constants.ts'
import { BlockReader, readAttachedFiles, readText } from './content.ts'

/** The roles by `sender`. */
const ROLES: { readonly [sender: string]: 'user' | 'assistant' } = { human: 'user', assistant: 'assistant' }

/** Reads a conversation. Messages without `parent_message_uuid`, as in older exports, follow each other. */
export function readRecord(
  record: JsonObject,
  path: Path | undefined,
  context: ReadingContext,
): ConversationContent {
  const at = child(path, 'chat_messages')
  let previous: string | undefined
  const messages = readOptionalList(record, 'chat_messages', child(path, 'chat_messages'))
  const nodes = messages.map((given, index): TreeNode<JsonObject> => {
    const place = child(at, index)
    const value = requireObject(given, place, 'a message')
    const id = requireText(value, 'uuid', place)
    const { parent_message_uuid: parent } = value
    // The parent of a first message is a placeholder id that no message has.
    const node = { id, parent: typeof parent === 'string' ? parent : previous, path: place, value }
    previous = id
    return node
  })
  const sorted = sortByParent(nodes).map(({ value, ...node }): TreeNode<Message | undefined> => ({
    ...node,
    value: readMessage(value, node.id, node.path, context),
  }))
  const { current_leaf_message_uuid: leaf } = record
  const head = typeof leaf === 'string' ? leaf : nodes.at(-1)?.id
  const { branch, allMessages } = buildMessageTree(sorted, head)
  return {
    request: { messages: branch },
    ...(allMessages && { allMessages }),
    fields: omitUndefined({
      id: readStringOrEmpty(record['uuid']) || undefined,
      title: readStringOrEmpty(record['name']) || undefined,
      createdAt: readTimestamp(record['created_at']),
      updatedAt: readTimestamp(record['updated_at']),
    }),
  }
}

/** Reads a message; one without content is no message. */
function readMessage(
  wire: JsonObject,
  uuid: string,
  path: Path,
  context: ReadingContext,
): Message | undefined {
  const sender = requireText(wire, 'sender', path)
  const role = Object.hasOwn(ROLES, sender) ? ROLES[sender] : undefined
  if (role === undefined)
    return throwInvalid('invalid-value', child(path, 'sender'), 'another sender', 'human or assistant')
  const id = context.messageId(uuid)
  const reader = new BlockReader(id)
  const given = readOptionalList(wire, 'content', path)
  const blocks = given.flatMap((block, index) => {
    const at = child(child(path, 'content'), index)
    return reader
      .read(block, at)
      .map((part) => (partTypesByContainer[role].includes(part.type) ? part : keepPart(NAME, block, at)))
  })
  // Exports of earlier versions have the text alone.
  const texts: readonly Part[] =
    given.length > 0 ? blocks : readText(readStringOrEmpty(wire['text']), child(path, 'text'))
  const content = [...readAttachedFiles(wire, path, context), ...texts]
  if (content.length === 0) {
    context.report('session-entry', path)
    return undefined
  }
  const createdAt = readTimestamp(wire['created_at'])
  const message = { id, role, content, ...omitUndefined({ createdAt }) }
  return checkAndFreezeMessage(message as unknown as Message, path)
}
