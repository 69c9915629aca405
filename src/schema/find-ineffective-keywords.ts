import { isObject, type JsonSchema } from '../wire/json.ts'
import { child, parsePointerFragment, type Path, toPointer } from '../wire/json-pointer.ts'
import { isEmptyOrTrueSchema } from './schema-conjunction.ts'
import { isKeywordFor } from './constraint-keywords.ts'
import { findRefs } from './schema-references.ts'

function isSchema(value: unknown): boolean {
  return isObject(value) || typeof value === 'boolean'
}

/** Checks for the values of keywords that contain schemas or lists. */
const KEYWORD_FORMS: ReadonlyMap<string, (value: unknown) => boolean> = new Map(
  (
    [
      ['properties patternProperties dependentSchemas $defs definitions', isObject],
      ['anyOf oneOf allOf prefixItems required enum', Array.isArray],
      ['items', (value: unknown) => isSchema(value) || Array.isArray(value)],
      ['additionalItems additionalProperties not if then else contains propertyNames', isSchema],
    ] as const
  ).flatMap(([keywords, form]) => keywords.split(' ').map((keyword) => [keyword, form] as const)),
)

/** Keywords whose items are not schemas. */
const DATA_KEYWORDS: ReadonlySet<string> = new Set(['required', 'enum'])

/** Finds keywords that constrain no value, parts of them that are no schemas, and definitions without a reference: they are not written. */
export function findIneffectiveKeywords(root: JsonSchema): Iterable<Path> {
  return findIneffectiveIn(root, undefined, findRefTargets(root))
}

/** Pointers to the targets of references and to their parents; undefined if a reference is not a pointer. */
type RefTargets = ReadonlySet<string> | undefined

function findRefTargets(root: JsonSchema): RefTargets {
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

function* findIneffectiveIn(schema: unknown, parent: Path | undefined, refs: RefTargets): Iterable<Path> {
  if (!isObject(schema)) return
  const types = readTypes(schema)
  for (const [key, value] of Object.entries(schema)) {
    const path = child(parent, key)
    if (isIneffective(key, value, types)) yield path
    else if (KEYWORD_FORMS.has(key) && !DATA_KEYWORDS.has(key))
      yield* findIneffectiveParts(key, value, path, refs)
  }
}

function readTypes(schema: { readonly [key: string]: unknown }): ReadonlySet<string> {
  const { type } = schema
  return new Set((Array.isArray(type) ? type : [type]).filter((name) => typeof name === 'string'))
}

function isIneffective(key: string, value: unknown, types: ReadonlySet<string>): boolean {
  const isForOtherType = types.size > 0 && !isKeywordFor(types, key)
  const isUnconstrainedUnion = key === 'anyOf' && Array.isArray(value) && value.some(isEmptyOrTrueSchema)
  return isForOtherType || isUnconstrainedUnion || KEYWORD_FORMS.get(key)?.(value) === false
}

/** Searches the schemas in the value of a keyword: a map, a list or a single schema. */
function* findIneffectiveParts(key: string, value: unknown, path: Path, refs: RefTargets): Iterable<Path> {
  const hasManyParts = KEYWORD_FORMS.get(key) === isObject || Array.isArray(value)
  if (!hasManyParts) return yield* findIneffectiveIn(value, path, refs)
  const isDefinitions = key === '$defs' || key === 'definitions'
  const parts = Array.isArray(value)
    ? (value as readonly unknown[]).entries()
    : Object.entries(value as object)
  for (const [name, part] of parts) {
    const partPath = child(path, name)
    const isUnreferenced = isDefinitions && refs?.has(toPointer(partPath)) === false
    if (isUnreferenced || !isSchema(part)) yield partPath
    else yield* findIneffectiveIn(part, partPath, refs)
  }
}
