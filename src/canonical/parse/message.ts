import { freezeCopy, brand } from '../../wire/frozen-json.ts'
import { describeType, isObject, type Json, getOwnValue, setKey, MAX_JSON_DEPTH } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { generateId } from '../build/ids-and-timestamps.ts'
import { type Message, type Role, ROLES } from '../model/message.ts'
import type { Part } from '../model/part.ts'
import { assistantFields, messageBaseFields } from '../shape/message.ts'
import { readFields, addUnknownKeys } from '../shape/object.ts'
import { partShapeFor } from '../shape/part.ts'
import {
  throwInvalid,
  type ReadValue,
  type ReadContext,
  type UnknownKeys,
  quoteShort,
  listShape,
  type Shape,
} from '../shape/shape.ts'
import { createFieldPicker, type PickedField, type FieldPicker } from './field-picker.ts'
import { readToolMessageContent } from './tool-result.ts'
import { reasoning, refusal, text } from '../build/parts.ts'
import { isMessageLike } from '../read/type-guards.ts'
import { textOf } from '../read/message-content.ts'
import { readAttachment } from './media.ts'
import { readToolCall } from './tool-call.ts'

/** A shape for reading alone. */
function createListReader<T>(read: Shape<T>['read']): Shape<readonly T[]> {
  return listShape<T>({ expects: 'an object', read, schema: () => ({}) })
}

const toolCallList = createListReader(readToolCall)
const attachmentList = createListReader(readAttachment)
const partList = createListReader<Part>((...args) => args[2].part(...args))

/** Content as it may be given: text, a part, a list of both, nothing, or a message whose content is meant. */
export function readParts(
  given: PickedField | undefined,
  reading: ReadContext,
  spare: UnknownKeys,
): readonly Part[] {
  const { value, path } = unwrapMessages(given)
  if (value === undefined || value === null || value === '') return []
  if (typeof value === 'string') return [text(value)]
  if (Array.isArray(value)) return partList.read(value, path, reading, spare)
  if (isObject(value)) return [reading.part(value, path, reading, spare)]
  return throwInvalid('invalid-type', path, describeType(value), 'a string, a part or a list of parts')
}

/** Follows content that is itself a message down to what that message says. */
function unwrapMessages(given: PickedField | undefined): {
  readonly value: unknown
  readonly path: Path | undefined
} {
  let { value, path } = given ?? { value: undefined, path: undefined }
  for (let depth = 0; isMessageLike(value); depth++) {
    if (depth >= MAX_JSON_DEPTH)
      return throwInvalid('too-deep', path, 'messages within messages', `at most ${MAX_JSON_DEPTH} levels`)
    path = child(path, 'content')
    value = getOwnValue(value as object, 'content')
  }
  return { value, path }
}

/** Everything that an answer says, gathered from wherever others keep it: thoughts, content, refusal, calls. */
export function readAssistantContent(
  pick: FieldPicker,
  reading: ReadContext,
  spare: UnknownKeys,
): readonly Part[] {
  const thoughts = readParts(pick.take(['reasoning', 'reasoning_content', 'thinking']), reading, spare)
  const content = readParts(pick.take(['content']), reading, spare)
  const refused = readParts(pick.take(['refusal']), reading, spare)
  const called = readList(toolCallList, pick.take(['tool_calls', 'toolCalls']), reading, spare)
  const legacy = pick.take(['function_call'])
  return [
    ...thoughts.map((part) => (part.type === 'reasoning' ? part : reasoning(textOf(part)))),
    ...content,
    ...readList(attachmentList, pick.take(['attachments']), reading, spare),
    ...refused.map((part) => refusal(textOf(part))),
    ...called,
    ...(legacy === undefined ? [] : [readToolCall(legacy.value, legacy.path, reading, spare)]),
  ]
}

/** What a user or a system says, attachments last. */
export function readContentWithAttachments(
  pick: FieldPicker,
  reading: ReadContext,
  spare: UnknownKeys,
): readonly Part[] {
  const content = readParts(pick.take(['content']), reading, spare)
  return [...content, ...readList(attachmentList, pick.take(['attachments']), reading, spare)]
}

function readList<T>(
  shape: Shape<readonly T[]>,
  given: PickedField | undefined,
  reading: ReadContext,
  spare: UnknownKeys,
): readonly T[] {
  return given === undefined ? [] : shape.read(given.value, given.path, reading, spare)
}

/** Other words for our roles. */
const ROLE_ALIASES: ReadonlyMap<unknown, Role> = new Map([
  ['model', 'assistant'],
  ['ai', 'assistant'],
  ['function', 'tool'],
  ['human', 'user'],
])

/** The role of who has none. */
const DEFAULT_ROLE: Role = 'user'

/**
 * One of our roles, from any of the words for it; nothing and the empty string mean `user`.
 *
 * @example
 * parseRole('model') // 'assistant'
 */
export function parseRole(value: unknown, path?: Path): Role {
  if (value === undefined || value === null || value === '') return DEFAULT_ROLE
  const role = ROLES.find((each) => each === value) ?? ROLE_ALIASES.get(value)
  if (role !== undefined) return role
  const code = typeof value === 'string' ? 'unknown-role' : 'invalid-type'
  const hint = 'Map the role to one of ours before parsing, and keep your own word in metadata.'
  return throwInvalid(
    code,
    path,
    quoteShort(value),
    `one of ${[...ROLES, ...ROLE_ALIASES.keys()].join(', ')}`,
    hint,
  )
}

/** Reads a message in our form, or in one of those that others store. */
export const readMessage: ReadValue<Message> = (value, path, reading) => {
  if (typeof value === 'string' || Array.isArray(value)) {
    const content = value === '' ? [] : readParts({ value, path: path ?? child(undefined, '') }, reading, {})
    return buildParsedMessage({}, 'user', content, path, reading, {})
  }
  if (!isObject(value)) {
    return throwInvalid(
      'invalid-type',
      path,
      describeType(value),
      'a message: an object, a string or a list of parts',
    )
  }
  return readMessageObject(value, path, reading)
}

function readMessageObject(
  value: { readonly [key: string]: unknown },
  path: Path | undefined,
  reading: ReadContext,
): Message {
  const givenRole = parseRole(getOwnValue(value, 'role'), child(path, 'role'))
  const pick = createFieldPicker(value, path, [])
  const unknown: UnknownKeys = {}
  pick.take(['role'])
  const results =
    givenRole === 'tool' ? readToolMessageContent(value, pick, path, reading, unknown) : undefined
  // A tool's words that answer no call cannot be sent as a result: they are kept as what they are, text.
  const role = givenRole === 'tool' && results === undefined ? 'user' : givenRole
  if (role !== givenRole) setKey(unknown, 'role', givenRole)
  const content =
    results ??
    (role === 'assistant' ? readAssistantContent : readContentWithAttachments)(pick, reading, unknown)
  return buildParsedMessage(pick.remaining(), role, content, path, reading, unknown)
}

function buildParsedMessage(
  rest: Record<string, unknown>,
  role: Role,
  content: readonly Part[],
  path: Path | undefined,
  reading: ReadContext,
  unknown: UnknownKeys,
): Message {
  const allowed = partShapeFor(role)
  const trusting = { ...reading, part: (part: unknown): Part => part as Part }
  content.forEach((part, index) =>
    allowed.read(part, child(child(path, 'content'), index), trusting, unknown),
  )
  const source = ensureId(normalizeTime(moveExtrasToUnknown(rest, path, unknown)), reading)
  const rows = Object.entries(
    role === 'assistant' ? { ...messageBaseFields, ...assistantFields } : messageBaseFields,
  )
  const fields = readFields(source, rows, path, reading, unknown)
  return brand(
    addUnknownKeys({ ...fields, role, content: Object.freeze([...content]) }, unknown),
  ) as unknown as Message
}

function ensureId(source: Record<string, unknown>, reading: ReadContext): Record<string, unknown> {
  const given = source['id'] ?? source['message_uuid']
  return given === undefined || given === null || given === ''
    ? { ...source, id: generateId('msg', reading) }
    : source
}

/** Times that others keep as a number of seconds or milliseconds. */
function normalizeTime(source: Record<string, unknown>): Record<string, unknown> {
  const key = ['createdAt', 'created_at', 'message_created'].find(
    (name) => typeof getOwnValue(source, name) === 'number',
  )
  if (key === undefined) return source
  const count = source[key] as number
  const date = new Date(count < 1e11 ? count * 1000 : count)
  return Number.isNaN(date.getTime()) ? source : { ...source, [key]: date.toISOString() }
}

/** `extras` are keys that someone else did not know; an `extra` that is no set of slots is one unknown key more. */
function moveExtrasToUnknown(
  source: Record<string, unknown>,
  path: Path | undefined,
  unknown: UnknownKeys,
): Record<string, unknown> {
  const { extras, extra, ...rest } = source
  const found = { ...(isObject(extras) ? extras : isPresent(extras) && { extras }) }
  const slots = isObject(extra) && Object.values(extra).every(isObject)
  Object.assign(found, !slots && isPresent(extra) && { extra })
  for (const [key, value] of Object.entries(found))
    setKey(unknown, key, freezeCopy(value as Json, child(path, key)))
  return slots ? { ...rest, extra } : rest
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null
}
