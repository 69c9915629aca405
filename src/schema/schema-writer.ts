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

/** What is written at most: a small schema can mean an endless one. */
const MAX_NODES = 10_000
/** Each level of a schema is two of JSON, of which there may be 200. */
const MAX_LEVELS = 90
/** How often a recursive schema is expanded where the target has no references; `schema-recursion` names the number. */
const UNROLLED = 3

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

  /** The names of the definitions that were referred to, by reference. */
  get definitionNames(): ReadonlyMap<string, string> {
    return this.#referenceWriter.definitionNames
  }

  /** Schemas that must all hold, written as one; undefined where nothing satisfies them. */
  write(schemas: readonly LocatedSchema[], place: WritePosition): JsonObject | undefined {
    return this.#referenceWriter.write(schemas, place) ?? this.writeExpanded(schemas, place)
  }

  /** The same, never as a mere reference. */
  writeExpanded(schemas: readonly LocatedSchema[], place: WritePosition): JsonObject | undefined {
    if (++this.#nodeCount > MAX_NODES || place.depth > MAX_LEVELS) {
      this.report('schema-size', undefined)
      return EMPTY
    }
    const conjunction = flattenConjunction(schemas, {
      refs: this.#refs,
      report: this.report,
      shouldFollow: (ref, path) => this.#shouldFollow(ref, path, place),
    })
    if (conjunction.isUnsatisfiable) return undefined
    for (const { branches, path, isExclusive } of conjunction.unions) {
      // More of them than can be written are lost as a whole.
      if (isExclusive && branches.length <= MAX_ALTERNATIVES && !areExclusive(branches, this.#refs))
        this.report('schema-one-of', path)
    }
    const here = { ...place, expandedRefs: [...place.expandedRefs, ...conjunction.followedRefs] }
    return conjunction.unions.length > 0
      ? this.#writeUnion(conjunction, here)
      : this.#writeSingle(conjunction.clauses, here, schemas[0]?.path)
  }

  #shouldFollow(ref: string, path: Path | undefined, { expandedRefs }: WritePosition): boolean {
    if (expandedRefs.filter((other) => other === ref).length < UNROLLED) return true
    this.report('schema-recursion', path)
    return false
  }

  /** Alternatives: what must hold besides is said in each of them, for many providers take nothing beside a union. */
  #writeUnion({ clauses, unions }: Conjunction, place: WritePosition): JsonObject | undefined {
    const { shared, remarks } = this.#splitAnnotations(clauses)
    let choices: readonly (readonly LocatedSchema[])[] = [shared]
    for (const { branches, path } of unions) {
      if (choices.length * branches.length > MAX_ALTERNATIVES) this.report('schema-union', path)
      else choices = choices.flatMap((choice) => branches.map((branch) => [...choice, branch]))
    }
    const deeper = { ...place, depth: place.depth + 1 }
    const written = choices
      .map((choice) => this.write(choice, deeper))
      .filter((schema) => schema !== undefined)
    const union = joinAlternatives(written, this.subset)
    return union === undefined ? undefined : addAnnotations(union, remarks)
  }

  #splitAnnotations(clauses: readonly Clause[]): {
    readonly shared: readonly LocatedSchema[]
    readonly remarks: JsonObject
  } {
    const split = clauses.map(({ keywords, path }) => {
      const [remarks, rest] = [true, false].map((wanted) =>
        Object.fromEntries(Object.entries(keywords).filter(([word]) => isAnnotation(word) === wanted)),
      )
      return { remarks: { keywords: remarks ?? {}, path }, rest: { schema: rest, path } }
    })
    const remarks = split.map(({ remarks: own }) => own)
    return {
      shared: split.map(({ rest }) => rest).filter(({ schema }) => !isUnconstrained(schema)),
      remarks: fitKeywords(remarks, undefined, this.subset, this.report),
    }
  }

  #writeSingle(
    clauses: readonly Clause[],
    place: WritePosition,
    path: Path | undefined,
  ): JsonObject | undefined {
    const types = collectAllowedTypes(clauses)
    const values = collectAllowedValues(clauses, types)
    if (types?.size === 0 || values?.length === 0) return undefined
    if (values !== undefined) return this.#writeListedValues(values, clauses, types)
    const implied = types ?? this.#inferTypes(clauses)
    if (implied === undefined) return this.#writeAny(clauses, place, path)
    const names = [...implied].filter((type) => type !== 'null')
    const nullable = names.length < implied.size
    if (names.length === 0) return this.#writeTyped(clauses, ['null'], place)
    if (names.length > 1 && !this.#canListTypes(names, clauses))
      return this.#writeByType(clauses, implied, place)
    const written = this.#writeTyped(clauses, names, place)
    if (!nullable) return written
    return written === undefined
      ? this.#writeTyped(clauses, ['null'], place)
      : makeNullable(written, this.subset)
  }

  /** The type that the keywords are about, where the subset wants one to be said. */
  #inferTypes(clauses: readonly Clause[]): ReadonlySet<JsonTypeName> | undefined {
    const subject = this.subset.requiresTypes ? inferType(clauses) : undefined
    if (subject === undefined) return undefined
    this.report('schema-type', clauses[0]?.path)
    return new Set([subject])
  }

  #writeAny(
    clauses: readonly Clause[],
    place: WritePosition,
    path: Path | undefined,
  ): JsonObject | undefined {
    if (this.subset.isStrict) this.report('not-strict-any', path)
    if (!this.subset.requiresTypes) return this.#writeConstraints(clauses, undefined, place)
    // Keywords of several types need several types, so all that can be said of such a value are remarks.
    for (const { keywords, path: where } of clauses) {
      for (const word of Object.keys(keywords))
        if (!isAnnotation(word)) this.report('schema-keyword', child(where, word))
    }
    return fitKeywords(clauses, new Set(), this.subset, this.report)
  }

  /** Types stand in one list where nothing is said of any of them. */
  #canListTypes(names: readonly JsonTypeName[], clauses: readonly Clause[]): boolean {
    const plain = names.every((name) => name !== 'object' && name !== 'array')
    const words = clauses.flatMap(({ keywords }) => Object.keys(keywords))
    return (
      this.subset.typeLists === 'plain' &&
      plain &&
      words.every((word) => word === 'type' || isAnnotation(word))
    )
  }

  #writeByType(
    clauses: readonly Clause[],
    types: ReadonlySet<JsonTypeName>,
    place: WritePosition,
  ): JsonObject | undefined {
    const path = collectKeyword(clauses, 'type')[0]?.path
    const branches = [...types].map((type) => ({ schema: { type }, path }))
    return this.#writeUnion(
      { clauses, unions: [{ branches, path }], followedRefs: [], isUnsatisfiable: false },
      place,
    )
  }

  #writeTyped(
    clauses: readonly Clause[],
    types: readonly JsonTypeName[],
    place: WritePosition,
  ): JsonObject | undefined {
    const written = this.#writeConstraints(clauses, new Set(types), place)
    return written === undefined ? undefined : { type: writeTypes(types, this.subset), ...written }
  }

  /** Everything but the type. */
  #writeConstraints(
    clauses: readonly Clause[],
    types: ReadonlySet<JsonTypeName> | undefined,
    place: WritePosition,
  ): JsonObject | undefined {
    const object = types?.has('object') === false ? EMPTY : writeObjectKeywords(clauses, place, this)
    const { keywords, maxLength } =
      types?.has('array') === false ? { keywords: EMPTY } : writeArrayKeywords(clauses, place, this)
    if (object === undefined && types !== undefined) return undefined
    if (object === undefined) this.report('schema-never', clauses[0]?.path)
    const kept = fitKeywords(clauses, types, this.subset, this.report)
    return { ...kept, ...object, ...keywords, ...this.#writeMaxItems(maxLength, kept['maxItems']) }
  }

  /** A list that ends by what is said of its items ends by its length. */
  #writeMaxItems(
    longest: { readonly length: number; readonly path: Path | undefined } | undefined,
    known: Json | undefined,
  ): JsonObject {
    if (longest === undefined) return EMPTY
    if (this.subset.supportedKeywords.has('maxItems')) {
      return { maxItems: typeof known === 'number' ? Math.min(known, longest.length) : longest.length }
    }
    this.report('schema-keyword', longest.path)
    return EMPTY
  }

  #writeListedValues(
    values: readonly Json[],
    clauses: readonly Clause[],
    types: ReadonlySet<JsonTypeName> | undefined,
  ): JsonObject | undefined {
    const groups = groupByType(values)
    const single = groups.length === 1
    const { shared, remarks } = this.#splitAnnotations(clauses)
    const rules = shared.map(({ schema, path }) => ({ keywords: schema as Clause['keywords'], path }))
    const written = groups.map(([found, group]) => {
      const type = found === 'integer' && types?.has('number') ? 'number' : found
      const kept = fitKeywords(rules, new Set([type]), this.subset, this.report)
      const constant = single && collectKeyword(clauses, 'const').length > 0
      return {
        type: writeTypes([type], this.subset),
        ...kept,
        ...this.#writeEnum(type, group, constant, clauses),
      }
    })
    const union = joinAlternatives(written, this.subset)
    return union === undefined ? undefined : addAnnotations(union, remarks)
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
