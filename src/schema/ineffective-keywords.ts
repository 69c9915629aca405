import { isObject, type JsonSchema } from '../wire/json.ts'
import { child, parsePointerFragment, type Path, toPointer } from '../wire/json-pointer.ts'
import { isUnconstrained } from './conjunction.ts'
import { isKeywordForType } from './constraint-keywords.ts'
import { findRefs } from './references.ts'

function isSchema(value: unknown): boolean {
  return isObject(value) || typeof value === 'boolean'
}

function isList(value: unknown): boolean {
  return Array.isArray(value)
}

/** What keywords with parts must be for their parts to be read, by the form that they have. */
const KEYWORD_FORMS: ReadonlyMap<string, (value: unknown) => boolean> = new Map(
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
const DATA_KEYWORDS: ReadonlySet<string> = new Set(['required', 'enum'])

/**
 * What says nothing of any value: keywords of other types than their schema's, keywords that are not what they should be,
 * alternatives to anything, and definitions that nobody refers to. Nobody writes it again.
 */
export function findIneffectiveKeywords(root: JsonSchema): Iterable<Path> {
  return findIneffectiveIn(root, undefined, findReferencedPointers(root))
}

/** The places that references lead to or through; undefined where one is by another name, which may lead anywhere. */
type ReferencedPointers = ReadonlySet<string> | undefined

function findReferencedPointers(root: JsonSchema): ReferencedPointers {
  const pointers = new Set<string>()
  for (const ref of findRefs(root)) {
    if (!ref.startsWith('#/')) return undefined
    const keys = parsePointerFragment(ref)
    if (keys === undefined) return undefined
    let path: Path | undefined
    for (const key of keys) {
      path = child(path, key)
      pointers.add(toPointer(path))
    }
  }
  return pointers
}

function* findIneffectiveIn(schema: unknown, at: Path | undefined, refs: ReferencedPointers): Iterable<Path> {
  if (!isObject(schema)) return
  for (const [key, value] of Object.entries(schema)) {
    const path = child(at, key)
    if (isIneffective(key, value, schema['type'])) yield path
    else if (KEYWORD_FORMS.has(key) && !DATA_KEYWORDS.has(key))
      yield* findIneffectiveParts(key, value, path, refs)
  }
}

function isIneffective(key: string, value: unknown, type: unknown): boolean {
  const types = (Array.isArray(type) ? type : [type]).filter((name) => typeof name === 'string')
  const elsewhere = types.length > 0 && !types.some((name) => isKeywordForType(key, name))
  const open = key === 'anyOf' && Array.isArray(value) && value.some(isUnconstrained)
  return elsewhere || open || KEYWORD_FORMS.get(key)?.(value) === false
}

/** The parts of a keyword: of a map, of a list, or the one schema that stands there. */
function* findIneffectiveParts(
  key: string,
  value: unknown,
  path: Path,
  refs: ReferencedPointers,
): Iterable<Path> {
  const many = KEYWORD_FORMS.get(key) === isObject || Array.isArray(value)
  if (!many) yield* findIneffectiveIn(value, path, refs)
  else {
    const defines = key === '$defs' || key === 'definitions'
    for (const [name, part] of Object.entries(value as object)) {
      const place = child(path, name)
      if (defines && refs?.has(toPointer(place)) === false) yield place
      else yield* findIneffectiveIn(part, place, refs)
    }
  }
}
