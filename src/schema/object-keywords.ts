import { isObject, type JsonObject, getOwnValue, setKey } from '../wire/json.ts'
import { child } from '../wire/json-pointer.ts'
import { type SchemaClauses, isEmptyOrTrueSchema, collectKeyword } from './schema-conjunction.ts'
import { makeNullable, type NestedSchemaWriter, type WrittenSchema } from './write-alternatives.ts'
import type { LocatedSchemas } from './schema-references.ts'

/** The constraints of some clauses on the properties of an object. */
interface ObjectFacts {
  readonly clauses: SchemaClauses
  readonly hasProperties: boolean
  /** Declared properties, each with all its schemas. */
  readonly properties: ReadonlyMap<string, LocatedSchemas>
  readonly required: ReadonlySet<string>
  /** The rule for undeclared properties; `some`: they must match `others`. */
  readonly additional: 'unspecified' | 'any' | 'some' | 'none'
  readonly others: LocatedSchemas
  /** The schemas of `patternProperties`. */
  readonly patterns: LocatedSchemas
}

function readObjectFacts(clauses: SchemaClauses): ObjectFacts {
  const declarations = collectKeyword(clauses, 'properties')
  const declared = declarations.flatMap(({ schema }) => (isObject(schema) ? Object.keys(schema) : []))
  const additional = collectKeyword(clauses, 'additionalProperties')
  const others = additional.filter(({ schema }) => !isEmptyOrTrueSchema(schema))
  return {
    clauses,
    hasProperties: declarations.length > 0,
    properties: new Map([...new Set(declared)].map((name) => [name, collectPropertySchemas(name, clauses)])),
    required: collectRequiredProperties(clauses),
    additional: others.some(({ schema }) => schema === false)
      ? 'none'
      : others.length > 0
        ? 'some'
        : additional.length > 0
          ? 'any'
          : 'unspecified',
    others,
    patterns: collectKeyword(clauses, 'patternProperties').filter(
      ({ schema }) => !isEmptyOrTrueSchema(schema),
    ),
  }
}

/** Returns the properties that at least one clause requires. */
export function collectRequiredProperties(clauses: SchemaClauses): ReadonlySet<string> {
  const names = new Set<string>()
  for (const { schema } of collectKeyword(clauses, 'required'))
    for (const name of Array.isArray(schema) ? (schema as readonly unknown[]) : [])
      if (typeof name === 'string') names.add(name)
  return names
}

/** Returns the schemas of a property; clauses that do not declare it add `additionalProperties`. */
export function collectPropertySchemas(name: string, clauses: SchemaClauses): LocatedSchemas {
  return clauses.flatMap(({ schema, path }) => {
    const properties = getOwnValue(schema, 'properties')
    if (isObject(properties) && Object.hasOwn(properties, name))
      return [{ schema: properties[name], path: child(child(path, 'properties'), name) }]
    const others = getOwnValue(schema, 'additionalProperties')
    // A pattern may apply to the property instead; patterns are not evaluated.
    if (others === undefined || getOwnValue(schema, 'patternProperties') !== undefined) return []
    return [{ schema: others, path: child(path, 'additionalProperties') }]
  })
}

/** Writes the keywords of an object. */
export function writeObjectKeywords(clauses: SchemaClauses, writer: NestedSchemaWriter): WrittenSchema {
  const facts = readObjectFacts(clauses)
  const properties = writeProperties(facts, writer)
  if (properties === undefined) return undefined
  const required = writeRequired(facts, properties, writer)
  const { isStrict } = writer.subset
  return {
    ...((facts.hasProperties || isStrict) && { properties }),
    ...((required.length > 0 || isStrict) && { required }),
    ...(isStrict ? writeClosedObject(facts, writer) : writeAdditional(facts, writer)),
  }
}

function writeProperties(facts: ObjectFacts, writer: NestedSchemaWriter): WrittenSchema {
  const { required, additional, patterns } = facts
  const { subset, report } = writer
  const forbidden = additional === 'none' && patterns.length === 0
  if (forbidden && [...required].some((name) => !facts.properties.has(name))) return undefined
  const properties = {}
  for (const [name, schemas] of facts.properties) {
    const isOptional = !required.has(name)
    const path = schemas[0]?.path
    const written = writer.write(schemas, isOptional)
    if (written === undefined) {
      if (!isOptional) return undefined
      // If undeclared properties are forbidden, a property that can never be present is not declared.
      if (!subset.isStrict && !(forbidden && subset.supportsAdditionalProperties))
        report('schema-never', path)
      continue
    }
    const isNullable = isOptional && subset.requiresAllProperties
    if (isNullable) report('schema-optional', path)
    setKey(properties, name, isNullable ? makeNullable(written, subset) : written)
  }
  return properties
}

function writeRequired(
  facts: ObjectFacts,
  properties: JsonObject,
  writer: NestedSchemaWriter,
): readonly string[] {
  const { subset, report } = writer
  const { required, clauses } = facts
  const declared = Object.keys(properties)
  const rest = [...required].filter((name) => !Object.hasOwn(properties, name))
  const path = collectKeyword(clauses, 'required')[0]?.path
  if (rest.length > 0 && subset.requiresDeclaredRequired)
    report(subset.isStrict ? 'not-strict-any' : 'schema-required', path)
  return [
    ...declared.filter((name) => required.has(name) || subset.requiresAllProperties),
    ...(subset.requiresDeclaredRequired ? [] : rest),
  ]
}

/** Closes a strict object. An object that is defined by its undeclared properties cannot be strict. */
function writeClosedObject(facts: ObjectFacts, { report }: NestedSchemaWriter): JsonObject {
  const { clauses, hasProperties } = facts
  const open = [...facts.patterns, ...(facts.additional === 'some' ? facts.others : [])]
  for (const { path } of open) report('not-strict-open', path)
  if (facts.additional === 'any')
    report('not-strict-open', collectKeyword(clauses, 'additionalProperties')[0]?.path)
  else if (facts.additional === 'unspecified')
    report(hasProperties ? 'schema-closed' : 'not-strict-open', clauses[0]?.path)
  return { additionalProperties: false }
}

/** Writes `additionalProperties` if the subset supports it. */
function writeAdditional(
  { additional, others, patterns }: ObjectFacts,
  writer: NestedSchemaWriter,
): JsonObject {
  const { supportsAdditionalProperties } = writer.subset
  const hasPatterns = patterns.length > 0
  // Without the patterns, the constraint on other properties would apply to matching properties, too.
  if (hasPatterns || !supportsAdditionalProperties)
    for (const { path } of others) writer.report('schema-open', path)
  if (!supportsAdditionalProperties || (additional === 'unspecified' && !hasPatterns)) return {}
  if (additional === 'any' || hasPatterns) return { additionalProperties: true }
  return { additionalProperties: writer.write(others, true) ?? false }
}
