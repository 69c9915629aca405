import type { Json, JsonObject } from '../wire/json.ts'
import { child, type Path } from '../wire/json-pointer.ts'
import { type ArrayKeywords, writeArrayKeywords } from './array-keywords.ts'
import {
  type SchemaClauses,
  collectKeyword,
  flattenConjunction,
  isEmptyOrTrueSchema,
  type SchemaUnion,
} from './schema-conjunction.ts'
import {
  areSchemasExclusive,
  groupByType,
  collectAllowedTypes,
  collectAllowedValues,
} from './allowed-values.ts'
import {
  isAnnotation,
  fitKeywords,
  type SchemaLossReporter,
  type SubsetContext,
  inferTypeFromKeywords,
} from './constraint-keywords.ts'
import { writeObjectKeywords } from './object-keywords.ts'
import {
  addAnnotations,
  createChildPosition,
  joinAsAnyOf,
  makeNullable,
  type NestedSchemaWriter,
  type SchemaWritePosition,
  writeTypeKeyword,
  type WrittenSchema,
} from './write-alternatives.ts'
import type { LocatedSchemas, SchemaReferences } from './schema-references.ts'
import { ReferenceWriter } from './reference-writer.ts'
import type { JsonTypeSet, SchemaSubset, JsonTypeName } from './schema-subsets.ts'

/** The maximum number of written schemas: a small recursive schema can expand without end. */
const MAX_NODES = 10_000
/** The maximum depth: each level of a schema is two levels of JSON, which may have 200. */
const MAX_DEPTH = 90
/** How often a recursive schema is expanded without references; the text of `schema-recursion` contains it. */
const MAX_EXPANSIONS = 3

const MAX_ALTERNATIVES = 64

const EMPTY: JsonObject = Object.freeze({})

/** Writes schemas in one subset. */
export class SchemaWriter implements SubsetContext {
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

  write(schemas: LocatedSchemas, position: SchemaWritePosition): WrittenSchema {
    return this.#referenceWriter.write(schemas, position) ?? this.writeExpanded(schemas, position)
  }

  /** Writes schemas that must all hold as one schema that is not just a reference. */
  writeExpanded(schemas: LocatedSchemas, position: SchemaWritePosition): WrittenSchema {
    if (++this.#nodeCount > MAX_NODES || position.depth > MAX_DEPTH) {
      this.report('schema-size', undefined)
      return EMPTY
    }
    const { clauses, unions, followedRefs, isUnsatisfiable } = flattenConjunction(schemas, {
      refs: this.#refs,
      report: this.report,
      shouldFollow: (ref, path) => this.#shouldFollow(ref, path, position),
    })
    if (isUnsatisfiable) return undefined
    for (const { branches, path, isExclusive } of unions) {
      // A union with more branches is reported as lost when it is written.
      if (isExclusive && branches.length <= MAX_ALTERNATIVES && !areSchemasExclusive(branches, this.#refs))
        this.report('schema-one-of', path)
    }
    const expanded = { ...position, expandedRefs: [...position.expandedRefs, ...followedRefs] }
    return unions.length > 0
      ? this.#writeUnions(clauses, unions, expanded)
      : this.#writeSingle(clauses, expanded, schemas[0]?.path)
  }

  #shouldFollow(ref: string, path: Path | undefined, { expandedRefs }: SchemaWritePosition): boolean {
    if (expandedRefs.filter((other) => other === ref).length < MAX_EXPANSIONS) return true
    this.report('schema-recursion', path)
    return false
  }

  /** Writes alternatives. Each repeats the other clauses, since many providers allow nothing next to a union. */
  #writeUnions(
    clauses: SchemaClauses,
    unions: readonly SchemaUnion[],
    position: SchemaWritePosition,
  ): WrittenSchema {
    const { shared, annotations } = this.#splitAnnotations(clauses)
    let choices: readonly LocatedSchemas[] = [shared]
    for (const { branches, path } of unions) {
      if (choices.length * branches.length > MAX_ALTERNATIVES) this.report('schema-union', path)
      else choices = choices.flatMap((choice) => branches.map((branch) => [...choice, branch]))
    }
    const written = choices.map((choice) => this.write(choice, createChildPosition(position)))
    return this.#join(written, annotations)
  }

  #join(written: readonly WrittenSchema[], annotations: JsonObject): WrittenSchema {
    const possible = written.filter((schema) => schema !== undefined)
    const union = joinAsAnyOf(possible, this.subset)
    return union && addAnnotations(union, annotations)
  }

  #splitAnnotations(clauses: SchemaClauses): {
    readonly shared: SchemaClauses
    readonly annotations: JsonObject
  } {
    const select = (wanted: boolean): SchemaClauses =>
      clauses.map(({ schema, path }) => {
        const entries = Object.entries(schema).filter(([keyword]) => isAnnotation(keyword) === wanted)
        return { schema: Object.fromEntries(entries), path }
      })
    return {
      shared: select(false).filter(({ schema }) => !isEmptyOrTrueSchema(schema)),
      annotations: fitKeywords(select(true), undefined, this),
    }
  }

  #writeSingle(clauses: SchemaClauses, position: SchemaWritePosition, path: Path | undefined): WrittenSchema {
    const types = collectAllowedTypes(clauses)
    const values = collectAllowedValues(clauses)
    if (types?.size === 0 || values?.length === 0) return undefined
    if (values !== undefined) return this.#writeListedValues(values, clauses, types)
    const implied = types ?? this.#inferTypes(clauses)
    if (implied === undefined) return this.#writeAny(clauses, position, path)
    const names = [...implied].filter((type) => type !== 'null')
    if (names.length > 1 && !this.#canListTypes(names, clauses))
      return this.#writeByType(clauses, implied, position)
    const written = names.length === 0 ? undefined : this.#writeTyped(clauses, names, position)
    if (names.length === implied.size) return written
    return written === undefined
      ? this.#writeTyped(clauses, ['null'], position)
      : makeNullable(written, this.subset)
  }

  /** Infers the type from the keywords if the subset requires one. */
  #inferTypes(clauses: SchemaClauses): JsonTypeSet | undefined {
    const subject = this.subset.requiresTypes ? inferTypeFromKeywords(clauses) : undefined
    if (subject === undefined) return undefined
    this.report('schema-type', clauses[0]?.path)
    return new Set([subject])
  }

  #writeAny(clauses: SchemaClauses, position: SchemaWritePosition, path: Path | undefined): WrittenSchema {
    if (this.subset.isStrict) this.report('not-strict-any', path)
    if (!this.subset.requiresTypes) return this.#writeConstraints(clauses, undefined, position)
    // Keywords of several types need several types, so only annotations can be written for such a value.
    for (const { schema, path: where } of clauses) {
      for (const keyword of Object.keys(schema))
        if (!isAnnotation(keyword)) this.report('schema-keyword', child(where, keyword))
    }
    return fitKeywords(clauses, new Set(), this)
  }

  /** Returns true if the types can be written as one list: no keyword constrains one of them. */
  #canListTypes(names: readonly JsonTypeName[], clauses: SchemaClauses): boolean {
    if (!this.subset.supportsTypeLists || names.includes('object') || names.includes('array')) return false
    const keywords = clauses.flatMap(({ schema }) => Object.keys(schema))
    return keywords.every((keyword) => keyword === 'type' || isAnnotation(keyword))
  }

  #writeByType(clauses: SchemaClauses, types: JsonTypeSet, position: SchemaWritePosition): WrittenSchema {
    const path = collectKeyword(clauses, 'type')[0]?.path
    const branches = Array.from(types, (type) => ({ schema: { type }, path }))
    return this.#writeUnions(clauses, [{ branches, path }], position)
  }

  #writeTyped(
    clauses: SchemaClauses,
    types: readonly JsonTypeName[],
    position: SchemaWritePosition,
  ): WrittenSchema {
    const written = this.#writeConstraints(clauses, new Set(types), position)
    return written && { type: writeTypeKeyword(types, this.subset), ...written }
  }

  /** Writes all keywords except `type`. */
  #writeConstraints(
    clauses: SchemaClauses,
    types: JsonTypeSet | undefined,
    position: SchemaWritePosition,
  ): WrittenSchema {
    const { subset, report } = this
    const nested: NestedSchemaWriter = {
      subset,
      report,
      write: (schemas, isOptional) => this.write(schemas, createChildPosition(position, isOptional)),
    }
    const object = types?.has('object') === false ? EMPTY : writeObjectKeywords(clauses, nested)
    const { keywords, maxLength } =
      types?.has('array') === false ? { keywords: EMPTY } : writeArrayKeywords(clauses, nested)
    if (object === undefined && types !== undefined) return undefined
    if (object === undefined) this.report('schema-never', clauses[0]?.path)
    const kept = fitKeywords(clauses, types, this)
    return { ...kept, ...object, ...keywords, ...this.#writeMaxItems(maxLength, kept['maxItems']) }
  }

  /** Writes `maxItems` for an array whose item schemas limit its length. */
  #writeMaxItems(maxLength: ArrayKeywords['maxLength'], known: Json | undefined): JsonObject {
    if (maxLength === undefined) return EMPTY
    if (this.subset.supportedKeywords.has('maxItems'))
      return { maxItems: typeof known === 'number' ? Math.min(known, maxLength.length) : maxLength.length }
    this.report('schema-keyword', maxLength.path)
    return EMPTY
  }

  #writeListedValues(
    values: readonly Json[],
    clauses: SchemaClauses,
    types: JsonTypeSet | undefined,
  ): WrittenSchema {
    const groups = groupByType(values)
    const { shared, annotations } = this.#splitAnnotations(clauses)
    const isConstant = groups.length === 1 && collectKeyword(clauses, 'const').length > 0
    const written = groups.map(([found, group]) => {
      const type = found === 'integer' && types?.has('number') ? 'number' : found
      return {
        type: writeTypeKeyword([type], this.subset),
        ...fitKeywords(shared, new Set([type]), this),
        ...this.#writeEnum(type, group, isConstant, clauses),
      }
    })
    return this.#join(written, annotations)
  }

  #writeEnum(
    type: JsonTypeName,
    values: readonly Json[],
    isConstant: boolean,
    clauses: SchemaClauses,
  ): JsonObject {
    if (type === 'null' || (type === 'boolean' && values.length === 2)) return EMPTY
    const path = [...collectKeyword(clauses, 'const'), ...collectKeyword(clauses, 'enum')][0]?.path
    if (!this.subset.enumTypes.has(type)) {
      this.report(this.subset.isStrict ? 'not-strict-any' : 'schema-enum', path)
      return EMPTY
    }
    const [first] = values
    if (typeof first === 'number' && this.subset.hasTextNumberEnums) {
      this.report('schema-enum-text', path)
      return { format: 'enum', enum: values.map(String) }
    }
    return isConstant && this.subset.supportsConst && first !== undefined
      ? { const: first }
      : { enum: values }
  }
}
