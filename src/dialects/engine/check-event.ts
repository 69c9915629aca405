import type { ChatEvent } from '../../canonical/model/event.ts'
import type { Loss } from '../../canonical/model/loss.ts'
import { finishShape, messageBaseFields, originShape, usageShape } from '../../canonical/shape/message.ts'
import { type Field, objectShape, optional, required } from '../../canonical/shape/object.ts'
import { arrivingSignatureShape, citationShape } from '../../canonical/shape/part.ts'
import {
  listShape,
  quoteOrDescribe,
  type Shape,
  stringShape,
  throwInvalid,
  throwMissing,
  throwWrongType,
  trueShape,
} from '../../canonical/shape/shape.ts'
import { InterlinguaError } from '../../errors.ts'
import { isObject, MAX_JSON_DEPTH } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import { lazy } from '../../wire/memoize.ts'
import { isTooDeep } from '../../wire/stream-limits.ts'
import { checkAssistantPart, createUncheckedContext } from './check-canonical-input.ts'

/** Returns a shape whose values are kept as they are if a test accepts them. */
function keptShape<T>(expects: string, isValid: (value: unknown) => boolean): Shape<T> {
  const read = (value: unknown, path: Parameters<Shape<T>['read']>[1]): T =>
    isValid(value) ? (value as T) : throwWrongType(value, path, expects)
  return { expects, read, schema: () => ({}) }
}

/** Residue of dialects: what the slots contain was received as JSON. */
const isExtra = (value: unknown): boolean => {
  if (!isObject(value)) return false
  for (const slot in value) if (!isObject(value[slot])) return false
  return true
}
const extraShape = keptShape<object>('an object with one object for each dialect', isExtra)
const anyError = keptShape<InterlinguaError>(
  'an error of the library',
  (value) => isObject(value) && typeof value['code'] === 'string' && typeof value['message'] === 'string',
)
const anyLoss = keptShape<Loss>(
  'a loss: an object with strings',
  (value) =>
    isObject(value) && ['path', 'dialect', 'rule', 'reason'].every((key) => typeof value[key] === 'string'),
)
const isPosition = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0
const positionShape = keptShape<number>('an integer of at least 0', isPosition)
const anyValue = keptShape<unknown>(
  `a JSON value of at most ${MAX_JSON_DEPTH} levels`,
  (value) => typeof value !== 'function' && !isTooDeep(value),
)

const partShape: Shape<object> = {
  expects: 'a part: an object',
  read: (value, path) =>
    isObject(value)
      ? checkAssistantPart(value as never, path ?? child(undefined, 'part'))
      : throwWrongType(value, path, 'a part: an object'),
  schema: (define) => extraShape.schema(define),
}

const { createdAt, parentId, name, metadata, extra } = messageBaseFields
const startedMessageShape = objectShape<object>('StartedMessage', {
  id: optional(stringShape),
  createdAt,
  parentId,
  name,
  metadata,
  extra,
  usage: optional(usageShape),
})

type EventFields = { readonly [field: string]: Field<unknown> }

const EVERY_EVENT: EventFields = { candidate: optional(positionShape), extra: optional(extraShape) }
const PART_EVENT: EventFields = { ...EVERY_EVENT, index: required(positionShape) }
const TEXT_DELTA: EventFields = { ...PART_EVENT, text: required(stringShape) }

/** The fields of every type of event: encoders read them without a check of their own. */
const FIELDS_BY_TYPE: { readonly [type in ChatEvent['type']]: EventFields } = {
  start: {
    ...EVERY_EVENT,
    id: optional(stringShape),
    model: optional(stringShape),
    createdAt: optional(stringShape),
    origin: optional(originShape),
    message: optional(startedMessageShape),
  },
  'part-start': { ...PART_EVENT, part: required(partShape) },
  'text-delta': TEXT_DELTA,
  'refusal-delta': TEXT_DELTA,
  'reasoning-delta': { ...TEXT_DELTA, summary: optional(trueShape) },
  'arguments-delta': { ...PART_EVENT, json: required(stringShape), value: optional(anyValue) },
  'media-delta': { ...PART_EVENT, data: required(stringShape) },
  'part-update': {
    ...PART_EVENT,
    signature: optional(arrivingSignatureShape),
    citations: optional(listShape(citationShape)),
  },
  'part-end': { ...PART_EVENT, part: optional(partShape), replaces: optional(trueShape) },
  usage: { ...EVERY_EVENT, usage: required(usageShape) },
  finish: { ...EVERY_EVENT, finish: required(finishShape) },
  loss: { ...EVERY_EVENT, loss: required(anyLoss) },
  error: { ...EVERY_EVENT, error: required(anyError) },
  opaque: { ...EVERY_EVENT, dialect: required(stringShape), value: optional(anyValue) },
  retry: {
    ...EVERY_EVENT,
    attempt: optional(anyValue),
    delayMs: optional(anyValue),
    error: optional(anyValue),
  },
}

/** The fields of a type of event, and how many of them are required. */
interface EventShape {
  readonly fields: ReadonlyMap<string, Field<unknown>>
  readonly requiredCount: number
}

const getEventShapes = lazy(
  (): ReadonlyMap<unknown, EventShape> =>
    new Map(
      Object.entries(FIELDS_BY_TYPE).map(([type, fields]) => {
        const requiredCount = Object.values(fields).filter(({ isOptional }) => !isOptional).length
        return [type, { fields: new Map(Object.entries(fields)), requiredCount }]
      }),
    ),
)

const EVENT_HINT =
  'Pass the events of `decodeStream`, `model.stream` or `toEvents`. Other chunks are decoded first.'

/**
 * Returns an event in canonical form; the same object if it already is. JavaScript callers can pass the chunks of another
 * library, and events that were stored or edited.
 */
export function checkEvent(event: ChatEvent): ChatEvent {
  if (!isObject(event)) return throwWrongType(event, undefined, 'an event: an object')
  const { type } = event
  const eventShape = getEventShapes().get(type)
  if (eventShape === undefined) {
    const expected = `one of ${[...getEventShapes().keys()].join(', ')}`
    const path = child(undefined, 'type')
    return throwInvalid('invalid-value', path, quoteOrDescribe(type), expected, EVENT_HINT)
  }
  try {
    return hasSimpleFields(event, eventShape) ? event : readFields(event, eventShape)
  } catch (error) {
    if (!(error instanceof InterlinguaError) || error.hint !== undefined) throw error
    const { code, message, path, found, expected } = error
    throw new InterlinguaError(code, message, {
      ...(path !== undefined && { path }),
      ...(found !== undefined && { found }),
      ...(expected !== undefined && { expected }),
      hint: EVENT_HINT,
    })
  }
}

/** Returns true if an event has only the fields of its type, and they are strings, positions and residue: most of a stream. */
function hasSimpleFields(event: ChatEvent, { fields, requiredCount }: EventShape): boolean {
  let found = 0
  for (const key of Object.keys(event)) {
    if (key === 'type') continue
    const field = fields.get(key)
    if (field === undefined || !isSimpleValue(event[key as keyof ChatEvent], field.shape)) return false
    if (!field.isOptional) found += 1
  }
  return found === requiredCount
}

function isSimpleValue(value: unknown, shape: Shape<unknown>): boolean {
  if (shape === stringShape) return typeof value === 'string'
  if (shape === positionShape) return isPosition(value)
  return shape === extraShape && isExtra(value)
}

/** Returns the fields of an event that its type has, checked. */
function readFields(event: ChatEvent, { fields }: EventShape): ChatEvent {
  const source = event as unknown as { readonly [key: string]: unknown }
  let changed: Record<string, unknown> | undefined
  for (const [key, { shape, isOptional }] of fields) {
    const value = source[key]
    if (value === undefined || (value === null && isOptional && key !== 'value')) {
      if (!isOptional) throwMissing(child(undefined, key), shape.expects)
      if (value === null) delete (changed ??= { ...source })[key]
      continue
    }
    const checked = shape.read(value, child(undefined, key), createUncheckedContext())
    if (checked !== value) (changed ??= { ...source })[key] = checked
  }
  for (const key of Object.keys(source))
    if (key !== 'type' && !fields.has(key)) delete (changed ??= { ...source })[key]
  return (changed ?? source) as unknown as ChatEvent
}
