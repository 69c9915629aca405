import { isObject, type JsonSchema } from '../wire/json.ts'
import { below, type Path, pointer } from '../wire/pointer.ts'
import { holdsAlways } from './conjunction.ts'
import { subjectIs } from './keywords.ts'
import { refsIn } from './refs.ts'

function isSchema(value: unknown): boolean {
  return isObject(value) || typeof value === 'boolean'
}

function isList(value: unknown): boolean {
  return Array.isArray(value)
}

/** What keywords with parts must be for their parts to be read, by the form that they have. */
const FORMS: ReadonlyMap<string, (value: unknown) => boolean> = new Map(
  (
    [
      ['properties patternProperties dependentSchemas $defs definitions', isObject],
      ['anyOf oneOf allOf prefixItems required enum', isList],
      ['items', (value: unknown) => isSchema(value) || isList(value)],
      ['additionalItems additionalProperties not if then else contains propertyNames', isSchema],
    ] as const
  ).flatMap(([words, form]) => words.split(' ').map((word) => [word, form] as const)),
)

/** Keywords whose parts are no schemas. */
const DATA: ReadonlySet<string> = new Set(['required', 'enum'])

/**
 * What says nothing of any value: keywords of other types than their schema's, keywords that are not what they should be,
 * alternatives to anything, and definitions that nobody refers to. Nobody writes it again.
 */
export function idlePlaces(root: JsonSchema): Iterable<Path> {
  return idleIn(root, undefined, referredIn(root))
}

/** The places that references lead to or through; undefined where one is by another name, which may lead anywhere. */
type Referred = ReadonlySet<string> | undefined

function referredIn(root: JsonSchema): Referred {
  const places = new Set<string>()
  for (const ref of refsIn(root)) {
    if (!ref.startsWith('#/')) return undefined
    const steps = decoded(ref).split('/')
    for (let length = 2; length <= steps.length; length++) places.add(steps.slice(1, length).join('/'))
  }
  return places
}

function* idleIn(schema: unknown, at: Path | undefined, refs: Referred): Iterable<Path> {
  if (!isObject(schema)) return
  for (const [key, value] of Object.entries(schema)) {
    const here = below(at, key)
    if (isIdle(key, value, schema['type'])) yield here
    else if (FORMS.has(key) && !DATA.has(key)) yield* idleParts(key, value, here, refs)
  }
}

function isIdle(key: string, value: unknown, type: unknown): boolean {
  const types = (Array.isArray(type) ? type : [type]).filter((name) => typeof name === 'string')
  const elsewhere = types.length > 0 && !types.some((name) => subjectIs(key, name))
  const open = key === 'anyOf' && Array.isArray(value) && value.some(holdsAlways)
  return elsewhere || open || FORMS.get(key)?.(value) === false
}

/** The parts of a keyword: of a map, of a list, or the one schema that stands there. */
function* idleParts(key: string, value: unknown, at: Path, refs: Referred): Iterable<Path> {
  const many = FORMS.get(key) === isObject || Array.isArray(value)
  if (!many) yield* idleIn(value, at, refs)
  else {
    const defines = key === '$defs' || key === 'definitions'
    for (const [name, part] of Object.entries(value as object)) {
      const place = below(at, name)
      if (defines && refs?.has(pointer(place).slice(1)) === false) yield place
      else yield* idleIn(part, place, refs)
    }
  }
}

function decoded(ref: string): string {
  try {
    return decodeURIComponent(ref)
  } catch {
    return ref
  }
}
