import { isObject, getOwnValue, isEmptyObject, setKey } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'

/** A value and its path. */
export interface PickedField {
  readonly value: unknown
  readonly path: Path
}

/** Takes values from an object by any of their names; keys that are not taken remain as unknown keys. */
export interface FieldPicker {
  /** Takes the value of the first name that has one. Null counts as absent and does not remain. */
  take(...names: readonly string[]): PickedField | undefined
  /** Returns the fields that were not taken; those of a nested object stay under its key. */
  remaining(): Record<string, unknown>
}

interface FieldSource {
  readonly values: object
  readonly path: Path | undefined
  readonly taken: Set<string>
}

/** Creates a picker for an object. Fields under one of the `nested` keys take precedence. */
export function createFieldPicker(values: object, path: Path | undefined, ...nested: string[]): FieldPicker {
  const key = nested.find((each) => isObject(getOwnValue(values, each)))
  const flat: FieldSource = { values, path, taken: new Set(key === undefined ? [] : [key]) }
  if (key === undefined)
    return { take: (...names) => takeFrom(flat, names), remaining: () => untakenFields(flat) }
  const innerValues = getOwnValue(values, key) as object
  const inner: FieldSource = { values: innerValues, path: child(path, key), taken: new Set() }
  return {
    take: (...names) => takeFrom(inner, names) ?? takeFrom(flat, names),
    remaining: () => {
      const remaining = untakenFields(flat)
      const nestedRemaining = untakenFields(inner)
      if (!isEmptyObject(nestedRemaining)) setKey(remaining, key, nestedRemaining)
      return remaining
    },
  }
}

function takeFrom({ values, path, taken }: FieldSource, names: readonly string[]): PickedField | undefined {
  const found = names.find((name) => !taken.has(name) && isPresent(getOwnValue(values, name)))
  for (const name of names) if (getOwnValue(values, name) === null) taken.add(name)
  if (found === undefined) return undefined
  taken.add(found)
  return { value: getOwnValue(values, found), path: child(path, found) }
}

export function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null
}

function untakenFields({ values, taken }: FieldSource): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([key]) => !taken.has(key)))
}
