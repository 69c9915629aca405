import type { SchemaRule } from '../canonical/losses/catalog.ts'
import { isObject, getOwnValue } from '../wire/json.ts'
import { child, type Path } from '../wire/json-pointer.ts'
import type { LocatedSchema, SchemaReferences } from './references.ts'

/** The keywords of one schema, without those that bring in other schemas for the same value. */
export interface Clause {
  readonly keywords: { readonly [keyword: string]: unknown }
  readonly path: Path | undefined
}

/** Schemas that must all hold for one value, sorted out. */
export interface Conjunction {
  readonly clauses: readonly Clause[]
  /** Of each of these one must hold. */
  readonly unions: readonly SchemaUnion[]
  /** The references that were followed. */
  readonly followedRefs: readonly string[]
  /** No value satisfies it. */
  readonly isUnsatisfiable: boolean
}

export interface SchemaUnion {
  readonly branches: readonly LocatedSchema[]
  readonly path: Path | undefined
  /** Only one may hold. */
  readonly isExclusive?: true
}

/** What sorting needs to know of the walk that it is part of. */
export interface ConjunctionContext {
  readonly refs: SchemaReferences
  /** Whether a reference may be followed once more; one that may not has been reported. */
  shouldFollow(ref: string, path: Path | undefined): boolean
  report(rule: SchemaRule, path: Path | undefined): void
}

/** Sorts out schemas that must all hold: references are followed, `allOf` is opened, unions are set aside. */
export function flattenConjunction(
  schemas: readonly LocatedSchema[],
  sorting: ConjunctionContext,
): Conjunction {
  const clauses: Clause[] = []
  const unions: SchemaUnion[] = []
  const followed: string[] = []
  let never = false

  const addRef = (ref: unknown, path: Path | undefined): void => {
    // Followed already: it leads to itself without a step into the value, and says nothing new.
    if (typeof ref !== 'string' || followed.includes(ref) || !sorting.shouldFollow(ref, path)) return
    followed.push(ref)
    const target = sorting.refs.resolve(ref)
    if (target === undefined) sorting.report('schema-ref', path)
    else add(target)
  }

  const addUnion = (keyword: 'anyOf' | 'oneOf', value: unknown, path: Path | undefined): void => {
    const branches = locateItems(value, path).filter(({ schema }) => schema !== false)
    const [first] = branches
    if (!Array.isArray(value)) return
    if (branches.length === 1 && first !== undefined) add(first)
    else if (!branches.some(({ schema }) => isUnconstrained(schema))) {
      if (first === undefined) never = true
      else unions.push({ branches, path, ...(keyword === 'oneOf' && { isExclusive: true as const }) })
    } else if (keyword === 'oneOf') sorting.report('schema-one-of', path)
  }

  const add = ({ schema, path }: LocatedSchema): void => {
    if (schema === false) never = true
    if (!isObject(schema)) return
    const { $ref, allOf, anyOf, oneOf, $defs: _defs, definitions: _definitions, ...keywords } = schema
    if (Object.keys(keywords).length > 0) clauses.push({ keywords, path })
    addRef($ref, child(path, '$ref'))
    for (const branch of locateItems(allOf, child(path, 'allOf'))) add(branch)
    addUnion('anyOf', anyOf, child(path, 'anyOf'))
    addUnion('oneOf', oneOf, child(path, 'oneOf'))
  }

  for (const schema of schemas) add(schema)
  return { clauses, unions, followedRefs: followed, isUnsatisfiable: never }
}

/** The schemas of a list, with their places. */
export function locateItems(value: unknown, path: Path | undefined): readonly LocatedSchema[] {
  return Array.isArray(value)
    ? (value as readonly unknown[]).map((schema, index) => ({ schema, path: child(path, index) }))
    : []
}

/** True for a schema that says nothing. */
export function isUnconstrained(schema: unknown): boolean {
  return schema === true || (isObject(schema) && Object.keys(schema).length === 0)
}

/** What every clause says under a keyword, with its place. */
export function collectKeyword(clauses: readonly Clause[], keyword: string): readonly LocatedSchema[] {
  return clauses
    .map(({ keywords, path }) => ({ schema: getOwnValue(keywords, keyword), path: child(path, keyword) }))
    .filter(({ schema }) => schema !== undefined)
}
