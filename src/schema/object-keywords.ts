import { isObject, type JsonObject, getOwnValue, setKey } from '../wire/json.ts'
import { child } from '../wire/json-pointer.ts'
import { type Clause, isUnconstrained, collectKeyword } from './conjunction.ts'
import { enterChild, type WritePosition, type SubschemaWriter } from './write-context.ts'
import type { LocatedSchema } from './references.ts'
import { makeNullable } from './write-alternatives.ts'

/** The constraints of some clauses on the properties of an object. */
interface ObjectFacts {
  /** Declared properties, each with all its schemas. */
  readonly properties: ReadonlyMap<string, readonly LocatedSchema[]>
  readonly required: ReadonlySet<string>
  /** The rule for undeclared properties; `some`: they must match `others`. */
  readonly additional: 'unspecified' | 'any' | 'some' | 'none'
  readonly others: readonly LocatedSchema[]
  /** The schemas of `patternProperties`. */
  readonly patterns: readonly LocatedSchema[]
}

function readObjectFacts(clauses: readonly Clause[]): ObjectFacts {
  const declared = collectKeyword(clauses, 'properties').flatMap(({ schema }) =>
    isObject(schema) ? Object.keys(schema) : [],
  )
  const additional = collectKeyword(clauses, 'additionalProperties')
  const others = additional.filter(({ schema }) => !isUnconstrained(schema))
  return {
    properties: new Map([...new Set(declared)].map((name) => [name, collectPropertySchemas(name, clauses)])),
    required: collectRequired(clauses),
    additional: others.some(({ schema }) => schema === false)
      ? 'none'
      : others.length > 0
        ? 'some'
        : additional.length > 0
          ? 'any'
          : 'unspecified',
    others,
    patterns: collectKeyword(clauses, 'patternProperties').filter(({ schema }) => !isUnconstrained(schema)),
  }
}

/** Returns the properties that at least one clause requires. */
export function collectRequired(clauses: readonly Clause[]): ReadonlySet<string> {
  return new Set(collectKeyword(clauses, 'required').flatMap(({ schema }) => filterStrings(schema)))
}

function filterStrings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : []
}

/**
 * Returns all schemas of a property: its declaration, or `additionalProperties` of a clause that does not
 * declare it.
 */
export function collectPropertySchemas(name: string, clauses: readonly Clause[]): readonly LocatedSchema[] {
  return clauses.flatMap(({ keywords, path }) => {
    const properties = getOwnValue(keywords, 'properties')
    if (isObject(properties) && Object.hasOwn(properties, name)) {
      return [{ schema: properties[name], path: child(child(path, 'properties'), name) }]
    }
    const others = getOwnValue(keywords, 'additionalProperties')
    // A pattern may apply to the property instead; patterns are not evaluated.
    if (others === undefined || getOwnValue(keywords, 'patternProperties') !== undefined) return []
    return [{ schema: others, path: child(path, 'additionalProperties') }]
  })
}

/** Writes the keywords of an object; undefined if no object satisfies them. */
export function writeObjectKeywords(
  clauses: readonly Clause[],
  position: WritePosition,
  writer: SubschemaWriter,
): JsonObject | undefined {
  const facts = readObjectFacts(clauses)
  const properties = writeProperties(facts, position, writer)
  if (properties === undefined) return undefined
  const required = writeRequired(facts, properties, clauses, writer)
  const hasProperties = collectKeyword(clauses, 'properties').length > 0
  const { isStrict } = writer.subset
  return {
    ...((hasProperties || isStrict) && { properties }),
    ...((required.length > 0 || isStrict) && { required }),
    ...(isStrict
      ? writeClosedObject(facts, hasProperties, clauses, writer)
      : writeAdditionalProperties(facts, position, writer)),
  }
}

function writeProperties(
  facts: ObjectFacts,
  position: WritePosition,
  writer: SubschemaWriter,
): JsonObject | undefined {
  const { required, additional, patterns } = facts
  const forbidden = additional === 'none' && patterns.length === 0
  if (forbidden && [...required].some((name) => !facts.properties.has(name))) return undefined
  const properties = {}
  for (const [name, schemas] of facts.properties) {
    const optional = !required.has(name)
    const written = writer.write(schemas, enterChild(position, optional))
    if (written !== undefined)
      setKey(properties, name, optional ? writeOptional(written, schemas, writer) : written)
    else if (!optional) return undefined
    // If undeclared properties are forbidden, a property that can never be present is not declared.
    else if (!writer.subset.isStrict && !(forbidden && writer.subset.supportsAdditionalProperties)) {
      writer.report('schema-never', schemas[0]?.path)
    }
  }
  return properties
}

/** Writes an optional property in the form of the subset. */
function writeOptional(
  written: JsonObject,
  schemas: readonly LocatedSchema[],
  { subset, report }: SubschemaWriter,
): JsonObject {
  if (subset.optionalAs === 'absent') return written
  report('schema-optional', schemas[0]?.path)
  return makeNullable(written, subset)
}

function writeRequired(
  { required }: ObjectFacts,
  properties: JsonObject,
  clauses: readonly Clause[],
  { subset, report }: SubschemaWriter,
): readonly string[] {
  const declared = Object.keys(properties)
  const rest = [...required].filter((name) => !Object.hasOwn(properties, name))
  const path = collectKeyword(clauses, 'required')[0]?.path
  if (rest.length > 0 && subset.requiresDeclaredRequired)
    report(subset.isStrict ? 'not-strict-any' : 'schema-required', path)
  return [
    ...declared.filter((name) => required.has(name) || subset.optionalAs === 'null'),
    ...(subset.requiresDeclaredRequired ? [] : rest),
  ]
}

/** Closes a strict object. An object that is defined by its undeclared properties cannot be strict. */
function writeClosedObject(
  facts: ObjectFacts,
  hasProperties: boolean,
  clauses: readonly Clause[],
  { report }: SubschemaWriter,
): JsonObject {
  const open = [...facts.patterns, ...(facts.additional === 'some' ? facts.others : [])]
  for (const { path } of open) report('not-strict-open', path)
  if (facts.additional === 'any')
    report('not-strict-open', collectKeyword(clauses, 'additionalProperties')[0]?.path)
  else if (facts.additional === 'unspecified')
    report(hasProperties ? 'schema-closed' : 'not-strict-open', clauses[0]?.path)
  return { additionalProperties: false }
}

/** Writes `additionalProperties` if the subset supports it. */
function writeAdditionalProperties(
  { additional, others, patterns }: ObjectFacts,
  position: WritePosition,
  writer: SubschemaWriter,
): JsonObject {
  const limited = additional === 'none' || additional === 'some'
  // Without the patterns, the constraint on other properties would apply to matching properties, too.
  if (limited && (patterns.length > 0 || !writer.subset.supportsAdditionalProperties)) {
    for (const { path } of others) writer.report('schema-open', path)
  }
  if (!writer.subset.supportsAdditionalProperties || (additional === 'unspecified' && patterns.length === 0))
    return {}
  if (additional === 'any' || patterns.length > 0) return { additionalProperties: true }
  return { additionalProperties: writer.write(others, enterChild(position, true)) ?? false }
}
