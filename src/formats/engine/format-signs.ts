import { throwInvalid } from '../../canonical/shape/shape.ts'
import { getOwnValue, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'

/** A test of one message. */
export type MessageTest = (message: JsonObject) => boolean

/** The facts by which a message format is recognized. */
export interface FormatSigns {
  /** The name of its messages for people, in the plural. */
  readonly title: string
  /** The name of one item with its article. Default: `a message`. */
  readonly item?: string
  /** What every message of the format has: a description that completes "a message with", and its test. */
  readonly required: readonly (readonly [expected: string, test: MessageTest])[]
  /** What only this format has, as text, and its test. A list of the format has at least one of them. */
  readonly marks: readonly (readonly [evidence: string, test: MessageTest])[]
}

/** The facts by which a file of records is recognized. Each of its records may be of a new type. */
export type RecordSigns = Pick<FormatSigns, 'title' | 'marks'>

/** Matches a message that has all of the keys, even with the value null. */
export const hasKeys =
  (...keys: readonly string[]): MessageTest =>
  (message) =>
    keys.every((key) => Object.hasOwn(message, key))

/** Matches a message whose value of a key is one of the given values. */
export const hasValue =
  (key: string, ...values: readonly Json[]): MessageTest =>
  (message) =>
    values.includes(getOwnValue(message, key) as Json)

/** Matches a message whose value of a key is a text. */
export const hasText =
  (key: string): MessageTest =>
  (message) =>
    typeof getOwnValue(message, key) === 'string'

/** Matches a message whose value of a key is an object that passes a test. */
export const hasObject =
  (key: string, test: MessageTest = () => true): MessageTest =>
  (message) => {
    const value = getOwnValue(message, key)
    return isObject(value) && test(value as JsonObject)
  }

/** Matches a message whose value of a key is a list. */
export const hasList =
  (key: string): MessageTest =>
  (message) =>
    Array.isArray(getOwnValue(message, key))

/** Matches a message with a list that contains an object that passes a test. */
export const hasItem =
  (key: string, test: MessageTest): MessageTest =>
  (message) => {
    const items = getOwnValue(message, key)
    return Array.isArray(items) && items.some((item) => isObject(item) && test(item as JsonObject))
  }

/** Matches a message that passes one of several tests. */
export const isAny =
  (...tests: readonly MessageTest[]): MessageTest =>
  (message) =>
    tests.some((test) => test(message))

/** Matches a message that passes all tests. */
export const isEvery =
  (...tests: readonly MessageTest[]): MessageTest =>
  (message) =>
    tests.every((test) => test(message))

/** Returns the negation of a test. */
export const isNot =
  (test: MessageTest): MessageTest =>
  (message) =>
    !test(message)

/** Throws if a message lacks what every message of a format has. */
export function checkFormat(
  messages: readonly JsonObject[],
  path: Path | undefined,
  signs: FormatSigns,
): void {
  messages.forEach((message, index) => checkItem(message, child(path, index), signs))
}

/** Throws if one message or conversation lacks what every one of a format has. */
export function checkItem(
  message: JsonObject,
  path: Path,
  { title, required, item = 'a message' }: FormatSigns,
): void {
  const missing = required.find(([, test]) => !test(message))
  if (missing === undefined) return
  const found = `an object with the keys ${describeKeys(message)}`
  const hint = `The list is read as ${title}. Pass { from } to read it as another format, and split a list of several formats.`
  throwInvalid('unknown-message-format', path, found, `${item} with ${missing[0]}`, hint)
}

const MAX_KEYS = 8

/** Lists the keys of an untrusted object for an error: short, and without the texts of the user. */
export function describeKeys(message: object): string {
  const keys = Object.keys(message)
  const shown = keys.slice(0, MAX_KEYS).map((key) => JSON.stringify(key.slice(0, 40)))
  if (keys.length === 0) return '(none)'
  return keys.length > MAX_KEYS ? `${shown.join(', ')}, …` : shown.join(', ')
}
