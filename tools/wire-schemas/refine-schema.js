// @ts-check
// Refines a generated schema so that it describes the wire format, and removes unused definitions.
import { union } from './discriminate-unions.js'

/**
 * @typedef {null | boolean | number | string} Scalar
 * @typedef {{
 *   $schema?: string, $ref?: string, definitions?: Record<string, Schema>, type?: string | string[],
 *   const?: Scalar, enum?: Scalar[], anyOf?: Schema[], required?: string[], items?: Schema,
 *   properties?: Record<string, Schema>, additionalProperties?: boolean | Schema,
 *   if?: Schema, then?: Schema, else?: Schema,
 * }} Schema
 */

const REF = '#/definitions/'

/** Keywords that the generator emits for these SDKs; another one requires a decision. */
const KNOWN = [
  '$ref',
  'additionalProperties',
  'anyOf',
  'const',
  'enum',
  'items',
  'properties',
  'required',
  'type',
]

/**
 * @param {Schema} generated
 * @returns {Schema}
 */
export function refine({ $schema = '', $ref = '', definitions = {} }) {
  /** @type {Record<string, Schema>} */
  const kept = {}

  /**
   * @param {string} reference
   * @returns {[name: string, schema: Schema]}
   */
  function lookup(reference) {
    const name = reference.slice(REF.length)
    const schema = definitions[name]
    if (schema === undefined) throw new Error(`${name} is not defined`)
    return schema.$ref === undefined ? [name, schema] : lookup(schema.$ref)
  }

  /** @param {Schema} schema */
  const resolve = (schema) => (schema.$ref === undefined ? schema : lookup(schema.$ref)[1])

  /**
   * @param {string} reference
   * @returns {Schema}
   */
  function keep(reference) {
    const [name, schema] = lookup(reference)
    // An instantiated generic type has no name to refer to, so it is inlined. None of them is recursive.
    if (!/^[\w.]+$/.test(name)) return walk(schema)
    if (!Object.hasOwn(kept, name)) {
      // Registered before it is walked, because a definition may be recursive.
      kept[name] = {}
      kept[name] = walk(schema)
    }
    return { $ref: REF + name }
  }

  /**
   * @param {Schema} schema
   * @returns {Schema}
   */
  function walk(schema) {
    const unknown = Object.keys(schema).find((keyword) => !KNOWN.includes(keyword))
    if (unknown !== undefined) throw new Error(`unknown keyword on the wire: ${unknown}`)
    if (schema.$ref !== undefined) return keep(schema.$ref)
    if (schema.anyOf !== undefined) return union(schema.anyOf, resolve, walk)
    const { items, properties, additionalProperties: others } = schema
    return {
      ...schema,
      ...(items && { items: walk(items) }),
      ...(properties && { properties: walkProperties(properties) }),
      ...(typeof others === 'object' && { additionalProperties: walk(others) }),
    }
  }

  /** @param {Record<string, Schema>} properties */
  function walkProperties(properties) {
    const entries = Object.entries(properties).map(([name, schema]) => {
      // The SDK type is `unknown`; on the wire, the input of a tool is always an object.
      const untyped = name === 'input' && Object.keys(schema).length === 0
      return [name, untyped ? { type: 'object' } : walk(schema)]
    })
    return Object.fromEntries(entries)
  }

  const root = walk(lookup($ref)[1])
  const sorted = Object.entries(kept).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return { $schema, ...root, definitions: Object.fromEntries(sorted) }
}
