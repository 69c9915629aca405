import { SchemaReferences } from '../../schema/schema-references.ts'
import { getSchemaValidator } from '../../schema/json-schema-validator.ts'
import { getOwnValue, isObject, type Json, type JsonSchema, setKey } from '../../wire/json.ts'
import { createNumberForSchema, createStringForSchema } from './scalar-values.ts'
import type { PromptValues } from './prompt-values.ts'

type Schema = { readonly [key: string]: unknown }

/** The number of attempts, each with other branches of the schema's unions. */
const MAX_ATTEMPTS = 8

/** The number of subschemas that are visited; a schema that refers to itself without end has no value. */
const MAX_VISITED_SCHEMAS = 2_000

/** The depth to which optional values are filled, since a schema may refer to itself. */
const MAX_OPTIONAL_DEPTH = 4

/** Returns a value for a schema, filled from a prompt; valid unless a value cannot be guessed. */
export function createValueForSchema(
  schema: JsonSchema,
  words: () => PromptValues,
  wanted: 'all' | 'needed',
): Json {
  const validator = getSchemaValidator(schema)
  const candidates: Json[] = []
  for (const includesOptional of wanted === 'all' ? [true, false] : [false]) {
    for (let branchIndex = 0; branchIndex < MAX_ATTEMPTS; branchIndex++) {
      const builder = new SchemaValueBuilder(schema, words(), branchIndex, includesOptional)
      const value = builder.build(schema, '', 0)
      if (validator.findIssues(value).length === 0) return value
      candidates.push(value)
    }
  }
  return candidates[0] ?? null
}

/** Builds one value. `branchIndex` selects among the alternatives of a schema. */
class SchemaValueBuilder {
  readonly #references: SchemaReferences
  readonly #words: PromptValues
  readonly #branchIndex: number
  readonly #includesOptional: boolean
  #budget = MAX_VISITED_SCHEMAS

  constructor(root: JsonSchema, words: PromptValues, branchIndex: number, includesOptional: boolean) {
    this.#references = new SchemaReferences(root)
    this.#words = words
    this.#branchIndex = branchIndex
    this.#includesOptional = includesOptional
  }

  build(given: unknown, name: string, depth: number): Json {
    if (--this.#budget < 0 || depth > MAX_OPTIONAL_DEPTH * MAX_OPTIONAL_DEPTH) return null
    const schema = this.#mergeSchema(given, depth)
    const fixed = this.#fixedValue(schema, name)
    if (fixed !== undefined) return fixed
    switch (this.#typeOf(schema, depth)) {
      case 'object':
        return this.#buildObject(schema, depth)
      case 'array':
        return this.#buildArray(schema, name, depth)
      case 'number':
      case 'integer':
        return createNumberForSchema(schema, this.#words.take('number'))
      case 'boolean':
        return this.#words.mentions(name)
      case 'null':
        return null
      default:
        return createStringForSchema(schema, name, this.#words)
    }
  }

  /** Merges a schema with its reference, with all of `allOf`, and with one branch of each union. */
  #mergeSchema(given: unknown, depth: number): Schema {
    if (!isObject(given) || --this.#budget < 0) return {}
    const { $ref, allOf, anyOf, oneOf, ...own } = given
    const unions = [anyOf, oneOf].filter(Array.isArray) as (readonly unknown[])[]
    const parts = [
      ...(typeof $ref === 'string' ? [this.#references.resolve($ref)?.schema] : []),
      ...(Array.isArray(allOf) ? (allOf as readonly unknown[]) : []),
      ...unions.map((branches) => this.#chooseBranch(branches, depth)),
    ]
    return parts.map((part) => this.#mergeSchema(part, depth)).reduce(joinSchemas, own)
  }

  /** Selects one branch; at a great depth, one without nested schemas. */
  #chooseBranch(branches: readonly unknown[], depth: number): unknown {
    const leaf = depth < MAX_OPTIONAL_DEPTH ? undefined : branches.find(isLeaf)
    return leaf ?? branches[this.#branchIndex % branches.length]
  }

  #fixedValue(schema: Schema, name: string): Json | undefined {
    if ('const' in schema) return schema['const'] as Json
    const values = schema['enum']
    if (Array.isArray(values) && values.length > 0) {
      const listed = values as readonly Json[]
      return listed.find((value) => this.#isMentioned(value)) ?? listed[this.#branchIndex % listed.length]
    }
    const known = this.#words.resultValue(name)
    return known !== undefined && isOfType(known, schema['type']) ? known : undefined
  }

  #typeOf(schema: Schema, depth: number): unknown {
    const { type } = schema
    if (Array.isArray(type)) return this.#chooseBranch(type, depth)
    if (type !== undefined) return type
    if ('properties' in schema || 'required' in schema) return 'object'
    return 'items' in schema || 'prefixItems' in schema ? 'array' : 'string'
  }

  #buildObject(schema: Schema, depth: number): Json {
    const properties = isObject(schema['properties']) ? schema['properties'] : {}
    const required = Array.isArray(schema['required']) ? (schema['required'] as readonly string[]) : []
    const value = {}
    for (const name of new Set([...Object.keys(properties), ...required])) {
      const property = getOwnValue(properties, name) ?? schema['additionalProperties']
      const isWanted = this.#includesOptional || this.#mentionsEnumValue(property)
      if (required.includes(name) || (isWanted && depth < MAX_OPTIONAL_DEPTH))
        setKey(value, name, this.build(property, name, depth + 1))
    }
    return this.#addMissingKeys(value, schema, depth)
  }

  /** Adds keys until there are `minProperties`. */
  #addMissingKeys(value: object, schema: Schema, depth: number): Json {
    const { minProperties, properties, additionalProperties } = schema
    const declared = isObject(properties) ? properties : {}
    const min = typeof minProperties === 'number' ? Math.min(minProperties, MAX_VISITED_SCHEMAS) : 0
    const further = Object.keys(declared).filter((name) => !Object.hasOwn(value, name))
    for (let missing = min - Object.keys(value).length; missing > 0; missing--) {
      const name = further.shift() ?? `key${missing}`
      setKey(value, name, this.build(getOwnValue(declared, name) ?? additionalProperties, name, depth + 1))
    }
    return value as Json
  }

  /** Returns true if the prompt mentions one of the values of an `enum`. */
  #mentionsEnumValue(schema: unknown): boolean {
    const values = isObject(schema) ? schema['enum'] : undefined
    return Array.isArray(values) && values.some((value) => this.#isMentioned(value))
  }

  #isMentioned(value: unknown): boolean {
    return this.#words.mentions(typeof value === 'string' ? value : JSON.stringify(value))
  }

  #buildArray(schema: Schema, name: string, depth: number): Json {
    const { prefixItems, items, minItems, maxItems } = schema
    const first = Array.isArray(prefixItems) ? (prefixItems as readonly unknown[]) : []
    const min = typeof minItems === 'number' ? minItems : 0
    const max = typeof maxItems === 'number' ? maxItems : Infinity
    const preferred = depth < MAX_OPTIONAL_DEPTH && items !== false && first.length === 0 ? 1 : first.length
    const length = Math.min(Math.max(min, preferred), max)
    return Array.from({ length }, (_, index) => this.build(first[index] ?? items, name, depth + 1))
  }
}

/** Merges two schemas that must both hold, as far as finding a value requires. */
function joinSchemas(a: Schema, b: Schema): Schema {
  const listed = (schema: Schema): readonly unknown[] =>
    Array.isArray(schema['required']) ? (schema['required'] as readonly unknown[]) : []
  const shapes = [a['properties'], b['properties']].filter(isObject)
  return {
    ...b,
    ...a,
    ...(shapes.length > 0 && { properties: Object.assign({}, ...shapes) as Schema }),
    ...(('required' in a || 'required' in b) && { required: [...listed(a), ...listed(b)] }),
  }
}

/** Returns true for a schema, or a type name, without nested schemas. */
function isLeaf(branch: unknown): boolean {
  const type = isObject(branch)
    ? (branch['type'] ?? ('enum' in branch || 'const' in branch ? 'null' : 'object'))
    : branch
  return typeof type === 'string' && type !== 'object' && type !== 'array'
}

function isOfType(value: Json, type: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'array') return Array.isArray(value)
  return typeof value === type && value !== null && !Array.isArray(value)
}
