import { BufferedMessages } from '../../canonical/collections/message-buffer.ts'
import type { Message, MessageList } from '../../canonical/model/message.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import type { ChatResponse } from '../../canonical/model/response.ts'
import type { Tool } from '../../canonical/model/tool.ts'
import { findForeignFormat } from '../../canonical/parse/foreign-formats.ts'
import { messageShape, messageShapes } from '../../canonical/shape/message.ts'
import { unionShape } from '../../canonical/shape/object.ts'
import { requestShape, responseShape, toolShape } from '../../canonical/shape/request.ts'
import { listShape, type ReadContext, throwWrongType, type ValueReader } from '../../canonical/shape/shape.ts'
import { InterlinguaError } from '../../errors.ts'
import { isBranded } from '../../wire/frozen-json.ts'
import { isObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'

/*
 * Encoders receive values that no parser or builder has checked: JavaScript callers, `JSON.parse`, casts. Those are read
 * here in canonical form, so that an encoder never meets a field of the wrong type. Unknown keys move to `extra.unknown`
 * and are reported as losses. Values of a builder, parser or decoder are branded and not read again.
 */

/** Returns a message without the fields that no encoder reads, so that an error there does not stop a request. */
function omitUnsentFields(value: unknown): unknown {
  if (!isObject(value)) return value
  const { createdAt: _time, parentId: _parent, metadata: _metadata, usage: _usage, ...sent } = value
  return { ...sent, id: 'unsent' }
}

const canonicalMessageShape = unionShape<Message>('role', 'unknown-role', messageShapes)

const readTool: ValueReader<Tool> = (value, path, context) =>
  isObject(value) && isBranded(value) && 'input' in value
    ? (value as unknown as Tool)
    : toolShape.read(value, path, context)

/** Creates the context for canonical values from `JSON.parse`: null means absent, and unknown keys are kept. */
function createUncheckedContext(): ReadContext {
  const reader: ReadContext['reader'] = {
    isStrict: false,
    message: (value, path, context) => canonicalMessageShape.read(omitUnsentFields(value), path, context),
    tool: readTool,
  }
  return { reader, unknownKeys: {} }
}

/** Returns a request in canonical form; throws if it has none. The list of messages stays the same if all are checked. */
export function checkRequest(request: ChatRequest): ChatRequest {
  if (!isObject(request)) return throwWrongType(request, undefined, 'a request: an object')
  const messages = checkMessages(request.messages)
  if (isBranded(request)) return request
  const { messages: _messages, ...settings } = request
  const checked = addHintToErrors(undefined, () =>
    requestShape.read({ ...settings, messages: [] }, undefined, createUncheckedContext()),
  )
  return { ...checked, messages }
}

const MESSAGES_KEY: Path = child(undefined, 'messages')

function checkMessages(messages: ChatRequest['messages']): ChatRequest['messages'] {
  if (messages instanceof BufferedMessages) return messages
  if (!isMessageList(messages)) return throwWrongType(messages, MESSAGES_KEY, 'a list of messages')
  const list = Array.isArray(messages) ? (messages as readonly Message[]) : [...messages]
  return list.every(isBrandedMessage)
    ? messages
    : list.map((message, index) => checkMessage(message, child(MESSAGES_KEY, index)))
}

/** Returns true for an array and for any other list with the members of `MessageList`. */
export function isMessageList(value: unknown): value is readonly Message[] | MessageList {
  if (Array.isArray(value)) return true
  return isObject(value) && Symbol.iterator in value && 'size' in value && typeof value['at'] === 'function'
}

function isBrandedMessage(message: unknown): boolean {
  return isObject(message) && isBranded(message) && 'role' in message
}

/** Returns a message in canonical form; the same object if it is checked. */
export function checkMessage(message: Message, path?: Path): Message {
  if (isBrandedMessage(message)) return message
  const context = createUncheckedContext()
  return addHintToErrors(message, () => messageShape.read(message, path, context))
}

const toolListShape = listShape({ ...toolShape, read: readTool })

/** Returns tools in canonical form. */
export function checkTools(tools: readonly Tool[]): readonly Tool[] {
  return addHintToErrors(undefined, () => toolListShape.read(tools, undefined, createUncheckedContext()))
}

/** Returns a response in canonical form; the same object if it is checked. */
export function checkResponse(response: ChatResponse): ChatResponse {
  if (isObject(response) && isBranded(response)) return response
  return addHintToErrors(undefined, () => responseShape.read(response, undefined, createUncheckedContext()))
}

/** Adds to an error how to read the value, which depends on the format that it looks like. */
function addHintToErrors<T>(message: unknown, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof InterlinguaError)) throw error
    const { code, path, found, expected } = error
    const hint = findForeignFormat(message)?.hint ?? error.hint ?? PARSE_HINT
    throw new InterlinguaError(code, error.message, {
      ...(path !== undefined && { path }),
      ...(found !== undefined && { found }),
      ...(expected !== undefined && { expected }),
      hint,
    })
  }
}

const PARSE_HINT =
  'Parse JSON from other sources first: `parseRequest` and `parseMessages` of interlingua/parse.'
