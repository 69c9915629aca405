import { isObject, type JsonObject, ownValue, setKey } from '../wire/json.ts'
import { below } from '../wire/pointer.ts'
import { type Clause, holdsAlways, said } from './conjunction.ts'
import { inside, type Place, type Writer } from './place.ts'
import type { Placed } from './refs.ts'
import { orNull } from './spelling.ts'

/** What clauses say of the properties of an object. */
interface ObjectFacts {
  /** Declared properties, each with everything that must hold for it. */
  readonly properties: ReadonlyMap<string, readonly Placed[]>
  readonly required: ReadonlySet<string>
  /** Whether undeclared properties may be there; `some`: what `others` says of them. */
  readonly additional: 'unsaid' | 'any' | 'some' | 'none'
  readonly others: readonly Placed[]
  /** Properties that are known by a pattern of their names alone. */
  readonly patterns: readonly Placed[]
}

function factsOf(clauses: readonly Clause[]): ObjectFacts {
  const declared = said(clauses, 'properties').flatMap(({ schema }) =>
    isObject(schema) ? Object.keys(schema) : [],
  )
  const additional = said(clauses, 'additionalProperties')
  const others = additional.filter(({ schema }) => !holdsAlways(schema))
  return {
    properties: new Map([...new Set(declared)].map((name) => [name, propertySchemas(name, clauses)])),
    required: requiredIn(clauses),
    additional: others.some(({ schema }) => schema === false)
      ? 'none'
      : others.length > 0
        ? 'some'
        : additional.length > 0
          ? 'any'
          : 'unsaid',
    others,
    patterns: said(clauses, 'patternProperties').filter(({ schema }) => !holdsAlways(schema)),
  }
}

/** The properties that one of the clauses requires. */
export function requiredIn(clauses: readonly Clause[]): ReadonlySet<string> {
  return new Set(said(clauses, 'required').flatMap(({ schema }) => namesIn(schema)))
}

function namesIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : []
}

/** What must hold for a property: a clause that does not declare it says it of all that it does not declare. */
export function propertySchemas(name: string, clauses: readonly Clause[]): readonly Placed[] {
  return clauses.flatMap(({ keywords, at }) => {
    const properties = ownValue(keywords, 'properties')
    if (isObject(properties) && Object.hasOwn(properties, name)) {
      return [{ schema: properties[name], at: below(below(at, 'properties'), name) }]
    }
    const others = ownValue(keywords, 'additionalProperties')
    // A pattern may speak of it instead; patterns are not looked into.
    if (others === undefined || ownValue(keywords, 'patternProperties') !== undefined) return []
    return [{ schema: others, at: below(at, 'additionalProperties') }]
  })
}

/** The keywords of an object; undefined where no object satisfies them. */
export function objectKeywords(
  clauses: readonly Clause[],
  place: Place,
  writer: Writer,
): JsonObject | undefined {
  const facts = factsOf(clauses)
  const properties = writeProperties(facts, place, writer)
  if (properties === undefined) return undefined
  const required = requiredNames(facts, properties, clauses, writer)
  const stated = said(clauses, 'properties').length > 0
  const { strict } = writer.subset
  return {
    ...((stated || strict) && { properties }),
    ...((required.length > 0 || strict) && { required }),
    ...(strict ? closed(facts, stated, clauses, writer) : undeclared(facts, place, writer)),
  }
}

function writeProperties(facts: ObjectFacts, place: Place, writer: Writer): JsonObject | undefined {
  const { required, additional, patterns } = facts
  const forbidden = additional === 'none' && patterns.length === 0
  if (forbidden && [...required].some((name) => !facts.properties.has(name))) return undefined
  const properties = {}
  for (const [name, schemas] of facts.properties) {
    const optional = !required.has(name)
    const written = writer.node(schemas, inside(place, optional))
    if (written !== undefined)
      setKey(properties, name, optional ? optionally(written, schemas, writer) : written)
    else if (!optional) return undefined
    // Where undeclared properties are forbidden, one that can never be there is just not declared.
    else if (!writer.subset.strict && !(forbidden && writer.subset.additionalProperties)) {
      writer.lose('schema-never', schemas[0]?.at)
    }
  }
  return properties
}

/** A property that may be absent, as the subset says it. */
function optionally(written: JsonObject, schemas: readonly Placed[], { subset, lose }: Writer): JsonObject {
  if (subset.optional === 'absent') return written
  lose('schema-optional', schemas[0]?.at)
  return orNull(written, subset)
}

function requiredNames(
  { required }: ObjectFacts,
  properties: JsonObject,
  clauses: readonly Clause[],
  { subset, lose }: Writer,
): readonly string[] {
  const declared = Object.keys(properties)
  const rest = [...required].filter((name) => !Object.hasOwn(properties, name))
  const at = said(clauses, 'required')[0]?.at
  if (rest.length > 0 && subset.requiredDeclared)
    lose(subset.strict ? 'not-strict-any' : 'schema-required', at)
  return [
    ...declared.filter((name) => required.has(name) || subset.optional === 'null'),
    ...(subset.requiredDeclared ? [] : rest),
  ]
}

/** Strict objects have no undeclared properties; one that is all about them cannot be strict. */
function closed(
  facts: ObjectFacts,
  stated: boolean,
  clauses: readonly Clause[],
  { lose }: Writer,
): JsonObject {
  const open = [...facts.patterns, ...(facts.additional === 'some' ? facts.others : [])]
  for (const { at } of open) lose('not-strict-open', at)
  if (facts.additional === 'any') lose('not-strict-open', said(clauses, 'additionalProperties')[0]?.at)
  else if (facts.additional === 'unsaid') lose(stated ? 'schema-closed' : 'not-strict-open', clauses[0]?.at)
  return { additionalProperties: false }
}

/** What else may be in an object, where the subset can say it. */
function undeclared({ additional, others, patterns }: ObjectFacts, place: Place, writer: Writer): JsonObject {
  const limited = additional === 'none' || additional === 'some'
  // Without the patterns, what is said of all other properties would be said of theirs.
  if (limited && (patterns.length > 0 || !writer.subset.additionalProperties)) {
    for (const { at } of others) writer.lose('schema-open', at)
  }
  if (!writer.subset.additionalProperties || (additional === 'unsaid' && patterns.length === 0)) return {}
  if (additional === 'any' || patterns.length > 0) return { additionalProperties: true }
  return { additionalProperties: writer.node(others, inside(place, true)) ?? false }
}
