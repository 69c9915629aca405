import { freezeCopy } from '../../wire/frozen-json.ts'
import { throwInvalid, throwWrongType } from '../../canonical/shape/shape.ts'
import { getOwnValue, isObject, type Json, type JsonObject, tryParseJson } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'

const SYSTEM = 'gen_ai.system_instructions'

/** The attributes that contain messages, in the order of the conversation. */
const MESSAGE_ATTRIBUTES = ['gen_ai.input.messages', 'gen_ai.output.messages'] as const

/**
 * Returns the messages in the attributes of a span: system instructions, input and output. The attributes are the input
 * itself, or `attributes` of it, as an object or as a list of keys and values. Undefined for an input without messages.
 */
function findSpanMessages(input: JsonObject): readonly Json[] | undefined {
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

/** A list of messages inside of an input, and its path. */
export interface MessageListLocation {
  readonly items: readonly Json[]
  readonly path: Path | undefined
  /** The whole input, parsed. */
  readonly root: Json
}

/**
 * The keys that lead to the messages of an object that contains them: bodies of requests, sessions, histories and states of
 * agents. The first one whose value is a list counts.
 */
const CONTAINER_KEYS: readonly (readonly string[])[] = [
  ['messages'],
  ['contents'],
  ['input'],
  ['history'],
  ['chat_history'],
  ['items'],
  ['data'],
  ['values', 'messages'],
  ['state', 'messages'],
  ['channel_values', 'messages'],
  ['checkpoint', 'channel_values', 'messages'],
  ['memory', 'messages'],
  ['thread', 'messages'],
  ['session', 'messages'],
  ['data', 'messages'],
]

/**
 * Returns the lists of messages of an input: those of the sections of a store, or else the only one that
 * {@link findMessageList} finds.
 */
export function findMessageLists(
  input: Json,
  readText: (text: string) => Json | undefined,
): readonly MessageListLocation[] {
  const root = parseInput(input, readText)
  const sections = isObject(root) ? getOwnValue(root, 'sections') : undefined
  const isStore = Array.isArray(sections) && sections.every((section) => isSection(section))
  if (!isStore || sections.length === 0) return [findMessageList(root)]
  return (sections as readonly { readonly messages: readonly Json[] }[]).map(
    ({ messages: items }, index) => ({
      items,
      path: child(child(child(undefined, 'sections'), index), 'messages'),
      root,
    }),
  )
}

/** Returns an input as JSON data: text is parsed. */
export function parseInput(input: Json, readText: (text: string) => Json | undefined): Json {
  return typeof input === 'string' ? freezeCopy(parseText(input, readText)) : input
}

function isSection(section: unknown): boolean {
  return isObject(section) && Array.isArray(getOwnValue(section, 'messages'))
}

/** Returns the list of messages of an input: the input itself, the list inside of an object, or one message as a list. */
export function findMessageList(input: Json): MessageListLocation {
  if (Array.isArray(input)) return { items: input, path: undefined, root: input }
  if (!isObject(input)) return throwWrongType(input, undefined, 'messages: a list or an object')
  const spanMessages = findSpanMessages(input)
  if (spanMessages !== undefined) return { items: freezeCopy(spanMessages), path: undefined, root: input }
  for (const keys of CONTAINER_KEYS) {
    const found = keys.reduce<unknown>(
      (value, key) => (isObject(value) ? getOwnValue(value, key) : undefined),
      input,
    )
    if (Array.isArray(found))
      return {
        items: found as readonly Json[],
        path: keys.reduce<Path | undefined>(child, undefined),
        root: input,
      }
  }
  return { items: [input], path: undefined, root: input }
}

/** Parses JSON text, text of another form, or JSON lines. */
function parseText(text: string, readText: (text: string) => Json | undefined): Json {
  const value = tryParseJson(text)
  if (value !== undefined && typeof value !== 'string') return value
  const read = readText(text)
  if (read !== undefined) return read
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.map((line, index) => {
    const parsed = tryParseJson(line)
    if (isObject(parsed)) return parsed
    const hint = 'Pass the parsed JSON, the text of a JSON file, or one JSON object per line.'
    return throwInvalid('not-json', child(undefined, index), 'text that is not JSON', 'a JSON object', hint)
  })
}
