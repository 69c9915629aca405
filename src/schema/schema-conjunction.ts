import type { SchemaLossRule } from '../canonical/losses/loss-catalog.ts'
import { isObject, getOwnValue } from '../wire/json.ts'
import { child, type Path } from '../wire/json-pointer.ts'
import type { LocatedKeywords, LocatedSchema, LocatedSchemas, SchemaReferences } from './schema-references.ts'

/** The keywords of schemas, without those that add other schemas for the same value. */
export type SchemaClauses = readonly LocatedKeywords[]

/** Schemas that must all hold for one value, split into clauses and unions. */
export interface SchemaConjunction {
  readonly clauses: SchemaClauses
  /** Alternatives: one branch of each union must hold. */
  readonly unions: readonly SchemaUnion[]
  /** The references that were followed. */
  readonly followedRefs: readonly string[]
  /** True if no value satisfies the schemas. */
  readonly isUnsatisfiable: boolean
}

export interface SchemaUnion {
  readonly branches: LocatedSchemas
  readonly path: Path | undefined
  /** True if exactly one branch must hold (`oneOf`). */
  readonly isExclusive?: true
}

/** The context in which schemas are flattened. */
export interface ConjunctionContext {
  readonly refs: SchemaReferences
  /** Returns true if a reference may be expanded once more; otherwise it has been reported. Default: true. */
  readonly shouldFollow?: (ref: string, path: Path | undefined) => boolean
  readonly report?: (rule: SchemaLossRule, path: Path | undefined) => void
}

/** Flattens schemas that must all hold: follows references, expands `allOf` and collects unions separately. */
export function flattenConjunction(schemas: LocatedSchemas, context: ConjunctionContext): SchemaConjunction {
  const { refs, shouldFollow = () => true, report = () => {} } = context
  const clauses: LocatedKeywords[] = []
  const unions: SchemaUnion[] = []
  const followed = new Set<string>()
  let isUnsatisfiable = false

  const addRef = (ref: unknown, path: Path | undefined): void => {
    // A reference that was already followed points to the same value again and adds no constraint.
    if (typeof ref !== 'string' || followed.has(ref) || !shouldFollow(ref, path)) return
    followed.add(ref)
    const target = refs.resolve(ref)
    if (target === undefined) report('schema-ref', path)
    else add(target)
  }

  const addUnion = (keyword: 'anyOf' | 'oneOf', value: unknown, path: Path | undefined): void => {
    const branches = listLocatedSchemas(value, path).filter(({ schema }) => schema !== false)
    const [first] = branches
    if (!Array.isArray(value)) return
    if (branches.length === 1 && first !== undefined) add(first)
    else if (!branches.some(({ schema }) => isEmptyOrTrueSchema(schema))) {
      if (first === undefined) isUnsatisfiable = true
      else unions.push({ branches, path, ...(keyword === 'oneOf' && { isExclusive: true as const }) })
    } else if (keyword === 'oneOf') report('schema-one-of', path)
  }

  const add = ({ schema, path }: LocatedSchema): void => {
    refs.budget.countSteps(1)
    if (schema === false) isUnsatisfiable = true
    if (!isObject(schema)) return
    const { $ref, allOf, anyOf, oneOf, $defs: _defs, definitions: _definitions, ...keywords } = schema
    if (Object.keys(keywords).length > 0) clauses.push({ schema: keywords, path })
    addRef($ref, child(path, '$ref'))
    for (const branch of listLocatedSchemas(allOf, child(path, 'allOf'))) add(branch)
    addUnion('anyOf', anyOf, child(path, 'anyOf'))
    addUnion('oneOf', oneOf, child(path, 'oneOf'))
  }

  for (const schema of schemas) add(schema)
  return { clauses, unions, followedRefs: [...followed], isUnsatisfiable }
}

/** Returns the schemas of a list with their paths. */
export function listLocatedSchemas(value: unknown, path: Path | undefined): LocatedSchemas {
  return Array.isArray(value)
    ? (value as readonly unknown[]).map((schema, index) => ({ schema, path: child(path, index) }))
    : []
}

/** Returns true for a schema without keywords. */
export function isEmptyOrTrueSchema(schema: unknown): boolean {
  return schema === true || (isObject(schema) && Object.keys(schema).length === 0)
}

/** Returns the value of a keyword in each clause that has it, with its path. */
export function collectKeyword(clauses: SchemaClauses, keyword: string): LocatedSchemas {
  return clauses.flatMap(({ schema, path }) => {
    const value = getOwnValue(schema, keyword)
    return value === undefined ? [] : [{ schema: value, path: child(path, keyword) }]
  })
}
