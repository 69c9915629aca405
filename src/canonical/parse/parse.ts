import { brand } from '../../wire/frozen-json.ts'
import { isObject, getOwnValue, omitUndefined } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { IdentityOptions } from '../build/ids-and-timestamps.ts'
import { text } from '../build/parts.ts'
import type { Message } from '../model/message.ts'
import type { Part, PartType, ToolCallPart } from '../model/part.ts'
import type { ChatRequest } from '../model/request.ts'
import type { ChatResponse } from '../model/response.ts'
import { messageShape } from '../shape/message.ts'
import { requestShape, responseShape, toolChoiceShape, toolShape } from '../shape/request.ts'
import { partShape, partShapes } from '../shape/part.ts'
import {
  throwInvalid,
  throwWrongType,
  quoteOrDescribe,
  type ReadContext,
  type ValueReader,
} from '../shape/shape.ts'
import { assertKnownFormat } from './foreign-formats.ts'
import { readMessage, splitResultsFromUserMessage } from './message.ts'
import type { Tool, ToolChoice } from '../model/tool.ts'
import { createFieldPicker } from './field-picker.ts'
import { convertAnthropicSource, mediaPartTypeAliases, readMediaPart } from './media.ts'
import { readThinking } from './thinking.ts'
import { TOOL_CALL_PART_TYPES, readToolCall } from './tool-call.ts'
import { readToolResult, TOOL_RESULT_PART_TYPES } from './tool-result.ts'
import { withTypedErrors } from '../../wire/typed-errors.ts'

/** Part types of other formats that differ from canonical ones only in their name. */
const PART_TYPE_ALIASES: ReadonlyMap<unknown, PartType> = new Map([
  ['input_text', 'text'],
  ['output_text', 'text'],
  ['thinking', 'reasoning'],
])

/** Reads a part in canonical form, or in a form of another format. */
const readPart: ValueReader<Part> = (value, path, context) => {
  if (typeof value === 'string') return text(value)
  if (!isObject(value)) return throwWrongType(value, path, 'a part: an object or a string')
  const part = convertAnthropicSource(convertCacheControl(value, path))
  const type = getOwnValue(part, 'type') ?? 'text'
  const thinking = readThinking({ ...part }, path, context)
  if (thinking !== undefined) return thinking
  if (TOOL_CALL_PART_TYPES.has(type)) return readToolCall(part, path, context)
  if (TOOL_RESULT_PART_TYPES.has(type)) return readToolResult(part, path, context)
  const media = isObject(getOwnValue(part, 'source')) ? undefined : mediaPartTypeAliases.get(type)
  if (media !== undefined) return readMediaPart(part, media, path, context)
  const ours = PART_TYPE_ALIASES.get(type) ?? type
  if (typeof ours === 'string' && Object.hasOwn(partShapes, ours))
    return partShapes[ours as PartType].read({ ...part, type: ours }, path, context)
  const known = [...Object.keys(partShapes), ...mediaPartTypeAliases.keys(), ...PART_TYPE_ALIASES.keys()]
  const expected = `one of ${known.join(', ')}`
  return throwInvalid('unknown-part-type', child(path, 'type'), quoteOrDescribe(type), expected)
}

const CACHE_LIFETIMES: ReadonlyMap<unknown, { readonly ttl: 'short' | 'long' }> = new Map([
  ['5m', { ttl: 'short' }],
  ['1h', { ttl: 'long' }],
])

/** Renames `cache_control`, the name in other formats, to `cache`. */
function convertCacheControl(part: object, path: Path | undefined): object {
  const control = getOwnValue(part, 'cache_control')
  if (!isObject(control) || getOwnValue(part, 'cache') !== undefined || control['type'] !== 'ephemeral')
    return part
  const pick = createFieldPicker(part, path, 'cache_control')
  pick.take('type')
  const ttl = pick.take('ttl')
  if (ttl !== undefined && !CACHE_LIFETIMES.has(ttl.value)) return part
  const cache = CACHE_LIFETIMES.get(ttl?.value) ?? {}
  return { ...pick.remaining(), ...('type' in part && { type: part.type }), cache }
}

/** The schema of a tool that is stored without one: an empty object, for a tool without arguments. */
const EMPTY_INPUT_SCHEMA = { type: 'object', properties: {} }

/** Reads a tool in canonical form, or a function of another format: nested or flat. */
const readTool: ValueReader<Tool> = (value, path, context) => {
  if (!isObject(value)) return throwWrongType(value, path, 'a tool: an object')
  const type = getOwnValue(value, 'type')
  if (type !== undefined && type !== 'function') return toolShape.read(value, path, context)
  const pick = createFieldPicker(value, path, 'function')
  pick.take('type')
  const [name, description, strict] = ['name', 'description', 'strict'].map((key) => pick.take(key)?.value)
  const input = pick.take('input', 'parameters', 'input_schema', 'inputSchema')?.value ?? EMPTY_INPUT_SCHEMA
  const fields = omitUndefined({ name, description, strict })
  const tool = { ...pick.remaining(), ...fields, type: 'function', input }
  return toolShape.read(tool, path, context)
}

/** Reads a tool choice in canonical form, or in that of another format. */
const readToolChoice: ValueReader<ToolChoice> = (value, path, context) => {
  if (value === 'any') return 'required'
  if (!isObject(value)) return toolChoiceShape.read(value, path, context)
  const pick = createFieldPicker(value, path, 'function', 'allowed_tools')
  const type = pick.take('type')?.value
  if (type === 'auto' || type === 'none' || type === 'any' || type === 'required')
    return readToolChoice(type, child(path, 'type'), context)
  const [name, tools, mode] = [pick.take('name'), pick.take('tools', 'allowed'), pick.take('mode')]
  const given = { ...(name && { name: name.value }), ...(mode && { mode: mode.value }) }
  if (tools === undefined) return toolChoiceShape.read({ ...pick.remaining(), ...given }, path, context)
  if (!Array.isArray(tools.value)) return throwWrongType(tools.value, tools.path, 'an array')
  const choice = { ...pick.remaining(), mode: 'auto', ...given, allowed: tools.value.map(readToolName) }
  return toolChoiceShape.read(choice, path, context)
}

/** Returns the name of an allowed tool, which is a text or an object. */
function readToolName(tool: unknown): unknown {
  return isObject(tool) ? createFieldPicker(tool, undefined, 'function').take('name')?.value : tool
}

/** Creates the context for reading messages in the canonical form and in the forms of other formats. */
function createLenientContext(options: IdentityOptions): ReadContext {
  const reader = {
    ...options,
    isStrict: false,
    part: readPart,
    message: readMessage,
  }
  return { reader, unknownKeys: {} }
}

/** Creates the context for reading requests in the canonical form and in the forms of other formats. */
export function createLenientRequestContext(options: IdentityOptions): ReadContext {
  const { reader, unknownKeys } = createLenientContext(options)
  return { reader: { ...reader, tool: readTool, toolChoice: readToolChoice }, unknownKeys }
}

/** Reads a list of messages, an object with `messages`, or a single message. */
export const readMessageListInput: ValueReader<readonly Message[]> = (value, path, context) => {
  if (isObject(value) && Array.isArray(getOwnValue(value, 'messages'))) {
    const messages = readMessageListInput(getOwnValue(value, 'messages'), child(path, 'messages'), context)
    return Object.freeze([...readSystem(value, path, context), ...messages])
  }
  const readOne = (each: unknown, at: Path | undefined): readonly Message[] =>
    splitResultsFromUserMessage(each, at, context).map((half) => messageShape.read(half, at, context))
  const isList = Array.isArray(value)
  return Object.freeze(
    isList ? value.flatMap((each, index) => readOne(each, child(path, index))) : readOne(value, path),
  )
}

/** Reads the `system` text beside the messages. */
function readSystem(body: object, path: Path | undefined, context: ReadContext): readonly Message[] {
  const system = getOwnValue(body, 'system')
  if (system === undefined || system === null || system === '') return []
  return [messageShape.read({ role: 'system', content: system }, child(path, 'system'), context)]
}

/** Reads a request; a `system` field beside the messages becomes the first message. */
export const readRequest: ValueReader<ChatRequest> = (value, path, context) => {
  if (!isObject(value)) return throwWrongType(value, path, 'a request: an object')
  const { system: _system, messages, ...rest } = value
  if (messages === undefined) assertKnownFormat(value, path)
  const read = requestShape.read(
    {
      ...normalizeRequestFields(rest),
      ...(messages !== undefined && {
        messages: readMessageListInput(messages, child(path, 'messages'), context),
      }),
    },
    path,
    context,
  )
  const first = readSystem(value, path, context)
  return first.length === 0 ? read : brand({ ...read, messages: Object.freeze([...first, ...read.messages]) })
}

/** Replaces single values by the list or object of the canonical form. */
function normalizeRequestFields(value: { readonly [key: string]: unknown }): object {
  const { stop, logprobs, top_logprobs: top, ...rest } = value
  return {
    ...rest,
    ...(stop !== undefined && { stop: typeof stop === 'string' ? [stop] : stop }),
    ...(typeof logprobs === 'boolean'
      ? logprobs && { logprobs: { ...(typeof top === 'number' && { top }) } }
      : { logprobs, top_logprobs: top }),
  }
}

/** Options of the parsers: the source of ids for values without one. */
export type ParseOptions = IdentityOptions

/**
 * Parses a part from untrusted JSON: the canonical form, a string, or the forms of other formats
 * (`image_url`, `input_audio`, `file`, nested or flat). Unknown keys are kept in `extra.unknown`.
 *
 * @example
 * parsePart({ type: 'image_url', image_url: { url: 'https://example.com/cat.png' } })
 */
export function parsePart(value: unknown, options: ParseOptions = {}): Part {
  return withTypedErrors(
    () => partShape.read(value, undefined, createLenientContext(options)),
    [value, options],
  )
}

/**
 * Parses a tool call from untrusted JSON: the function nested or flat, the arguments an object or text.
 *
 * @example
 * parseToolCall({ id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } })
 */
export function parseToolCall(value: unknown, options: ParseOptions = {}): ToolCallPart {
  return withTypedErrors(
    () => readToolCall(value, undefined, createLenientContext(options)),
    [value, options],
  )
}

/**
 * Parses a message from untrusted JSON: the canonical form, a string, a list of parts, or the forms of other
 * formats (`tool_calls`, `tool_call_id`, `_metadata`, `attachments`…).
 *
 * @example
 * parseMessage({ role: 'tool', tool_call_id: 'call_1', content: '4 °C' })
 */
export function parseMessage(value: unknown, options: ParseOptions = {}): Message {
  return withTypedErrors(
    () => messageShape.read(value, undefined, createLenientContext(options)),
    [value, options],
  )
}

/**
 * Parses messages from untrusted JSON: a list, an object with `messages`, or a single message.
 *
 * @example
 * parseMessages([{ role: 'user', content: 'Hello' }, { role: 'assistant', content: 'Hi!' }])
 */
export function parseMessages(value: unknown, options: ParseOptions = {}): readonly Message[] {
  return withTypedErrors(
    () => readMessageListInput(value, undefined, createLenientContext(options)),
    [value, options],
  )
}

/**
 * Parses a request from untrusted JSON in canonical form, also with snake_case names and a `system` text.
 *
 * @example
 * parseRequest({ model: 'm', system: 'Be brief.', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 100 })
 */
export function parseRequest(value: unknown, options: ParseOptions = {}): ChatRequest {
  return withTypedErrors(
    () => readRequest(value, undefined, createLenientRequestContext(options)),
    [value, options],
  )
}

/**
 * Parses a response from untrusted JSON; its messages may have any form that {@link parseMessage} accepts.
 *
 * @example
 * parseResponse({ candidates: [{ role: 'assistant', content: 'Hi!' }] })
 */
export function parseResponse(value: unknown, options: ParseOptions = {}): ChatResponse {
  return withTypedErrors(
    () => responseShape.read(value, undefined, createLenientContext(options)),
    [value, options],
  )
}
