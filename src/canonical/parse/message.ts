import { freezeCopy, brand } from '../../wire/frozen-json.ts'
import { isEmptyObject, isObject, type Json, getOwnValue, setKey, MAX_JSON_DEPTH } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { generateId } from '../build/ids-and-timestamps.ts'
import { reasoning, refusal, text } from '../build/parts.ts'
import { type Message, type Role, ROLES } from '../model/message.ts'
import type { Part } from '../model/part.ts'
import { textOf } from '../read/message-content.ts'
import { isMessageLike } from '../read/type-guards.ts'
import { assistantOnlyFields, messageBaseFields } from '../shape/message.ts'
import { readFields, addUnknownKeys } from '../shape/object.ts'
import { assertPartAllowed, partShape } from '../shape/part.ts'
import {
  throwInvalid,
  throwWrongType,
  type ValueReader,
  type ReadContext,
  quoteOrDescribe,
} from '../shape/shape.ts'
import { createFieldPicker, type FieldPicker, isPresent } from './field-picker.ts'
import { assertKnownFormat, throwUnknownFormat } from './foreign-formats.ts'
import { mediaPartTypeAliases, readAttachmentPart, readImage } from './media.ts'
import { readToolCall } from './tool-call.ts'
import { hasToolResultType, readToolMessageContent } from './tool-result.ts'
import { withTypedErrors } from '../../wire/typed-errors.ts'

type RawFields = Record<string, unknown>

/** Reads content: text, a part, a list of both, nothing, or a message whose content is used. */
const readParts: ValueReader<readonly Part[]> = (given, givenPath, context) => {
  let [value, path] = [given, givenPath]
  for (let depth = 0; isMessageLike(value); depth++) {
    if (depth >= MAX_JSON_DEPTH)
      return throwInvalid('too-deep', path, 'messages within messages', `at most ${MAX_JSON_DEPTH} levels`)
    path = child(path, 'content')
    value = getOwnValue(value as object, 'content')
  }
  if (value === undefined || value === null || value === '') return []
  if (typeof value === 'string') return [text(value)]
  if (Array.isArray(value)) return createListReader(partShape.read)(value, path, context)
  if (isObject(value)) return [partShape.read(value, path, context)]
  return throwWrongType(value, path, 'a string, a part or a list of parts')
}

function createListReader<T>(read: ValueReader<T>): ValueReader<readonly T[]> {
  return (value, path, context) =>
    Array.isArray(value)
      ? Array.from(value, (each, index) => read(each, child(path, index), context))
      : throwWrongType(value, path, 'an array')
}

/** Reads the content of a message of any role but `tool` from the fields of all formats. */
function readContent(role: Role, pick: FieldPicker, context: ReadContext): readonly Part[] {
  const takeParts = (...names: readonly string[]): readonly Part[] => {
    const given = pick.take(...names)
    return readParts(given?.value, given?.path, context)
  }
  const takeList = <T>(read: ValueReader<T>, ...names: readonly string[]): readonly T[] => {
    const given = pick.take(...names)
    return given === undefined ? [] : createListReader(read)(given.value, given.path, context)
  }
  const takeMedia = (): readonly Part[] => [
    ...takeList(readAttachmentPart, 'attachments'),
    ...takeList(readImage, 'images'),
  ]
  if (role !== 'assistant') return [...takeParts('content'), ...takeMedia()]
  const reasoningParts = takeParts('reasoning', 'reasoning_content', 'thinking')
  const content = takeParts('content')
  const refusalParts = takeParts('refusal')
  const toolCalls = takeList(readToolCall, 'tool_calls', 'toolCalls')
  const functionCall = pick.take('function_call')
  return [
    ...reasoningParts.map((part) => (part.type === 'reasoning' ? part : reasoning(textOf(part)))),
    ...content,
    ...takeMedia(),
    ...refusalParts.map((part) => refusal(textOf(part))),
    ...toolCalls,
    ...(functionCall === undefined ? [] : [readToolCall(functionCall.value, functionCall.path, context)]),
  ]
}

/** Roles of other formats. */
const ROLE_ALIASES: ReadonlyMap<unknown, Role> = new Map([
  ['model', 'assistant'],
  ['ai', 'assistant'],
  ['function', 'tool'],
  ['human', 'user'],
])

/**
 * Returns the canonical role for a role of any format; undefined, null and the empty string mean `user`.
 *
 * @example
 * parseRole('model') // 'assistant'
 */
export function parseRole(value: unknown, path?: Path): Role {
  return withTypedErrors(() => {
    if (value === undefined || value === null || value === '') return 'user'
    const role = ROLES.find((each) => each === value) ?? ROLE_ALIASES.get(value)
    if (role !== undefined) return role
    const code = typeof value === 'string' ? 'unknown-role' : 'invalid-type'
    const expected = `one of ${[...ROLES, ...ROLE_ALIASES.keys()].join(', ')}`
    const hint = 'Map the role to a canonical role before parsing, and keep the original in metadata.'
    return throwInvalid(code, path, quoteOrDescribe(value), expected, hint)
  }, [value, path])
}

/** Reads a message in canonical form, or in a form that other formats store. */
export const readMessage: ValueReader<Message> = (given, path, { reader }) => {
  const context = { reader, unknownKeys: {} }
  if (typeof given === 'string' || Array.isArray(given) || isUserPart(given))
    return buildParsedMessage({}, 'user', readParts(given, path, context), path, context)
  const [value, ...others] = splitResultsFromUserMessage(given, path, context)
  if (others.length > 0) {
    const hint = 'Use `parseMessages`, which returns a tool message and a user message.'
    throwInvalid(
      'invalid-value',
      child(path, 'content'),
      'tool results beside other content',
      'one of both',
      hint,
    )
  }
  if (!isObject(value))
    return throwWrongType(value, path, 'a message: an object, a string or a list of parts')
  assertKnownFormat(value, path)
  const givenRole = parseRole(getOwnValue(value, 'role'), child(path, 'role'))
  const pick = createFieldPicker(value, path)
  pick.take('role')
  const results = givenRole === 'tool' ? readToolMessageContent(value, pick, path, context) : undefined
  // A tool message without a call id cannot be sent as a result: its content is kept as text of the user.
  const role = givenRole === 'tool' && results === undefined ? 'user' : givenRole
  if (role !== givenRole) setKey(context.unknownKeys, 'role', givenRole)
  const content = results ?? readContent(role, pick, context)
  const message = buildParsedMessage(pick.remaining(), role, content, path, context)
  // A message without content whose fields are unknown is a message of another format, not an empty one.
  if (content.length === 0 && !hasContentKey(value) && !isEmptyObject(context.unknownKeys))
    throwUnknownFormat(path)
  return message
}

/** The keys that contain the content of a message, in any format that is read. Null is content, too: none. */
const CONTENT_KEYS: readonly string[] = [
  'content',
  'tool_calls',
  'toolCalls',
  'function_call',
  'reasoning',
  'reasoning_content',
  'thinking',
  'refusal',
  'attachments',
  'images',
  'tool_result',
]

function hasContentKey(value: object): boolean {
  return CONTENT_KEYS.some((key) => Object.hasOwn(value, key))
}

/** Returns true for a part that is not in a message; a user message is built for it. */
function isUserPart(value: unknown): boolean {
  if (!isObject(value) || Object.hasOwn(value, 'role') || hasContentKey(value)) return false
  const type = getOwnValue(value, 'type')
  return type === 'text' || type === 'input_text' || mediaPartTypeAliases.has(type)
}

/**
 * Splits a user message that contains tool results, as Anthropic stores them, into a tool message with all results and a
 * user message with the other parts; returns any other value as it is. The fields of the message stay with the last one.
 */
export function splitResultsFromUserMessage(
  value: unknown,
  path: Path | undefined,
  context: ReadContext,
): readonly [unknown, ...unknown[]] {
  const content = isObject(value) ? getOwnValue(value, 'content') : undefined
  if (!isObject(value) || !Array.isArray(content) || !content.some(hasToolResultType)) return [value]
  if (parseRole(getOwnValue(value, 'role'), child(path, 'role')) !== 'user') return [value]
  const parts = createListReader(partShape.read)(content, child(path, 'content'), context)
  const results = parts.filter((part) => part.type === 'tool-result')
  const others = parts.filter((part) => part.type !== 'tool-result')
  if (others.length === 0) return [{ ...value, role: 'tool', content: results }]
  const id = generateId('msg', context.reader)
  const parentKey = ['parentId', 'parent_id'].find((key) => typeof getOwnValue(value, key) === 'string')
  if (parentKey === undefined)
    return [
      { id, role: 'tool', content: results },
      { ...value, content: others },
    ]
  return [
    { id, role: 'tool', content: results, parentId: value[parentKey] },
    { ...value, content: others, [parentKey]: id },
  ]
}

const BASE_ROWS = Object.entries(messageBaseFields)
const ASSISTANT_ROWS = [...BASE_ROWS, ...Object.entries(assistantOnlyFields)]

function buildParsedMessage(
  rest: RawFields,
  role: Role,
  content: readonly Part[],
  path: Path | undefined,
  context: ReadContext,
): Message {
  const contentPath = child(path, 'content')
  for (const [index, part] of content.entries()) assertPartAllowed(part, role, child(contentPath, index))
  const source = ensureId(normalizeTime(moveExtras(rest, path, context)), context)
  const fields = readFields(source, role === 'assistant' ? ASSISTANT_ROWS : BASE_ROWS, path, context)
  const message = { ...fields, role, content: Object.freeze([...content]) }
  return brand(addUnknownKeys(message, context.unknownKeys)) as unknown as Message
}

function ensureId(source: RawFields, { reader }: ReadContext): RawFields {
  const given = source['id'] ?? source['message_uuid']
  return isPresent(given) && given !== '' ? source : { ...source, id: generateId('msg', reader) }
}

/** Converts a time in seconds or milliseconds to ISO 8601. */
function normalizeTime(source: RawFields): RawFields {
  const key = ['createdAt', 'created_at', 'message_created'].find(
    (name) => typeof getOwnValue(source, name) === 'number',
  )
  if (key === undefined) return source
  const count = source[key] as number
  const date = new Date(count < 1e11 ? count * 1000 : count)
  return Number.isNaN(date.getTime()) ? source : { ...source, [key]: date.toISOString() }
}

/** Moves `extras` of another library, and an `extra` that does not consist of slots, to the unknown keys. */
function moveExtras(source: RawFields, path: Path | undefined, { unknownKeys }: ReadContext): RawFields {
  const { extras, extra, ...rest } = source
  const hasSlots = isObject(extra) && Object.values(extra).every(isObject)
  const found = {
    ...(isObject(extras) ? extras : isPresent(extras) && { extras }),
    ...(!hasSlots && isPresent(extra) && { extra }),
  }
  for (const [key, value] of Object.entries(found))
    setKey(unknownKeys, key, freezeCopy(value as Json, child(path, key)))
  return hasSlots ? { ...rest, extra } : rest
}
