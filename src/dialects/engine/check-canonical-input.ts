import { BufferedMessages } from '../../canonical/collections/message-buffer.ts'
import type { Message, MessageList } from '../../canonical/model/message.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import type { ChatResponse } from '../../canonical/model/response.ts'
import type { Tool } from '../../canonical/model/tool.ts'
import { findForeignFormat } from '../../canonical/parse/foreign-formats.ts'
import { messageShape } from '../../canonical/shape/message.ts'
import { partShapeForContainer, partTypesByContainer } from '../../canonical/shape/part.ts'
import { requestShape, responseShape, toolShape } from '../../canonical/shape/request.ts'
import {
  isCanonicalValue,
  listShape,
  type ReadContext,
  type Shape,
  throwWrongType,
  type ValueReader,
} from '../../canonical/shape/shape.ts'
import { InterlinguaError } from '../../errors.ts'
import { isBranded } from '../../wire/frozen-json.ts'
import { isObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'

/*
 * Encoders receive values that no parser or builder has checked: JavaScript callers, `JSON.parse`, casts. Those are read
 * in canonical form, so that an encoder never meets a field of the wrong type. Unknown keys move to `extra.unknown`
 * and are reported as losses. Values of a builder, parser or decoder are branded and not read again.
 */

/** Creates the context for canonical values from `JSON.parse`: null means absent, and unknown keys are kept. */
export function createUncheckedContext(): ReadContext {
  return { reader: { isStrict: false, tool: readTool }, unknownKeys: {} }
}

/**
 * Returns the value itself if it is in canonical form, and otherwise what a lenient reader makes of it. The check creates
 * nothing, so its result is not remembered: the caller may change the value afterwards.
 */
function readUnlessCanonical<T>(
  shape: Shape<T>,
  value: T,
  readable: unknown,
  path: Path | undefined,
  context: ReadContext,
): T {
  return isCanonicalValue(shape, readable) ? value : shape.read(readable, path, context)
}

const TOOL_TYPES: ReadonlySet<unknown> = new Set<Tool['type']>(['function', 'provider', 'opaque'])

const readTool: ValueReader<Tool> = (value, path, context) => {
  const tool = value as Tool
  return isObject(value) && isBranded(value) && TOOL_TYPES.has(tool.type)
    ? tool
    : readUnlessCanonical(toolShape, tool, value, path, context)
}

/** Returns a request in canonical form; throws if it has none. The list of messages stays the same if all are checked. */
export function checkRequest(request: ChatRequest): ChatRequest {
  if (!isObject(request)) return throwWrongType(request, undefined, 'a request: an object')
  if (isBranded(request)) return request
  const messages = checkMessages(request.messages)
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
  return list.every((message) => isCanonicalValue(messageShape, message))
    ? messages
    : list.map((message, index) => checkMessage(message, child(MESSAGES_KEY, index)))
}

/** Returns true for an array and for any other list with the members of `MessageList`. */
export function isMessageList(value: unknown): value is readonly Message[] | MessageList {
  if (Array.isArray(value)) return true
  return isObject(value) && Symbol.iterator in value && 'size' in value && typeof value['at'] === 'function'
}

/** Returns a message in canonical form; the same object if it already is. */
export function checkMessage(message: Message, path?: Path): Message {
  if (isCanonicalValue(messageShape, message)) return message
  return addHintToErrors(message, () =>
    readUnlessCanonical(messageShape, message, omitUnsentFields(message), path, createUncheckedContext()),
  )
}

/** Returns a message without the fields that no encoder reads, so that an error there does not stop a request. */
function omitUnsentFields(message: unknown): unknown {
  if (!isObject(message) || isBranded(message)) return message
  const { createdAt: _time, parentId: _parent, metadata: _metadata, usage: _usage, ...sent } = message
  return { ...sent, id: 'unsent' }
}

const assistantPartShape = partShapeForContainer<AssistantPart>('assistant')

/** Returns a part of an answer in canonical form; the same object if it already is. */
export function checkAssistantPart(part: AssistantPart, path: Path): AssistantPart {
  return isBranded(part) && assistantPartTypes.has(part.type)
    ? part
    : readUnlessCanonical(assistantPartShape, part, part, path, createUncheckedContext())
}

const assistantPartTypes: ReadonlySet<string> = new Set(partTypesByContainer.assistant)

/** Returns tools in canonical form. */
export function checkTools(tools: readonly Tool[]): readonly Tool[] {
  const shape = listShape({ ...toolShape, read: readTool })
  return addHintToErrors(undefined, () => shape.read(tools, undefined, createUncheckedContext()))
}

/** Returns a response in canonical form; the same object if it is checked. */
export function checkResponse(response: ChatResponse): ChatResponse {
  if (isObject(response) && isBranded(response)) return response
  const candidates: unknown = isObject(response) ? response.candidates : undefined
  const sent = Array.isArray(candidates)
    ? { ...response, candidates: candidates.map(omitUnsentFields) }
    : response
  return addHintToErrors(undefined, () => responseShape.read(sent, undefined, createUncheckedContext()))
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
