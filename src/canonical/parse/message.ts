import { frozenCopy, seal } from '../../wire/frozen.ts'
import { describe, isObject, type Json, ownValue, setKey } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import { freshId } from '../build/identity.ts'
import type { Message, Role } from '../model/message.ts'
import type { Part } from '../model/part.ts'
import { assistantFields, messageBase } from '../shape/message.ts'
import { readFields, withUnknown } from '../shape/object.ts'
import { partIn } from '../shape/part.ts'
import { fail, type Read, type Reading, type Spare } from '../shape/shape.ts'
import { readAnswer, readParts, readSpoken } from './content.ts'
import { picker } from './picker.ts'
import { parseRole } from './role.ts'
import { readResults } from './tool-message.ts'

/** Reads a message in our form, or in one of those that others store. */
export const readMessage: Read<Message> = (value, at, reading) => {
  if (typeof value === 'string' || Array.isArray(value)) {
    const content = value === '' ? [] : readParts({ value, at: at ?? below(undefined, '') }, reading, {})
    return assemble({}, 'user', content, at, reading, {})
  }
  if (!isObject(value)) {
    return fail('invalid-type', at, describe(value), 'a message: an object, a string or a list of parts')
  }
  return readObject(value, at, reading)
}

function readObject(
  value: { readonly [key: string]: unknown },
  at: Path | undefined,
  reading: Reading,
): Message {
  const said = parseRole(ownValue(value, 'role'), below(at, 'role'))
  const pick = picker(value, at, [])
  const unknown: Spare = {}
  pick.take(['role'])
  const results = said === 'tool' ? readResults(value, pick, at, reading, unknown) : undefined
  // A tool's words that answer no call cannot be sent as a result: they are kept as what they are, text.
  const role = said === 'tool' && results === undefined ? 'user' : said
  if (role !== said) setKey(unknown, 'role', said)
  const content = results ?? (role === 'assistant' ? readAnswer : readSpoken)(pick, reading, unknown)
  return assemble(pick.rest(), role, content, at, reading, unknown)
}

function assemble(
  rest: Record<string, unknown>,
  role: Role,
  content: readonly Part[],
  at: Path | undefined,
  reading: Reading,
  unknown: Spare,
): Message {
  const allowed = partIn(role)
  const trusting = { ...reading, part: (part: unknown): Part => part as Part }
  content.forEach((part, index) => allowed.read(part, below(below(at, 'content'), index), trusting, unknown))
  const source = withId(withTime(spreadExtras(rest, at, unknown)), reading)
  const rows = Object.entries(role === 'assistant' ? { ...messageBase, ...assistantFields } : messageBase)
  const fields = readFields(source, rows, at, reading, unknown)
  return seal(
    withUnknown({ ...fields, role, content: Object.freeze([...content]) }, unknown),
  ) as unknown as Message
}

function withId(source: Record<string, unknown>, reading: Reading): Record<string, unknown> {
  const given = source['id'] ?? source['message_uuid']
  return given === undefined || given === null || given === ''
    ? { ...source, id: freshId('msg', reading) }
    : source
}

/** Times that others keep as a number of seconds or milliseconds. */
function withTime(source: Record<string, unknown>): Record<string, unknown> {
  const key = ['createdAt', 'created_at', 'message_created'].find(
    (name) => typeof ownValue(source, name) === 'number',
  )
  if (key === undefined) return source
  const count = source[key] as number
  const date = new Date(count < 1e11 ? count * 1000 : count)
  return Number.isNaN(date.getTime()) ? source : { ...source, [key]: date.toISOString() }
}

/** `extras` are keys that someone else did not know; an `extra` that is no set of slots is one unknown key more. */
function spreadExtras(
  source: Record<string, unknown>,
  at: Path | undefined,
  unknown: Spare,
): Record<string, unknown> {
  const { extras, extra, ...rest } = source
  const found = { ...(isObject(extras) ? extras : isStated(extras) && { extras }) }
  const slots = isObject(extra) && Object.values(extra).every(isObject)
  Object.assign(found, !slots && isStated(extra) && { extra })
  for (const [key, value] of Object.entries(found))
    setKey(unknown, key, frozenCopy(value as Json, below(at, key)))
  return slots ? { ...rest, extra } : rest
}

function isStated(value: unknown): boolean {
  return value !== undefined && value !== null
}
