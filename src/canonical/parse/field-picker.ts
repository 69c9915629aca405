import { isObject, getOwnValue, setKey } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'

/** A value and its path. */
export interface PickedField {
  readonly value: unknown
  readonly path: Path
}

/** Takes values from an object by any of their names; keys that are not taken remain as unknown keys. */
export interface FieldPicker {
  /** Takes the value of the first name that has one. Null counts as absent and does not remain. */
  take(names: readonly string[]): PickedField | undefined
  /** Returns the fields that were not taken; those of a nested object stay under its key. */
  remaining(): Record<string, unknown>
}

interface FieldSource {
  readonly values: { readonly [key: string]: unknown }
  readonly path: Path | undefined
  readonly taken: Set<string>
}

/**
 * Creates a picker for an object whose fields may be nested under one of the `nested` keys; nested fields
 * take precedence.
 */
export function createFieldPicker(
  value: object,
  path: Path | undefined,
  nested: readonly string[],
): FieldPicker {
  const key = nested.find((each) => isObject(getOwnValue(value, each)))
  const flat: FieldSource = {
    values: value as FieldSource['values'],
    path,
    taken: new Set(key === undefined ? [] : [key]),
  }
  const inner: FieldSource | undefined =
    key === undefined
      ? undefined
      : {
          values: getOwnValue(value, key) as FieldSource['values'],
          path: child(path, key),
          taken: new Set<string>(),
        }
  return {
    take(names) {
      for (const source of inner === undefined ? [flat] : [inner, flat]) {
        const found = names.find(
          (name) => !source.taken.has(name) && isPresent(getOwnValue(source.values, name)),
        )
        for (const name of names) if (getOwnValue(source.values, name) === null) source.taken.add(name)
        if (found === undefined) continue
        source.taken.add(found)
        return { value: source.values[found], path: child(source.path, found) }
      }
      return undefined
    },
    remaining() {
      const remaining = untakenFields(flat)
      const innerRemaining = inner === undefined ? {} : untakenFields(inner)
      if (key !== undefined && Object.keys(innerRemaining).length > 0) setKey(remaining, key, innerRemaining)
      return remaining
    },
  }
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null
}

function untakenFields({ values, taken }: FieldSource): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([key]) => !taken.has(key)))
}
