import { isList, isObject, type Json, type JsonSchema, getOwnValue, setKey } from '../wire/json.ts'
import { child, parsePointerFragment, type Path } from '../wire/json-pointer.ts'
import { measureJson, StepBudget } from './schema-limits.ts'

/** A schema, or any value in its position, and its path. */
export interface LocatedSchema {
  readonly schema: unknown
  readonly path: Path | undefined
}

export type LocatedSchemas = readonly LocatedSchema[]

/** A schema that has keywords, and its path. */
export interface LocatedKeywords extends LocatedSchema {
  readonly schema: { readonly [keyword: string]: unknown }
}

/** Keywords whose values are data: a `$ref` inside them refers to nothing. */
const DATA_KEYWORDS: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples', 'example'])

/** Resolves the references of one schema and finds cycles. */
export class SchemaReferences {
  readonly #root: JsonSchema
  readonly #targets = new Map<string, LocatedSchema | undefined>()
  readonly #next = new Map<string, readonly string[]>()
  readonly #reachable = new Map<string, ReadonlySet<string>>()
  #anchors: ReadonlyMap<string, LocatedSchema> | undefined
  /** The steps of one conversion of the schema: references and alternatives inside of each other multiply. */
  readonly budget: StepBudget

  constructor(root: JsonSchema, budget: StepBudget = new StepBudget(measureJson(root))) {
    this.#root = root
    this.budget = budget
  }

  /** Returns the target of a reference; undefined if it is not inside the schema. */
  resolve(ref: string): LocatedSchema | undefined {
    if (!this.#targets.has(ref)) this.#targets.set(ref, this.#find(ref))
    return this.#targets.get(ref)
  }

  /** Returns true if following one reference can lead to another. */
  canReach(from: string, to: string): boolean {
    const reachable = this.#reachable.get(from) ?? this.#findReachable(from)
    this.#reachable.set(from, reachable)
    return reachable.has(to)
  }

  #find(ref: string): LocatedSchema | undefined {
    if (ref === '#') return { schema: this.#root, path: undefined }
    if (ref.startsWith('#/')) return resolvePointer(this.#root, ref)
    this.#anchors ??= new Map(findNamedSchemas(this.#root, undefined))
    const named = this.#anchors.get(ref)
    const hash = ref.indexOf('#')
    if (named !== undefined || hash <= 0) return named
    const { schema, path } = this.#anchors.get(ref.slice(0, hash)) ?? {}
    const fragment = ref.slice(hash)
    if (!isObject(schema)) return undefined
    return fragment === '#' ? { schema, path } : resolvePointer(schema, fragment, path)
  }

  /** Returns the references inside the target of a reference. */
  #refsBehind(ref: string): readonly string[] {
    const known = this.#next.get(ref) ?? [...new Set(findRefs(this.resolve(ref)?.schema))]
    this.#next.set(ref, known)
    return known
  }

  #findReachable(from: string): ReadonlySet<string> {
    const found = new Set(this.#refsBehind(from))
    // The set grows while it is visited.
    for (const ref of found) for (const next of this.#refsBehind(ref)) found.add(next)
    return found
  }
}

function resolvePointer(root: object, ref: string, rootPath?: Path): LocatedSchema | undefined {
  let schema: unknown = root
  let path = rootPath
  const keys = parsePointerFragment(ref)
  if (keys === undefined) return undefined
  for (const key of keys) {
    if (typeof schema !== 'object' || schema === null) return undefined
    schema = getOwnValue(schema, key)
    path = child(path, key)
  }
  return schema === undefined ? undefined : { schema, path }
}

/** Yields each subschema with an `$anchor` or `$id`, by the reference that points to it. */
function* findNamedSchemas(value: unknown, path: Path | undefined): Iterable<[string, LocatedSchema]> {
  for (const { schema, path: schemaPath } of findSchemas(value, path)) {
    const { $anchor, $id } = schema
    if (typeof $anchor === 'string') yield [`#${$anchor}`, { schema, path: schemaPath }]
    if (typeof $id === 'string') yield [$id, { schema, path: schemaPath }]
  }
}

/** Yields each reference in a schema. */
export function* findRefs(value: unknown): Iterable<string> {
  for (const { schema } of findSchemas(value, undefined)) {
    if (typeof schema['$ref'] === 'string') yield schema['$ref']
  }
}

/** Yields each object in a schema that may be a schema, including the schema itself. */
function* findSchemas(value: unknown, path: Path | undefined): Iterable<LocatedKeywords> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      if (typeof item === 'object') yield* findSchemas(item, child(path, index))
    return
  }
  if (!isObject(value)) return
  yield { schema: value, path }
  for (const [key, item] of Object.entries(value)) {
    const mayContainSchemas = typeof item === 'object' && !DATA_KEYWORDS.has(key)
    if (mayContainSchemas) yield* findSchemas(item, child(path, key))
  }
}

/** Returns a copy of a schema with renamed references. */
export function mapRefs<T extends Json>(schema: T, rename: (ref: string) => string): T
export function mapRefs(schema: Json, rename: (ref: string) => string): Json {
  if (isList(schema)) return schema.map((item) => mapRefs(item, rename))
  if (!isObject(schema)) return schema
  const renamed = {}
  for (const [key, value] of Object.entries(schema)) {
    const isRef = key === '$ref' && typeof value === 'string'
    setKey(renamed, key, isRef ? rename(value) : DATA_KEYWORDS.has(key) ? value : mapRefs(value, rename))
  }
  return renamed
}
