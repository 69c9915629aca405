import { isObject, type Json, type JsonObject, getOwnValue, setKey } from '../../wire/json.ts'
import { resolveStreamLimits, type StreamLimits, createLimitError } from '../../wire/stream-limits.ts'
import { toCamelCaseKeys } from './key-casing.ts'

type PathStep = string | number

/** The arguments of a call that is streamed in pieces, each with the JSON path of its value. */
export class PartialArguments {
  readonly #root: Record<string, Json> = {}
  /** The strings that continue with the next piece, by their path. */
  readonly #open = new Map<string, string>()

  readonly #limit: number
  #length = 0

  constructor(limits?: StreamLimits) {
    this.#limit = resolveStreamLimits(limits).maxArgumentsChars
  }

  get value(): JsonObject {
    return this.#root
  }

  /** Adds a piece. Throws if the arguments exceed the limit. */
  add(wire: Json): void {
    if (!isObject(wire)) return
    const { jsonPath, stringValue, numberValue, boolValue, nullValue, willContinue } = toCamelCaseKeys(wire)
    if (typeof jsonPath !== 'string') return
    const before = this.#open.get(jsonPath) ?? ''
    const text = typeof stringValue === 'string' ? before + stringValue : undefined
    const value = text ?? numberValue ?? boolValue ?? (nullValue === undefined ? undefined : null)
    if (value === undefined) return
    this.#length += jsonPath.length + JSON.stringify(stringValue ?? value).length
    if (this.#length > this.#limit) throw createLimitError('arguments-too-large', this.#limit)
    if (text !== undefined && willContinue === true) this.#open.set(jsonPath, text)
    else this.#open.delete(jsonPath)
    setAtPath(this.#root, parseSteps(jsonPath), value)
  }
}

/** Returns the keys and indexes of a path such as `$.items[0]['a key']`. */
function parseSteps(path: string): readonly PathStep[] {
  return [...path.matchAll(/\.([^.[\]]+)|\[(\d{1,6})\]|\[['"]([^'"]*)['"]\]/g)].map(
    ([, key, index, quoted]) => (index === undefined ? (key ?? quoted ?? '') : Number(index)),
  )
}

/** Sets the value at a path and creates missing objects and lists. A list grows by one item at a time. */
function setAtPath(root: object, steps: readonly PathStep[], value: Json): void {
  let current: object = root
  for (const [number, step] of steps.entries()) {
    if (Array.isArray(current) ? typeof step !== 'number' || step > current.length : typeof step === 'number')
      return
    const next = steps[number + 1]
    const known = getOwnValue(current, String(step))
    if (next === undefined) setKey(current, String(step), value)
    else if (typeof known !== 'object' || known === null)
      setKey(current, String(step), typeof next === 'number' ? [] : {})
    current = getOwnValue(current, String(step)) ?? current
  }
}
