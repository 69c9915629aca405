import { isObject, type JsonSchema } from '../wire/json.ts'
import { below, type Path, pointer } from '../wire/pointer.ts'
import { holdsAlways } from './conjunction.ts'
import { subjectIs } from './keywords.ts'
import { refsIn } from './refs.ts'

/** Keywords below which schemas stand, in lists and maps or by themselves. */
const MAPS: ReadonlySet<string> = new Set(
  'properties patternProperties dependentSchemas $defs definitions'.split(' '),
)
const SCHEMAS: ReadonlySet<string> = new Set(
  (
    'anyOf oneOf allOf prefixItems items additionalItems additionalProperties not if then else contains ' +
    'propertyNames unevaluatedItems unevaluatedProperties'
  ).split(' '),
)

/**
 * What says nothing of any value: keywords of other types than their schema's, alternatives to anything, and definitions
 * that nobody refers to. Nobody writes it again.
 */
export function idlePlaces(root: JsonSchema): Iterable<Path> {
  return idleIn(root, undefined, [...refsIn(root)])
}

function* idleIn(schema: unknown, at: Path | undefined, refs: readonly string[]): Iterable<Path> {
  if (!isObject(schema)) return
  const { type } = schema
  const types = (Array.isArray(type) ? type : [type]).filter((name) => typeof name === 'string')
  for (const [key, value] of Object.entries(schema)) {
    const here = below(at, key)
    const parts = MAPS.has(key) || Array.isArray(value) ? Object.entries(Object(value)) : undefined
    if (types.length > 0 && !types.some((name) => subjectIs(key, name))) yield here
    else if (key === 'anyOf' && Array.isArray(value) && value.some(holdsAlways)) yield here
    else if (key === '$defs' || key === 'definitions') {
      for (const [name, part] of parts ?? []) {
        const place = below(here, name)
        if (isReferred(place, refs)) yield* idleIn(part, place, refs)
        else yield place
      }
    } else if (MAPS.has(key) || SCHEMAS.has(key)) {
      if (parts === undefined) yield* idleIn(value, here, refs)
      else for (const [name, part] of parts) yield* idleIn(part, below(here, name), refs)
    }
  }
}

/** Whether a reference leads there or deeper; those by other names than a place may lead anywhere. */
function isReferred(place: Path, refs: readonly string[]): boolean {
  const target = `#${pointer(place)}`
  return refs.some((ref) => !ref.startsWith('#/') || `${decoded(ref)}/`.startsWith(`${target}/`))
}

function decoded(ref: string): string {
  try {
    return decodeURIComponent(ref)
  } catch {
    return ref
  }
}
