import { InterlinguaError } from '../errors.ts'
import { MAX_JSON_DEPTH } from './json.ts'
import { type Path, toPointer } from './json-pointer.ts'

/** A value and the values that contain it. */
export interface Ancestors {
  readonly value: object
  readonly parent: Ancestors | undefined
}

/** Creates the error for a value that is no JSON. */
export function createNotJsonError(
  found: string,
  expected: string,
  path: Path | undefined,
  value?: object,
): InterlinguaError {
  const pointer = toPointer(path)
  return new InterlinguaError('not-json', `${pointer || 'value'}: expected ${expected}, found ${found}`, {
    path: pointer,
    found,
    expected,
    hint: describeConversion(value),
  })
}

/** Returns how a value that users often pass becomes JSON. */
function describeConversion(value: object | undefined): string {
  if (value !== undefined && '~standard' in value)
    return 'Pass a JSON Schema, such as z.toJSONSchema(schema). Agents and tools take the schema itself.'
  if (value instanceof Error) return 'Pass the text of the error: error.message.'
  if (value instanceof Date) return 'Pass the time as text: date.toISOString().'
  if (value instanceof Map) return 'Pass a plain object: Object.fromEntries(map).'
  if (value instanceof Set) return 'Pass a list: [...set].'
  return 'Conversations are plain JSON: convert the value to text, numbers, arrays or plain objects first.'
}

/** Creates the error for a value that nests too deeply, or contains itself. */
export function createDepthError(
  value: object,
  path: Path | undefined,
  ancestors: Ancestors | undefined,
): InterlinguaError {
  const cycle = findCycle({ value, parent: ancestors }, path)
  if (cycle !== undefined) {
    return new InterlinguaError('cyclic', 'The value contains itself', {
      path: toPointer(cycle),
      found: 'a reference to an enclosing value',
      expected: 'a tree',
      hint: 'JSON has no cycles: replace the reference with an id.',
    })
  }
  return new InterlinguaError('too-deep', `The value nests deeper than ${MAX_JSON_DEPTH} levels`, {
    path: toPointer(path),
    found: `more than ${MAX_JSON_DEPTH} levels`,
    expected: `at most ${MAX_JSON_DEPTH} levels`,
    hint: 'Flatten the value, or pass it as text.',
  })
}

/** Returns the path of the first value that contains itself: a cycle was followed down to the limit, or past it by a branch. */
function findCycle(innermost: Ancestors, path: Path | undefined): Path | undefined {
  const chain: (readonly [value: object, path: Path | undefined])[] = []
  let at = path
  for (let each: Ancestors | undefined = innermost; each !== undefined; each = each.parent) {
    chain.push([each.value, at])
    at = at?.parent
  }
  const seen = new Set<object>()
  for (const [value, valuePath] of chain.toReversed()) {
    if (seen.has(value)) return valuePath
    seen.add(value)
  }
  return undefined
}
