import { InterlinguaError } from '../../errors.ts'
import { toUint8Array } from '../../canonical/build/media.ts'
import { toBase64 } from '../../wire/base64.ts'
import { freezeCopy, isPlainJson } from '../../wire/frozen-json.ts'
import { type Json, MAX_JSON_DEPTH, setKey } from '../../wire/json.ts'
import { child, type Path, toPointer } from '../../wire/json-pointer.ts'

/**
 * Returns a frozen JSON copy of an input. Values that libraries keep in messages become what JSON has for them: bytes become
 * base64, URLs and dates become text, and an object with `toJSON`, such as a live LangChain message, becomes its JSON form.
 * JSON data contains no functions, so nothing in stored data is ever called.
 */
export function toPlainInput(input: unknown): Json {
  // Most inputs are parsed JSON. The copy has the limits of depth, so that this test need not name what is too deep.
  const plain = isPlainJson(input) ? input : convert(input, undefined, new Set())
  return freezeCopy(plain) as Json
}

function convert(value: unknown, path: Path | undefined, ancestors: Set<object>): unknown {
  if (typeof value !== 'object' || value === null) return value
  const bytes = toUint8Array(value)
  if (bytes !== undefined) return toBase64(bytes)
  if (value instanceof URL) return value.href
  if (ancestors.has(value)) throw createCyclicError(path)
  // Deeper values are not converted: the copy refuses them.
  if (ancestors.size > MAX_JSON_DEPTH) return value
  ancestors.add(value)
  const converted = convertMembers(value, path, ancestors)
  ancestors.delete(value)
  return converted
}

function convertMembers(value: object, path: Path | undefined, ancestors: Set<object>): unknown {
  if (Array.isArray(value)) return value.map((each, index) => convert(each, child(path, index), ancestors))
  if (!isPlain(value)) {
    if ('toJSON' in value && typeof value.toJSON === 'function')
      return convert(value.toJSON(), path, ancestors)
    if (Symbol.iterator in value)
      return Array.from(value as Iterable<unknown>, (each, index) =>
        convert(each, child(path, index), ancestors),
      )
    return value
  }
  const copy = {}
  for (const [key, each] of Object.entries(value))
    setKey(copy, key, convert(each, child(path, key), ancestors))
  return copy
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}

function createCyclicError(path: Path | undefined): InterlinguaError {
  return new InterlinguaError('cyclic', 'The messages contain a value that contains itself', {
    path: toPointer(path),
    found: 'a reference to an enclosing value',
    expected: 'a tree',
    hint: 'JSON has no cycles: replace the reference with an id.',
  })
}
