import { throwMissing, throwWrongType } from '../../canonical/shape/shape.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'

/** Returns a value as an object; any other value is an error. `expected` describes it, such as `a part`. */
export function requireObject(value: Json | undefined, path: Path, expected: string): JsonObject {
  return isObject(value) ? value : throwWrongType(value, path, `${expected}: an object`)
}

/** Returns the text of a key; a missing key and any other value are errors. */
export function requireText(wire: JsonObject, key: string, path: Path): string {
  const value = Object.hasOwn(wire, key) ? wire[key] : undefined
  if (typeof value === 'string') return value
  const at = child(path, key)
  return value === undefined ? throwMissing(at, 'a text') : throwWrongType(value, at, 'a text')
}

/** Returns the list of a key; a missing key and null are an empty list, and any other value is an error. */
export function readOptionalList(wire: JsonObject, key: string, path: Path): readonly Json[] {
  const value = Object.hasOwn(wire, key) ? wire[key] : undefined
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? (value as readonly Json[]) : throwWrongType(value, child(path, key), 'a list')
}

/** Returns the text of a key; undefined if it is missing or null. Any other value is an error. */
export function readOptionalText(wire: JsonObject, key: string, path: Path): string | undefined {
  const value = Object.hasOwn(wire, key) ? wire[key] : undefined
  if (value === undefined || value === null) return undefined
  return typeof value === 'string' ? value : throwWrongType(value, child(path, key), 'a text')
}
