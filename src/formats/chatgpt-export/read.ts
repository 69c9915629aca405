import { parseArguments } from '../../canonical/build/call-arguments.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { Part } from '../../canonical/model/part.ts'
import { toolCallsOf } from '../../canonical/read/message-content.ts'
import { partTypesByContainer } from '../../canonical/shape/part.ts'
import { checkAndFreezeMessage } from '../../canonical/shape/message.ts'
import { isObject, type Json, type JsonObject, omitUndefined, readStringOrEmpty } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { ConversationContent } from '../engine/conversation-codec.ts'
import { keepPart } from '../engine/keep-unknown-values.ts'
import type { ReadingContext } from '../engine/message-format.ts'
import { buildMessageTree, sortByParent, type TreeNode } from '../engine/message-tree.ts'
import { requireObject, requireText } from '../engine/require-fields.ts'
import { NAME } from './constants.ts'
import { readContent } from './content.ts'

/** A call that an earlier message made: the recipient is the tool. */
interface OpenCall {
  readonly id: string
  readonly name: string
}

/** Contents that describe the user or the memory of ChatGPT to the model. */
const INSTRUCTION_TYPES = ['user_editable_context', 'model_editable_context']

/** Reads a conversation with all branches; `current_node` is the end of the current one. */
export function readRecord(
  record: JsonObject,
  path: Path | undefined,
  context: ReadingContext,
): ConversationContent {
  const at = child(path, 'mapping')
  const mapping = requireObject(record['mapping'], at, 'the messages')
  const nodes = Object.entries(mapping).map(([id, given]): TreeNode<JsonObject> => {
    const value = requireObject(given, child(at, id), 'a node')
    const { parent } = value
    return { id, parent: typeof parent === 'string' ? parent : undefined, path: child(at, id), value }
  })
  const calls = new Map<string, OpenCall>()
  const sorted = sortByParent(nodes).map(({ value, ...node }): TreeNode<Message | undefined> => {
    const call = node.parent === undefined ? undefined : calls.get(node.parent)
    const message = readNode(node.id, value, node.path, call, context)
    const [made] = message === undefined ? [] : toolCallsOf(message)
    const open = made === undefined ? call : { id: made.id, name: made.name }
    if (open !== undefined) calls.set(node.id, open)
    return { ...node, value: message }
  })
  const { current_node: head, title } = record
  const { branch, allMessages } = buildMessageTree(sorted, typeof head === 'string' ? head : undefined)
  const { conversation_id: id = record['id'] } = record
  return {
    request: { messages: branch },
    ...(allMessages && { allMessages }),
    fields: omitUndefined({
      id: typeof id === 'string' && id !== '' ? id : undefined,
      title: typeof title === 'string' ? title : undefined,
      createdAt: readTime(record['create_time']),
      updatedAt: readTime(record['update_time']),
    }),
  }
}

/** Reads a node. A node without content, such as the root and hidden placeholders, is no message. */
function readNode(
  id: string,
  node: JsonObject,
  path: Path,
  call: OpenCall | undefined,
  context: ReadingContext,
): Message | undefined {
  const { message: given } = node
  if (given === null || given === undefined) return undefined
  const at = child(path, 'message')
  const message = requireObject(given, at, 'a message')
  const author = requireObject(message['author'], child(at, 'author'), 'the author')
  const content = requireObject(message['content'], child(at, 'content'), 'the content')
  const parts = readContent(content, child(at, 'content'))
  if (parts.length === 0) {
    context.report('session-entry', path)
    return undefined
  }
  const metadata = isObject(message['metadata']) ? message['metadata'] : {}
  const fields = {
    id: context.messageId(id),
    ...readBody(message, author, content, parts, child(at, 'content'), id, call),
    ...omitUndefined({ createdAt: readTime(message['create_time']) }),
    ...(Object.keys(metadata).length > 0 && { metadata: { chatgpt: metadata } }),
  }
  const model = metadata['model_slug']
  const isAnswer = fields.role === 'assistant' && typeof model === 'string'
  const origin = isAnswer ? { origin: { dialect: NAME, provider: 'openai', model } } : {}
  return checkAndFreezeMessage({ ...fields, ...origin } as unknown as Message, at)
}

/** Returns the role and the parts of a message: a message to a tool is a call, and one of a tool is its result. */
function readBody(
  message: JsonObject,
  author: JsonObject,
  content: JsonObject,
  parts: readonly Part[],
  path: Path,
  id: string,
  call: OpenCall | undefined,
): { readonly role: Message['role']; readonly content: readonly unknown[] } {
  const type = readStringOrEmpty(content['content_type'])
  const role = requireText(author, 'role', child(path.parent, 'author'))
  const place = (target: Message['role']): readonly Part[] => placeParts(parts, target, content, path)
  if (role === 'system' || INSTRUCTION_TYPES.includes(type))
    return { role: 'system', content: place('system') }
  const recipient = readStringOrEmpty(message['recipient'])
  if (role === 'assistant') {
    const isCall = recipient !== '' && recipient !== 'all' && parts.every((part) => part.type === 'text')
    return { role, content: isCall ? [readCall(recipient, id, content, parts)] : place(role) }
  }
  if (role !== 'tool') return { role: 'user', content: place('user') }
  const name = readStringOrEmpty(author['name'])
  const isFailure = type === 'system_error'
  const result = {
    type: 'tool-result',
    callId: call?.id ?? id,
    ...(name !== '' && { name: call?.name ?? name }),
    content: parts.map((part) => (isResultPart(part) ? part : keepPart(NAME, content, path))),
    ...(isFailure && { isError: true }),
  }
  return { role, content: [result] }
}

const isResultPart = (part: Part): boolean => partTypesByContainer['tool result'].includes(part.type)

/** Replaces parts that a message of the role cannot contain by the content as it is. */
function placeParts(
  parts: readonly Part[],
  role: Message['role'],
  content: JsonObject,
  path: Path,
): readonly Part[] {
  return parts.every((part) => partTypesByContainer[role].includes(part.type))
    ? parts
    : [keepPart(NAME, content, path)]
}

/** Reads a message to a tool: JSON arguments, or the code that it runs. */
function readCall(name: string, id: string, content: JsonObject, parts: readonly Part[]): object {
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
  const parsed = parseArguments(text)
  const language = readStringOrEmpty(content['language'])
  const given =
    parsed.arguments === undefined
      ? { arguments: { input: text, ...(language !== '' && language !== 'unknown' && { language }) } }
      : parsed
  return { type: 'tool-call', id, name, ...given }
}

/** Reads a time in seconds since 1970. */
function readTime(seconds: Json | undefined): string | undefined {
  if (typeof seconds !== 'number' || !(seconds > 0) || seconds > MAX_SECONDS) return undefined
  return new Date(Math.round(seconds * 1000)).toISOString()
}

const MAX_SECONDS = 253_402_300_799
