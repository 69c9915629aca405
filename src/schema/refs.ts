import { isList, isObject, type Json, type JsonSchema, ownValue, setKey } from '../wire/json.ts'
import { below, type Path } from '../wire/pointer.ts'

/** A schema, or what stands in its place, and where it stands. */
export interface Placed {
  readonly schema: unknown
  readonly at: Path | undefined
}

/** Keywords whose values are data: a `$ref` inside them refers to nothing. */
const DATA: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples', 'example'])

/** The references of one schema: what they lead to, and which of them lead back to themselves. */
export class References {
  readonly #root: JsonSchema
  readonly #targets = new Map<string, Placed | undefined>()
  readonly #next = new Map<string, readonly string[]>()
  readonly #reachable = new Map<string, ReadonlySet<string>>()
  #anchors: ReadonlyMap<string, Placed> | undefined

  constructor(root: JsonSchema) {
    this.#root = root
  }

  /** What a reference leads to; undefined where that is not inside of this schema. */
  resolve(ref: string): Placed | undefined {
    if (!this.#targets.has(ref)) this.#targets.set(ref, this.#find(ref))
    return this.#targets.get(ref)
  }

  /** True where following the one reference can lead to the other. */
  leads(from: string, to: string): boolean {
    return this.#reach(from).has(to)
  }

  #find(ref: string): Placed | undefined {
    if (ref === '#') return { schema: this.#root, at: undefined }
    if (ref.startsWith('#/')) return follow(this.#root, ref)
    this.#anchors ??= new Map(namedIn(this.#root, undefined))
    return this.#anchors.get(ref)
  }

  /** The references in what a reference leads to. */
  #follow(ref: string): readonly string[] {
    const known = this.#next.get(ref) ?? [...new Set(refsIn(this.resolve(ref)?.schema))]
    this.#next.set(ref, known)
    return known
  }

  #reach(from: string): ReadonlySet<string> {
    const known = this.#reachable.get(from)
    if (known !== undefined) return known
    const found = new Set<string>()
    const open = [from]
    for (let ref = open.pop(); ref !== undefined; ref = open.pop()) {
      for (const next of this.#follow(ref)) {
        if (found.has(next)) continue
        found.add(next)
        open.push(next)
      }
    }
    this.#reachable.set(from, found)
    return found
  }
}

function follow(root: JsonSchema, ref: string): Placed | undefined {
  let schema: unknown = root
  let at: Path | undefined
  for (const step of ref.slice(2).split('/')) {
    const key = unescape(step)
    if (typeof schema !== 'object' || schema === null || key === undefined) return undefined
    schema = ownValue(schema, key)
    at = below(at, key)
  }
  return schema === undefined ? undefined : { schema, at }
}

function unescape(step: string): string | undefined {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return undefined
  }
}

/** Every subschema that has a name of its own, by the reference that would lead to it. */
function* namedIn(value: unknown, at: Path | undefined): Iterable<[string, Placed]> {
  for (const { schema, at: place } of schemasIn(value, at)) {
    const { $anchor, $id } = schema
    if (typeof $anchor === 'string') yield [`#${$anchor}`, { schema, at: place }]
    if (typeof $id === 'string') yield [$id, { schema, at: place }]
  }
}

/** Every reference in a schema. */
export function* refsIn(value: unknown): Iterable<string> {
  for (const { schema } of schemasIn(value, undefined)) {
    if (typeof schema['$ref'] === 'string') yield schema['$ref']
  }
}

/** Every object inside a schema, itself included, that may be a schema. */
function* schemasIn(
  value: unknown,
  at: Path | undefined,
): Iterable<{ readonly schema: { readonly [key: string]: unknown }; readonly at: Path | undefined }> {
  if (isObject(value)) yield { schema: value, at }
  else if (!Array.isArray(value)) return
  for (const [key, item] of Object.entries(value)) {
    if (!DATA.has(key)) yield* schemasIn(item, below(at, key))
  }
}

/** The same schema with other references. */
export function withRefs<T extends Json>(schema: T, rename: (ref: string) => string): T
export function withRefs(schema: Json, rename: (ref: string) => string): Json {
  if (isList(schema)) return schema.map((item) => withRefs(item, rename))
  if (!isObject(schema)) return schema
  const renamed = {}
  for (const [key, value] of Object.entries(schema)) {
    const isRef = key === '$ref' && typeof value === 'string'
    setKey(renamed, key, isRef ? rename(value) : DATA.has(key) ? value : withRefs(value, rename))
  }
  return renamed
}
