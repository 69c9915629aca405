import type { SchemaRule } from '../canonical/losses/catalog.ts'
import { isObject, getOwnValue } from '../wire/json.ts'
import { child, type Path } from '../wire/json-pointer.ts'
import type { LocatedSchema, SchemaReferences } from './references.ts'

/** The keywords of one schema, without those that add other schemas for the same value. */
export interface Clause {
  readonly keywords: { readonly [keyword: string]: unknown }
  readonly path: Path | undefined
}

/** Schemas that must all hold for one value, split into clauses and unions. */
export interface Conjunction {
  readonly clauses: readonly Clause[]
  /** Alternatives: one branch of each union must hold. */
  readonly unions: readonly SchemaUnion[]
  /** The references that were followed. */
  readonly followedRefs: readonly string[]
  /** True if no value satisfies the schemas. */
  readonly isUnsatisfiable: boolean
}

export interface SchemaUnion {
  readonly branches: readonly LocatedSchema[]
  readonly path: Path | undefined
  /** True if exactly one branch must hold (`oneOf`). */
  readonly isExclusive?: true
}

/** The context in which schemas are flattened. */
export interface ConjunctionContext {
  readonly refs: SchemaReferences
  /** Returns true if a reference may be expanded once more; otherwise it has been reported. */
  shouldFollow(ref: string, path: Path | undefined): boolean
  report(rule: SchemaRule, path: Path | undefined): void
}

/** Flattens schemas that must all hold: follows references, expands `allOf` and collects unions separately. */
export function flattenConjunction(
  schemas: readonly LocatedSchema[],
  context: ConjunctionContext,
): Conjunction {
  const clauses: Clause[] = []
  const unions: SchemaUnion[] = []
  const followed: string[] = []
  let isUnsatisfiable = false

  const addRef = (ref: unknown, path: Path | undefined): void => {
    // A reference that was already followed points to the same value again and adds no constraint.
    if (typeof ref !== 'string' || followed.includes(ref) || !context.shouldFollow(ref, path)) return
    followed.push(ref)
    const target = context.refs.resolve(ref)
    if (target === undefined) context.report('schema-ref', path)
    else add(target)
  }

  const addUnion = (keyword: 'anyOf' | 'oneOf', value: unknown, path: Path | undefined): void => {
    const branches = locateItems(value, path).filter(({ schema }) => schema !== false)
    const [first] = branches
    if (!Array.isArray(value)) return
    if (branches.length === 1 && first !== undefined) add(first)
    else if (!branches.some(({ schema }) => isUnconstrained(schema))) {
      if (first === undefined) isUnsatisfiable = true
      else unions.push({ branches, path, ...(keyword === 'oneOf' && { isExclusive: true as const }) })
    } else if (keyword === 'oneOf') context.report('schema-one-of', path)
  }

  const add = ({ schema, path }: LocatedSchema): void => {
    if (schema === false) isUnsatisfiable = true
    if (!isObject(schema)) return
    const { $ref, allOf, anyOf, oneOf, $defs: _defs, definitions: _definitions, ...keywords } = schema
    if (Object.keys(keywords).length > 0) clauses.push({ keywords, path })
    addRef($ref, child(path, '$ref'))
    for (const branch of locateItems(allOf, child(path, 'allOf'))) add(branch)
    addUnion('anyOf', anyOf, child(path, 'anyOf'))
    addUnion('oneOf', oneOf, child(path, 'oneOf'))
  }

  for (const schema of schemas) add(schema)
  return { clauses, unions, followedRefs: followed, isUnsatisfiable }
}

/** Returns the schemas of a list with their paths. */
export function locateItems(value: unknown, path: Path | undefined): readonly LocatedSchema[] {
  return Array.isArray(value)
    ? (value as readonly unknown[]).map((schema, index) => ({ schema, path: child(path, index) }))
    : []
}

/** Returns true for a schema without keywords. */
export function isUnconstrained(schema: unknown): boolean {
  return schema === true || (isObject(schema) && Object.keys(schema).length === 0)
}

/** Returns the value of a keyword in each clause that has it, with its path. */
export function collectKeyword(clauses: readonly Clause[], keyword: string): readonly LocatedSchema[] {
  return clauses
    .map(({ keywords, path }) => ({ schema: getOwnValue(keywords, keyword), path: child(path, keyword) }))
    .filter(({ schema }) => schema !== undefined)
}
