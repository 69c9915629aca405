import type { ChatEvent } from '../../canonical/model/event.ts'
import { partTypesByPlace } from '../../canonical/shape/part.ts'
import { quoteOrDescribe, throwInvalid, throwWrongType } from '../../canonical/shape/shape.ts'
import { isObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'

/** The fields that an event type requires, and the type of each. */
type RequiredFields = { readonly [field: string]: 'string' | 'number' | 'object' }

const INDEX = { index: 'number' } as const

/** What the encoders of streams read without a check of their own. */
const REQUIRED_FIELDS: { readonly [type in ChatEvent['type']]: RequiredFields } = {
  start: {},
  'part-start': { ...INDEX, part: 'object' },
  'text-delta': { ...INDEX, text: 'string' },
  'refusal-delta': { ...INDEX, text: 'string' },
  'reasoning-delta': { ...INDEX, text: 'string' },
  'arguments-delta': { ...INDEX, json: 'string' },
  'media-delta': { ...INDEX, data: 'string' },
  'part-update': INDEX,
  'part-end': INDEX,
  usage: { usage: 'object' },
  finish: { finish: 'object' },
  loss: { loss: 'object' },
  error: { error: 'object' },
  opaque: { dialect: 'string' },
  retry: {},
}

const EVENT_HINT =
  'Pass the events of `decodeStream`, `model.stream` or `toEvents`. Other chunks are decoded first.'

/** Throws if a value is not an event: a JavaScript caller can pass the chunks of another library. */
export function checkEvent(event: ChatEvent): void {
  if (!isObject(event)) return throwWrongType(event, undefined, 'an event: an object')
  const { type } = event
  if (!Object.hasOwn(REQUIRED_FIELDS, type)) {
    const expected = `one of ${Object.keys(REQUIRED_FIELDS).join(', ')}`
    return throwInvalid(
      'invalid-value',
      child(undefined, 'type'),
      quoteOrDescribe(type),
      expected,
      EVENT_HINT,
    )
  }
  const required = REQUIRED_FIELDS[type]
  for (const field in required) {
    const value: unknown = (event as { readonly [key: string]: unknown })[field]
    const expected = required[field] ?? ''
    if (typeof value !== expected || value === null)
      throwInvalid(
        'invalid-type',
        child(undefined, field),
        quoteOrDescribe(value),
        `a value of type ${expected}`,
        EVENT_HINT,
      )
  }
  if ('part' in event && event.part !== undefined) checkPartType(event.part)
}

function checkPartType(part: unknown): void {
  const path = child(undefined, 'part')
  if (!isObject(part)) return throwWrongType(part, path, 'a part: an object')
  const types: readonly unknown[] = partTypesByPlace.assistant
  if (!types.includes(part['type'])) {
    const expected = `one of ${types.join(', ')}`
    throwInvalid('unknown-part-type', child(path, 'type'), quoteOrDescribe(part['type']), expected)
  }
  for (const [field, expected] of PART_FIELDS) {
    const value = part[field]
    const isValid = expected === 'array' ? Array.isArray(value) : typeof value === expected && value !== null
    if (value !== undefined && !isValid)
      throwInvalid('invalid-type', child(path, field), quoteOrDescribe(value), `a value of type ${expected}`)
  }
}

/** The fields of parts that the encoders of streams read, and their types. A part that starts has only some of them. */
const PART_FIELDS: readonly (readonly [field: string, type: string])[] = [
  ['text', 'string'],
  ['id', 'string'],
  ['name', 'string'],
  ['callId', 'string'],
  ['rawArguments', 'string'],
  ['invalidArguments', 'string'],
  ['arguments', 'object'],
  ['source', 'object'],
  ['signature', 'object'],
  ['extra', 'object'],
  ['content', 'array'],
  ['citations', 'array'],
]
