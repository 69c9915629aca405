import { throwInvalid } from '../../canonical/shape/shape.ts'
import { getOwnValue, isObject, type Json, type JsonObject, tryParseJson } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'

const SYSTEM = 'gen_ai.system_instructions'

/** The attributes that contain messages, in the order of the conversation. */
const MESSAGE_ATTRIBUTES = ['gen_ai.input.messages', 'gen_ai.output.messages'] as const

/**
 * Returns the messages in the attributes of a span: system instructions, input and output. The attributes are the input
 * itself, or `attributes` of it, as an object or as a list of keys and values. Undefined for an input without messages.
 */
export function findSpanMessages(input: JsonObject): readonly Json[] | undefined {
  const given = getOwnValue(input, 'attributes') as Json | undefined
  const attributes = isObject(given) ? given : Array.isArray(given) ? fromKeyValues(given) : input
  const path = given === undefined ? undefined : child(undefined, 'attributes')
  if (!MESSAGE_ATTRIBUTES.some((name) => Object.hasOwn(attributes, name))) return undefined
  const parts = readList(attributes, SYSTEM, path)
  const system = parts.length > 0 ? [{ role: 'system', parts }] : []
  return [...system, ...MESSAGE_ATTRIBUTES.flatMap((name) => readList(attributes, name, path))]
}

/** Converts attributes of OTLP JSON: a list of objects with a key and a value of one type. */
function fromKeyValues(list: readonly Json[]): JsonObject {
  const entries = list.flatMap((entry) => {
    if (!isObject(entry) || typeof entry['key'] !== 'string' || !isObject(entry['value'])) return []
    const text = entry['value']['stringValue']
    return text === undefined ? [] : [[entry['key'], text] as const]
  })
  return Object.fromEntries(entries)
}

/** Returns the list of an attribute, which may be JSON text; a missing attribute is an empty list. */
function readList(attributes: JsonObject, name: string, path: Path | undefined): readonly Json[] {
  const value = getOwnValue(attributes, name) as Json | undefined
  if (value === undefined) return []
  const list = typeof value === 'string' ? tryParseJson(value) : value
  if (Array.isArray(list)) return list as readonly Json[]
  const found = typeof value === 'string' ? 'text that is not a JSON list' : 'another value'
  return throwInvalid('invalid-type', child(path, name), found, 'a list, or the JSON text of one')
}
