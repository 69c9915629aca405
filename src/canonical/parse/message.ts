import { freezeCopy, brand } from '../../wire/frozen-json.ts'
import { describeType, isObject, type Json, getOwnValue, setKey, MAX_JSON_DEPTH } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { generateId } from '../build/ids-and-timestamps.ts'
import { type Message, type Role, ROLES } from '../model/message.ts'
import type { Part } from '../model/part.ts'
import { assistantOnlyFields, messageBaseFields } from '../shape/message.ts'
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

/** Creates a list shape that is used only for reading. */
function createListReader<T>(read: Shape<T>['read']): Shape<readonly T[]> {
  return listShape<T>({ expects: 'an object', read, schema: () => ({}) })
}

const toolCallList = createListReader(readToolCall)
const attachmentList = createListReader(readAttachment)
const partList = createListReader<Part>((...args) => args[2].part(...args))

/** Reads content: text, a part, a list of both, nothing, or a message whose content is used. */
function readParts(
  given: PickedField | undefined,
  context: ReadContext,
  unknownKeys: UnknownKeys,
): readonly Part[] {
  const { value, path } = unwrapMessages(given)
  if (value === undefined || value === null || value === '') return []
  if (typeof value === 'string') return [text(value)]
  if (Array.isArray(value)) return partList.read(value, path, context, unknownKeys)
  if (isObject(value)) return [context.part(value, path, context, unknownKeys)]
  return throwInvalid('invalid-type', path, describeType(value), 'a string, a part or a list of parts')
}

/** Returns the content of nested messages. */
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

/**
 * Reads the content of an assistant message from the fields of all formats: reasoning, content, attachments,
 * refusal, calls.
 */
function readAssistantContent(
  pick: FieldPicker,
  context: ReadContext,
  unknownKeys: UnknownKeys,
): readonly Part[] {
  const reasoningParts = readParts(
    pick.take(['reasoning', 'reasoning_content', 'thinking']),
    context,
    unknownKeys,
  )
  const content = readParts(pick.take(['content']), context, unknownKeys)
  const refusalParts = readParts(pick.take(['refusal']), context, unknownKeys)
  const toolCalls = readList(toolCallList, pick.take(['tool_calls', 'toolCalls']), context, unknownKeys)
  const functionCall = pick.take(['function_call'])
  return [
    ...reasoningParts.map((part) => (part.type === 'reasoning' ? part : reasoning(textOf(part)))),
    ...content,
    ...readList(attachmentList, pick.take(['attachments']), context, unknownKeys),
    ...refusalParts.map((part) => refusal(textOf(part))),
    ...toolCalls,
    ...(functionCall === undefined
      ? []
      : [readToolCall(functionCall.value, functionCall.path, context, unknownKeys)]),
  ]
}

/** Reads the content of a user or system message, attachments last. */
function readContentWithAttachments(
  pick: FieldPicker,
  context: ReadContext,
  unknownKeys: UnknownKeys,
): readonly Part[] {
  const content = readParts(pick.take(['content']), context, unknownKeys)
  return [...content, ...readList(attachmentList, pick.take(['attachments']), context, unknownKeys)]
}

function readList<T>(
  shape: Shape<readonly T[]>,
  given: PickedField | undefined,
  context: ReadContext,
  unknownKeys: UnknownKeys,
): readonly T[] {
  return given === undefined ? [] : shape.read(given.value, given.path, context, unknownKeys)
}

/** Roles of other formats. */
const ROLE_ALIASES: ReadonlyMap<unknown, Role> = new Map([
  ['model', 'assistant'],
  ['ai', 'assistant'],
  ['function', 'tool'],
  ['human', 'user'],
])

/** The role of a message without one. */
const DEFAULT_ROLE: Role = 'user'

/**
 * Returns the canonical role for a role of any format; undefined, null and the empty string mean `user`.
 *
 * @example
 * parseRole('model') // 'assistant'
 */
export function parseRole(value: unknown, path?: Path): Role {
  if (value === undefined || value === null || value === '') return DEFAULT_ROLE
  const role = ROLES.find((each) => each === value) ?? ROLE_ALIASES.get(value)
  if (role !== undefined) return role
  const code = typeof value === 'string' ? 'unknown-role' : 'invalid-type'
  const hint = 'Map the role to a canonical role before parsing, and keep the original in metadata.'
  return throwInvalid(
    code,
    path,
    quoteShort(value),
    `one of ${[...ROLES, ...ROLE_ALIASES.keys()].join(', ')}`,
    hint,
  )
}

/** Reads a message in canonical form, or in a form that other formats store. */
export const readMessage: ReadValue<Message> = (value, path, context) => {
  if (typeof value === 'string' || Array.isArray(value)) {
    const content = value === '' ? [] : readParts({ value, path: path ?? child(undefined, '') }, context, {})
    return buildParsedMessage({}, 'user', content, path, context, {})
  }
  if (!isObject(value)) {
    return throwInvalid(
      'invalid-type',
      path,
      describeType(value),
      'a message: an object, a string or a list of parts',
    )
  }
  return readMessageObject(value, path, context)
}

function readMessageObject(
  value: { readonly [key: string]: unknown },
  path: Path | undefined,
  context: ReadContext,
): Message {
  const givenRole = parseRole(getOwnValue(value, 'role'), child(path, 'role'))
  const pick = createFieldPicker(value, path, [])
  const unknown: UnknownKeys = {}
  pick.take(['role'])
  const results =
    givenRole === 'tool' ? readToolMessageContent(value, pick, path, context, unknown) : undefined
  // A tool message without a call id cannot be sent as a result: its content is kept as text of the user.
  const role = givenRole === 'tool' && results === undefined ? 'user' : givenRole
  if (role !== givenRole) setKey(unknown, 'role', givenRole)
  const content =
    results ??
    (role === 'assistant' ? readAssistantContent : readContentWithAttachments)(pick, context, unknown)
  return buildParsedMessage(pick.remaining(), role, content, path, context, unknown)
}

function buildParsedMessage(
  rest: Record<string, unknown>,
  role: Role,
  content: readonly Part[],
  path: Path | undefined,
  context: ReadContext,
  unknown: UnknownKeys,
): Message {
  const allowed = partShapeFor(role)
  const trustingContext = { ...context, part: (part: unknown): Part => part as Part }
  content.forEach((part, index) =>
    allowed.read(part, child(child(path, 'content'), index), trustingContext, unknown),
  )
  const source = ensureId(normalizeTime(moveExtrasToUnknown(rest, path, unknown)), context)
  const rows = Object.entries(
    role === 'assistant' ? { ...messageBaseFields, ...assistantOnlyFields } : messageBaseFields,
  )
  const fields = readFields(source, rows, path, context, unknown)
  return brand(
    addUnknownKeys({ ...fields, role, content: Object.freeze([...content]) }, unknown),
  ) as unknown as Message
}

function ensureId(source: Record<string, unknown>, context: ReadContext): Record<string, unknown> {
  const given = source['id'] ?? source['message_uuid']
  return given === undefined || given === null || given === ''
    ? { ...source, id: generateId('msg', context) }
    : source
}

/** Converts a time in seconds or milliseconds to ISO 8601. */
function normalizeTime(source: Record<string, unknown>): Record<string, unknown> {
  const key = ['createdAt', 'created_at', 'message_created'].find(
    (name) => typeof getOwnValue(source, name) === 'number',
  )
  if (key === undefined) return source
  const count = source[key] as number
  const date = new Date(count < 1e11 ? count * 1000 : count)
  return Number.isNaN(date.getTime()) ? source : { ...source, [key]: date.toISOString() }
}

/**
 * Moves `extras`, the unknown keys of another library, and an `extra` that does not consist of slots, to the
 * unknown keys.
 */
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
