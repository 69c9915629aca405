import type { SchemaRule } from '../canonical/losses/catalog.ts'
import { isObject, ownValue } from '../wire/json.ts'
import { below, type Path } from '../wire/pointer.ts'
import type { Placed, References } from './refs.ts'

/** The keywords of one schema, without those that bring in other schemas for the same value. */
export interface Clause {
  readonly keywords: { readonly [keyword: string]: unknown }
  readonly at: Path | undefined
}

/** Schemas that must all hold for one value, sorted out. */
export interface Conjunction {
  readonly clauses: readonly Clause[]
  /** Of each of these one must hold. */
  readonly unions: readonly Union[]
  /** The references that were followed. */
  readonly followed: readonly string[]
  /** No value satisfies it. */
  readonly never: boolean
}

export interface Union {
  readonly branches: readonly Placed[]
  readonly at: Path | undefined
  /** Only one may hold. */
  readonly only?: true
}

/** What sorting needs to know of the walk that it is part of. */
export interface Sorting {
  readonly refs: References
  /** Whether a reference may be followed once more; one that may not has been reported. */
  follow(ref: string, at: Path | undefined): boolean
  lose(rule: SchemaRule, at: Path | undefined): void
}

/** Sorts out schemas that must all hold: references are followed, `allOf` is opened, unions are set aside. */
export function conjunctionOf(schemas: readonly Placed[], sorting: Sorting): Conjunction {
  const clauses: Clause[] = []
  const unions: Union[] = []
  const followed: string[] = []
  let never = false

  const addRef = (ref: unknown, at: Path | undefined): void => {
    // Followed already: it leads to itself without a step into the value, and says nothing new.
    if (typeof ref !== 'string' || followed.includes(ref) || !sorting.follow(ref, at)) return
    followed.push(ref)
    const target = sorting.refs.resolve(ref)
    if (target === undefined) sorting.lose('schema-ref', at)
    else add(target)
  }

  const addUnion = (keyword: 'anyOf' | 'oneOf', value: unknown, at: Path | undefined): void => {
    const branches = placesOf(value, at).filter(({ schema }) => schema !== false)
    const [first] = branches
    if (!Array.isArray(value)) return
    if (branches.length === 1 && first !== undefined) add(first)
    else if (!branches.some(({ schema }) => holdsAlways(schema))) {
      if (first === undefined) never = true
      else unions.push({ branches, at, ...(keyword === 'oneOf' && { only: true as const }) })
    } else if (keyword === 'oneOf') sorting.lose('schema-one-of', at)
  }

  const add = ({ schema, at }: Placed): void => {
    if (schema === false) never = true
    if (!isObject(schema)) return
    const { $ref, allOf, anyOf, oneOf, $defs: _defs, definitions: _definitions, ...keywords } = schema
    if (Object.keys(keywords).length > 0) clauses.push({ keywords, at })
    addRef($ref, below(at, '$ref'))
    for (const branch of placesOf(allOf, below(at, 'allOf'))) add(branch)
    addUnion('anyOf', anyOf, below(at, 'anyOf'))
    addUnion('oneOf', oneOf, below(at, 'oneOf'))
  }

  for (const schema of schemas) add(schema)
  return { clauses, unions, followed, never }
}

/** The schemas of a list, with their places. */
export function placesOf(value: unknown, at: Path | undefined): readonly Placed[] {
  return Array.isArray(value)
    ? (value as readonly unknown[]).map((schema, index) => ({ schema, at: below(at, index) }))
    : []
}

/** True for a schema that says nothing. */
export function holdsAlways(schema: unknown): boolean {
  return schema === true || (isObject(schema) && Object.keys(schema).length === 0)
}

/** What every clause says under a keyword, with its place. */
export function said(clauses: readonly Clause[], keyword: string): readonly Placed[] {
  return clauses
    .map(({ keywords, at }) => ({ schema: ownValue(keywords, keyword), at: below(at, keyword) }))
    .filter(({ schema }) => schema !== undefined)
}
