import { isObject, ownValue, setKey } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'

/** A value and the place where it was found. */
export interface Picked {
  readonly value: unknown
  readonly at: Path
}

/** Takes values out of an object by any of their names; what nobody took is left for the unknown keys. */
export interface Picker {
  /** The first of the names that has a value. Null counts as none, and is not left over. */
  take(names: readonly string[]): Picked | undefined
  /** What was not taken, a nested object below its own key. */
  rest(): Record<string, unknown>
}

interface Place {
  readonly values: { readonly [key: string]: unknown }
  readonly at: Path | undefined
  readonly taken: Set<string>
}

/** Picks from an object that may keep its facts below one of the `nested` keys: these win over the flat ones. */
export function picker(value: object, at: Path | undefined, nested: readonly string[]): Picker {
  const key = nested.find((each) => isObject(ownValue(value, each)))
  const flat: Place = { values: value as Place['values'], at, taken: new Set(key === undefined ? [] : [key]) }
  const inner: Place | undefined =
    key === undefined
      ? undefined
      : { values: ownValue(value, key) as Place['values'], at: below(at, key), taken: new Set<string>() }
  return {
    take(names) {
      for (const place of inner === undefined ? [flat] : [inner, flat]) {
        const found = names.find((name) => !place.taken.has(name) && isStated(ownValue(place.values, name)))
        for (const name of names) if (ownValue(place.values, name) === null) place.taken.add(name)
        if (found === undefined) continue
        place.taken.add(found)
        return { value: place.values[found], at: below(place.at, found) }
      }
      return undefined
    },
    rest() {
      const left = leftOf(flat)
      const innerLeft = inner === undefined ? {} : leftOf(inner)
      if (key !== undefined && Object.keys(innerLeft).length > 0) setKey(left, key, innerLeft)
      return left
    },
  }
}

function isStated(value: unknown): boolean {
  return value !== undefined && value !== null
}

function leftOf({ values, taken }: Place): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([key]) => !taken.has(key)))
}
