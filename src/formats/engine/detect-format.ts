import { quoteOrDescribe, throwInvalid } from '../../canonical/shape/shape.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { suggestNames } from '../../wire/similar-names.ts'
import { describeKeys, type FormatSigns } from './format-signs.ts'

/** A format that can be detected. */
interface DetectableFormat<Name extends string> {
  readonly name: Name
  readonly signs: FormatSigns
}

/**
 * Returns the format whose marks most messages have; of formats with equally many, the first one whose required fields every
 * message has. Undefined if no message has a mark.
 */
export function detectFormat<Name extends string>(
  items: readonly Json[],
  formats: readonly DetectableFormat<Name>[],
): Name | undefined {
  const messages = items.filter(isObject) as readonly JsonObject[]
  const marked = formats.flatMap(({ name, signs: { marks, required } }) => {
    const count = messages.filter((message) => marks.some(([, test]) => test(message))).length
    return count > 0 ? [{ name, required, count }] : []
  })
  const found = marked.map(({ name, required, count }) => ({
    name,
    marked: count,
    fitting: messages.filter((message) => required.every(([, test]) => test(message))).length,
  }))
  const [best] = found.toSorted((a, b) => b.fitting - a.fitting || b.marked - a.marked)
  return best?.name
}

/** Returns true for a row of a training file or an export. */
function isConversation(item: Json): boolean {
  return isObject(item) && (Array.isArray(item['messages']) || Array.isArray(item['conversations']))
}

/** Throws the error for a list that is not in a known format. */
export function throwUnrecognized(
  items: readonly Json[],
  path: Path | undefined,
  names: readonly string[],
): never {
  const index = items.findIndex((item) => !isObject(item) || !Object.hasOwn(item, 'role'))
  const item = items[Math.max(index, 0)]
  const found = isObject(item) ? `an object with the keys ${describeKeys(item)}` : 'a value that is no object'
  const hint = items.every(isConversation)
    ? 'Each item is a conversation of its own: use fromConversations().'
    : `Pass { from } if you know the format: ${names.join(', ')}. Use fromTranscript() for sessions of agent programs, such as Claude Code.`
  return throwInvalid(
    'unknown-message-format',
    child(path, Math.max(index, 0)),
    found,
    'a message of a known format',
    hint,
  )
}

/** Throws the error for an option that names no known format. */
export function throwUnknownMessageFormat(
  option: 'from' | 'to',
  name: unknown,
  names: readonly string[],
): never {
  return throwInvalid(
    'invalid-value',
    child(undefined, option),
    quoteOrDescribe(name),
    'the name of a format',
    suggestNames(name, names),
  )
}
