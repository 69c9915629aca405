import { isObject, type JsonObject, getOwnValue, setKey } from '../wire/json.ts'
import { child } from '../wire/json-pointer.ts'
import { type Clause, isUnconstrained, collectKeyword } from './conjunction.ts'
import { enterChild, type WritePosition, type SubschemaWriter } from './write-context.ts'
import type { LocatedSchema } from './references.ts'
import { makeNullable } from './write-alternatives.ts'

/** What clauses say of the properties of an object. */
interface ObjectFacts {
  /** Declared properties, each with everything that must hold for it. */
  readonly properties: ReadonlyMap<string, readonly LocatedSchema[]>
  readonly required: ReadonlySet<string>
  /** Whether undeclared properties may be there; `some`: what `others` says of them. */
  readonly additional: 'unsaid' | 'any' | 'some' | 'none'
  readonly others: readonly LocatedSchema[]
  /** Properties that are known by a pattern of their names alone. */
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
          : 'unsaid',
    others,
    patterns: collectKeyword(clauses, 'patternProperties').filter(({ schema }) => !isUnconstrained(schema)),
  }
}

/** The properties that one of the clauses requires. */
export function collectRequired(clauses: readonly Clause[]): ReadonlySet<string> {
  return new Set(collectKeyword(clauses, 'required').flatMap(({ schema }) => filterStrings(schema)))
}

function filterStrings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : []
}

/** What must hold for a property: a clause that does not declare it says it of all that it does not declare. */
export function collectPropertySchemas(name: string, clauses: readonly Clause[]): readonly LocatedSchema[] {
  return clauses.flatMap(({ keywords, path }) => {
    const properties = getOwnValue(keywords, 'properties')
    if (isObject(properties) && Object.hasOwn(properties, name)) {
      return [{ schema: properties[name], path: child(child(path, 'properties'), name) }]
    }
    const others = getOwnValue(keywords, 'additionalProperties')
    // A pattern may speak of it instead; patterns are not looked into.
    if (others === undefined || getOwnValue(keywords, 'patternProperties') !== undefined) return []
    return [{ schema: others, path: child(path, 'additionalProperties') }]
  })
}

/** The keywords of an object; undefined where no object satisfies them. */
export function writeObjectKeywords(
  clauses: readonly Clause[],
  place: WritePosition,
  writer: SubschemaWriter,
): JsonObject | undefined {
  const facts = readObjectFacts(clauses)
  const properties = writeProperties(facts, place, writer)
  if (properties === undefined) return undefined
  const required = writeRequired(facts, properties, clauses, writer)
  const stated = collectKeyword(clauses, 'properties').length > 0
  const { isStrict } = writer.subset
  return {
    ...((stated || isStrict) && { properties }),
    ...((required.length > 0 || isStrict) && { required }),
    ...(isStrict
      ? writeClosedObject(facts, stated, clauses, writer)
      : writeAdditionalProperties(facts, place, writer)),
  }
}

function writeProperties(
  facts: ObjectFacts,
  place: WritePosition,
  writer: SubschemaWriter,
): JsonObject | undefined {
  const { required, additional, patterns } = facts
  const forbidden = additional === 'none' && patterns.length === 0
  if (forbidden && [...required].some((name) => !facts.properties.has(name))) return undefined
  const properties = {}
  for (const [name, schemas] of facts.properties) {
    const optional = !required.has(name)
    const written = writer.write(schemas, enterChild(place, optional))
    if (written !== undefined)
      setKey(properties, name, optional ? writeOptional(written, schemas, writer) : written)
    else if (!optional) return undefined
    // Where undeclared properties are forbidden, one that can never be there is just not declared.
    else if (!writer.subset.isStrict && !(forbidden && writer.subset.supportsAdditionalProperties)) {
      writer.report('schema-never', schemas[0]?.path)
    }
  }
  return properties
}

/** A property that may be absent, as the subset says it. */
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

/** Strict objects have no undeclared properties; one that is all about them cannot be strict. */
function writeClosedObject(
  facts: ObjectFacts,
  stated: boolean,
  clauses: readonly Clause[],
  { report }: SubschemaWriter,
): JsonObject {
  const open = [...facts.patterns, ...(facts.additional === 'some' ? facts.others : [])]
  for (const { path } of open) report('not-strict-open', path)
  if (facts.additional === 'any')
    report('not-strict-open', collectKeyword(clauses, 'additionalProperties')[0]?.path)
  else if (facts.additional === 'unsaid')
    report(stated ? 'schema-closed' : 'not-strict-open', clauses[0]?.path)
  return { additionalProperties: false }
}

/** What else may be in an object, where the subset can say it. */
function writeAdditionalProperties(
  { additional, others, patterns }: ObjectFacts,
  place: WritePosition,
  writer: SubschemaWriter,
): JsonObject {
  const limited = additional === 'none' || additional === 'some'
  // Without the patterns, what is said of all other properties would be said of theirs.
  if (limited && (patterns.length > 0 || !writer.subset.supportsAdditionalProperties)) {
    for (const { path } of others) writer.report('schema-open', path)
  }
  if (!writer.subset.supportsAdditionalProperties || (additional === 'unsaid' && patterns.length === 0))
    return {}
  if (additional === 'any' || patterns.length > 0) return { additionalProperties: true }
  return { additionalProperties: writer.write(others, enterChild(place, true)) ?? false }
}
