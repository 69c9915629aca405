import type { Json, JsonObject } from '../wire/json.ts'
import { child, type Path } from '../wire/json-pointer.ts'
import { writeArrayKeywords } from './array-keywords.ts'
import {
  type Clause,
  type Conjunction,
  flattenConjunction,
  isUnconstrained,
  collectKeyword,
} from './conjunction.ts'
import { areExclusive, groupByType, collectAllowedTypes, collectAllowedValues } from './allowed-values.ts'
import { isAnnotation, fitKeywords, type SchemaLossReporter, inferType } from './constraint-keywords.ts'
import { writeObjectKeywords } from './object-keywords.ts'
import type { WritePosition, SubschemaWriter } from './write-context.ts'
import type { LocatedSchema, SchemaReferences } from './references.ts'
import { ReferenceWriter } from './reference-writer.ts'
import { joinAlternatives, makeNullable, writeTypes, addAnnotations } from './write-alternatives.ts'
import type { SchemaSubset, JsonTypeName } from './schema-subsets.ts'

/** The maximum number of written schemas: a small recursive schema can expand without end. */
const MAX_NODES = 10_000
/** The maximum depth: each level of a schema is two levels of JSON, which may have 200. */
const MAX_DEPTH = 90
/**
 * How often a recursive schema is expanded if the target has no references; the text of `schema-recursion`
 * contains it.
 */
const MAX_EXPANSIONS = 3

const MAX_ALTERNATIVES = 64

const EMPTY: JsonObject = Object.freeze({})

/** Writes schemas in one subset. */
export class SchemaWriter implements SubschemaWriter {
  readonly subset: SchemaSubset
  readonly report: SchemaLossReporter
  readonly #refs: SchemaReferences
  readonly #referenceWriter: ReferenceWriter
  #nodeCount = 0

  constructor(subset: SchemaSubset, refs: SchemaReferences, report: SchemaLossReporter) {
    this.subset = subset
    this.report = report
    this.#refs = refs
    this.#referenceWriter = new ReferenceWriter(subset, refs, report)
  }

  /** The names of the definitions that were referenced, by reference. */
  get definitionNames(): ReadonlyMap<string, string> {
    return this.#referenceWriter.definitionNames
  }

  /** Writes schemas that must all hold as one schema; undefined if no value satisfies them. */
  write(schemas: readonly LocatedSchema[], position: WritePosition): JsonObject | undefined {
    return this.#referenceWriter.write(schemas, position) ?? this.writeExpanded(schemas, position)
  }

  /** Writes schemas that must all hold as one schema that is not just a reference. */
  writeExpanded(schemas: readonly LocatedSchema[], position: WritePosition): JsonObject | undefined {
    if (++this.#nodeCount > MAX_NODES || position.depth > MAX_DEPTH) {
      this.report('schema-size', undefined)
      return EMPTY
    }
    const conjunction = flattenConjunction(schemas, {
      refs: this.#refs,
      report: this.report,
      shouldFollow: (ref, path) => this.#shouldFollow(ref, path, position),
    })
    if (conjunction.isUnsatisfiable) return undefined
    for (const { branches, path, isExclusive } of conjunction.unions) {
      // A union with more branches is reported as lost when it is written.
      if (isExclusive && branches.length <= MAX_ALTERNATIVES && !areExclusive(branches, this.#refs))
        this.report('schema-one-of', path)
    }
    const expanded = { ...position, expandedRefs: [...position.expandedRefs, ...conjunction.followedRefs] }
    return conjunction.unions.length > 0
      ? this.#writeUnion(conjunction, expanded)
      : this.#writeSingle(conjunction.clauses, expanded, schemas[0]?.path)
  }

  #shouldFollow(ref: string, path: Path | undefined, { expandedRefs }: WritePosition): boolean {
    if (expandedRefs.filter((other) => other === ref).length < MAX_EXPANSIONS) return true
    this.report('schema-recursion', path)
    return false
  }

  /**
   * Writes alternatives. The other clauses are repeated in each branch, since many providers allow nothing
   * next to a union.
   */
  #writeUnion({ clauses, unions }: Conjunction, position: WritePosition): JsonObject | undefined {
    const { shared, annotations } = this.#splitAnnotations(clauses)
    let choices: readonly (readonly LocatedSchema[])[] = [shared]
    for (const { branches, path } of unions) {
      if (choices.length * branches.length > MAX_ALTERNATIVES) this.report('schema-union', path)
      else choices = choices.flatMap((choice) => branches.map((branch) => [...choice, branch]))
    }
    const nested = { ...position, depth: position.depth + 1 }
    const written = choices
      .map((choice) => this.write(choice, nested))
      .filter((schema) => schema !== undefined)
    const union = joinAlternatives(written, this.subset)
    return union === undefined ? undefined : addAnnotations(union, annotations)
  }

  #splitAnnotations(clauses: readonly Clause[]): {
    readonly shared: readonly LocatedSchema[]
    readonly annotations: JsonObject
  } {
    const split = clauses.map(({ keywords, path }) => {
      const [annotations, rest] = [true, false].map((wanted) =>
        Object.fromEntries(Object.entries(keywords).filter(([keyword]) => isAnnotation(keyword) === wanted)),
      )
      return { annotations: { keywords: annotations ?? {}, path }, rest: { schema: rest, path } }
    })
    const annotations = split.map(({ annotations: own }) => own)
    return {
      shared: split.map(({ rest }) => rest).filter(({ schema }) => !isUnconstrained(schema)),
      annotations: fitKeywords(annotations, undefined, this.subset, this.report),
    }
  }

  #writeSingle(
    clauses: readonly Clause[],
    position: WritePosition,
    path: Path | undefined,
  ): JsonObject | undefined {
    const types = collectAllowedTypes(clauses)
    const values = collectAllowedValues(clauses, types)
    if (types?.size === 0 || values?.length === 0) return undefined
    if (values !== undefined) return this.#writeListedValues(values, clauses, types)
    const implied = types ?? this.#inferTypes(clauses)
    if (implied === undefined) return this.#writeAny(clauses, position, path)
    const names = [...implied].filter((type) => type !== 'null')
    const nullable = names.length < implied.size
    if (names.length === 0) return this.#writeTyped(clauses, ['null'], position)
    if (names.length > 1 && !this.#canListTypes(names, clauses))
      return this.#writeByType(clauses, implied, position)
    const written = this.#writeTyped(clauses, names, position)
    if (!nullable) return written
    return written === undefined
      ? this.#writeTyped(clauses, ['null'], position)
      : makeNullable(written, this.subset)
  }

  /** Infers the type from the keywords if the subset requires one. */
  #inferTypes(clauses: readonly Clause[]): ReadonlySet<JsonTypeName> | undefined {
    const subject = this.subset.requiresTypes ? inferType(clauses) : undefined
    if (subject === undefined) return undefined
    this.report('schema-type', clauses[0]?.path)
    return new Set([subject])
  }

  #writeAny(
    clauses: readonly Clause[],
    position: WritePosition,
    path: Path | undefined,
  ): JsonObject | undefined {
    if (this.subset.isStrict) this.report('not-strict-any', path)
    if (!this.subset.requiresTypes) return this.#writeConstraints(clauses, undefined, position)
    // Keywords of several types need several types, so only annotations can be written for such a value.
    for (const { keywords, path: where } of clauses) {
      for (const keyword of Object.keys(keywords))
        if (!isAnnotation(keyword)) this.report('schema-keyword', child(where, keyword))
    }
    return fitKeywords(clauses, new Set(), this.subset, this.report)
  }

  /** Returns true if the types can be written as one list: no keyword constrains one of them. */
  #canListTypes(names: readonly JsonTypeName[], clauses: readonly Clause[]): boolean {
    const plain = names.every((name) => name !== 'object' && name !== 'array')
    const keywordNames = clauses.flatMap(({ keywords }) => Object.keys(keywords))
    return (
      this.subset.typeLists === 'plain' &&
      plain &&
      keywordNames.every((keyword) => keyword === 'type' || isAnnotation(keyword))
    )
  }

  #writeByType(
    clauses: readonly Clause[],
    types: ReadonlySet<JsonTypeName>,
    position: WritePosition,
  ): JsonObject | undefined {
    const path = collectKeyword(clauses, 'type')[0]?.path
    const branches = [...types].map((type) => ({ schema: { type }, path }))
    return this.#writeUnion(
      { clauses, unions: [{ branches, path }], followedRefs: [], isUnsatisfiable: false },
      position,
    )
  }

  #writeTyped(
    clauses: readonly Clause[],
    types: readonly JsonTypeName[],
    position: WritePosition,
  ): JsonObject | undefined {
    const written = this.#writeConstraints(clauses, new Set(types), position)
    return written === undefined ? undefined : { type: writeTypes(types, this.subset), ...written }
  }

  /** Writes all keywords except `type`. */
  #writeConstraints(
    clauses: readonly Clause[],
    types: ReadonlySet<JsonTypeName> | undefined,
    position: WritePosition,
  ): JsonObject | undefined {
    const object = types?.has('object') === false ? EMPTY : writeObjectKeywords(clauses, position, this)
    const { keywords, maxLength } =
      types?.has('array') === false ? { keywords: EMPTY } : writeArrayKeywords(clauses, position, this)
    if (object === undefined && types !== undefined) return undefined
    if (object === undefined) this.report('schema-never', clauses[0]?.path)
    const kept = fitKeywords(clauses, types, this.subset, this.report)
    return { ...kept, ...object, ...keywords, ...this.#writeMaxItems(maxLength, kept['maxItems']) }
  }

  /** Writes `maxItems` for an array whose item schemas limit its length. */
  #writeMaxItems(
    maxLength: { readonly length: number; readonly path: Path | undefined } | undefined,
    known: Json | undefined,
  ): JsonObject {
    if (maxLength === undefined) return EMPTY
    if (this.subset.supportedKeywords.has('maxItems')) {
      return { maxItems: typeof known === 'number' ? Math.min(known, maxLength.length) : maxLength.length }
    }
    this.report('schema-keyword', maxLength.path)
    return EMPTY
  }

  #writeListedValues(
    values: readonly Json[],
    clauses: readonly Clause[],
    types: ReadonlySet<JsonTypeName> | undefined,
  ): JsonObject | undefined {
    const groups = groupByType(values)
    const isSingleType = groups.length === 1
    const { shared, annotations } = this.#splitAnnotations(clauses)
    const rules = shared.map(({ schema, path }) => ({ keywords: schema as Clause['keywords'], path }))
    const written = groups.map(([found, group]) => {
      const type = found === 'integer' && types?.has('number') ? 'number' : found
      const kept = fitKeywords(rules, new Set([type]), this.subset, this.report)
      const constant = isSingleType && collectKeyword(clauses, 'const').length > 0
      return {
        type: writeTypes([type], this.subset),
        ...kept,
        ...this.#writeEnum(type, group, constant, clauses),
      }
    })
    const union = joinAlternatives(written, this.subset)
    return union === undefined ? undefined : addAnnotations(union, annotations)
  }

  #writeEnum(
    type: JsonTypeName,
    values: readonly Json[],
    constant: boolean,
    clauses: readonly Clause[],
  ): JsonObject {
    if (type === 'null' || (type === 'boolean' && values.length === 2)) return EMPTY
    const path = [...collectKeyword(clauses, 'const'), ...collectKeyword(clauses, 'enum')][0]?.path
    if (!this.subset.enumTypes.has(type)) {
      this.report(this.subset.isStrict ? 'not-strict-any' : 'schema-enum', path)
      return EMPTY
    }
    if (typeof values[0] === 'number' && this.subset.hasTextNumberEnums) {
      this.report('schema-enum-text', path)
      return { format: 'enum', enum: values.map(String) }
    }
    return constant && this.subset.supportsConst && values[0] !== undefined
      ? { const: values[0] }
      : { enum: values }
  }
}
