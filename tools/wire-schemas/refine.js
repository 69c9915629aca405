// @ts-check
// Makes a generated schema say what is on the wire, and say it so that a failure names one place: unions are
// decided by the JSON type and then by the discriminator, so that no validator has to try every member.

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

/** The keywords that may come out of the generator; another one would need a thought. */
const KNOWN = new Set(
  '$ref additionalProperties anyOf const enum items properties required type maxItems minItems'.split(' '),
)

/**
 * @param {Schema} generated
 * @returns {Schema}
 */
export function refine(generated) {
  const { definitions = {} } = generated
  /** @type {Record<string, Schema>} */
  const kept = {}

  /**
   * Follows references.
   * @param {Schema} schema
   */
  function resolve(schema) {
    let found = schema
    while (found.$ref !== undefined) {
      const next = definitions[found.$ref.slice(REF.length)]
      if (next === undefined) throw new Error(`${found.$ref} is not defined`)
      found = next
    }
    return found
  }

  /**
   * The last name in a chain of references that are nothing but references.
   * @param {string} name
   * @returns {string}
   */
  function target(name) {
    const next = definitions[name]?.$ref
    return next === undefined ? name : target(next.slice(REF.length))
  }

  /**
   * @param {string} reference
   * @returns {Schema}
   */
  function keep(reference) {
    const name = target(reference.slice(REF.length))
    if (!/^[\w.]+$/.test(name)) throw new Error(`${name} is no name to refer to`)
    if (!Object.hasOwn(kept, name)) {
      // Entered before it is walked, because a definition may contain itself.
      const entry = (kept[name] = {})
      Object.assign(entry, walk(resolve({ $ref: reference })))
    }
    return { $ref: REF + name }
  }

  /**
   * @param {Schema} schema
   * @returns {Schema}
   */
  function walk(schema) {
    for (const keyword of Object.keys(schema)) {
      if (!KNOWN.has(keyword)) throw new Error(`what does ${keyword} mean for a wire format?`)
    }
    if (schema.$ref !== undefined) return keep(schema.$ref)
    if (schema.anyOf !== undefined) return union(flatten(schema.anyOf))
    const { items, properties, additionalProperties: rest } = schema
    return {
      ...schema,
      ...(items && { items: walk(items) }),
      ...(typeof rest === 'object' && { additionalProperties: walk(rest) }),
      ...(properties && { properties: walkProperties(properties) }),
    }
  }

  /** @param {Record<string, Schema>} properties */
  function walkProperties(properties) {
    const entries = Object.entries(properties).map(([name, schema]) => {
      // The types say unknown; on the wire the input of a tool call is always an object.
      const untyped = name === 'input' && Object.keys(schema).length === 0
      return [name, untyped ? { type: 'object' } : walk(schema)]
    })
    return Object.fromEntries(entries)
  }

  /**
   * @param {Schema[]} members
   * @returns {Schema[]}
   */
  function flatten(members) {
    return members.flatMap((member) => {
      const { anyOf } = resolve(member)
      return anyOf ? flatten(anyOf) : [member]
    })
  }

  /**
   * @param {Schema[]} members without unions among them
   * @returns {Schema}
   */
  function union(members) {
    if (members.some((member) => Object.keys(resolve(member)).length === 0)) return {}
    const objects = members.filter((member) => resolve(member).type === 'object')
    const arrays = members.filter((member) => resolve(member).type === 'array')
    const scalars = members.filter((member) => !objects.includes(member) && !arrays.includes(member))
    if (arrays.length > 1) throw new Error('a union of arrays cannot be decided by the type')
    /** @type {Schema | undefined} */
    let decided = scalars.length > 0 ? scalarUnion(scalars.map(resolve)) : undefined
    for (const [type, some] of /** @type {const} */ ([
      ['array', arrays],
      ['object', objects],
    ])) {
      if (some.length === 0) continue
      const then = type === 'array' ? walk(/** @type {Schema} */ (some[0])) : objectUnion(some)
      decided = decided ? { if: { type }, then, else: decided } : then
    }
    return /** @type {Schema} */ (decided)
  }

  /**
   * @param {Schema[]} members
   * @returns {Schema}
   */
  function objectUnion(members) {
    const [first] = members
    if (first !== undefined && members.length === 1) return walk(first)
    const key = discriminator(members.map(resolve))
    const cases = members.map((member) => {
      const { properties = {}, required = [] } = resolve(member)
      const values = valuesOf(resolve(/** @type {Schema} */ (properties[key])))
      return { member, values: values ?? [], needed: required.includes(key) }
    })
    // The one that may leave it out comes last, where its condition is allowed to hold for a missing key.
    cases.sort((a, b) => Number(b.needed) - Number(a.needed))
    const all = cases.flatMap(({ values }) => values)
    const needed = cases.every((one) => one.needed)
    /** @type {Schema} */
    const none = { ...(needed && { required: [key] }), properties: { [key]: { enum: all } } }
    return cases.reduceRight((otherwise, { member, values, needed: own }) => {
      const [only] = values
      const test = values.length === 1 && only !== undefined ? { const: only } : { enum: values }
      const condition = { ...(own && { required: [key] }), properties: { [key]: test } }
      return { if: condition, then: walk(member), else: otherwise }
    }, none)
  }

  /**
   * The property whose values tell the members apart.
   * @param {Schema[]} members
   */
  function discriminator(members) {
    const names = Object.keys(members[0]?.properties ?? {}).toSorted((a, b) => rank(a) - rank(b))
    const found = names.find((name) => {
      const values = members.map(
        ({ properties }) => properties?.[name] && valuesOf(resolve(properties[name])),
      )
      const optional = members.filter(({ required }) => !required?.includes(name))
      const all = values.flat()
      return !values.includes(undefined) && optional.length < 2 && new Set(all).size === all.length
    })
    if (found === undefined) throw new Error(`nothing tells apart ${JSON.stringify(members).slice(0, 500)}`)
    return found
  }

  const { definitions: _, $schema, ...root } = generated
  const refined = { $schema, ...walk(resolve(root)) }
  const sorted = Object.entries(kept).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return { ...refined, definitions: Object.fromEntries(sorted) }
}

/** @param {string} name */
const rank = (name) => (name === 'type' ? 0 : name === 'role' ? 1 : 2)

/**
 * @param {Schema} schema
 * @returns {Scalar[] | undefined}
 */
const valuesOf = (schema) => (schema.const === undefined ? schema.enum : [schema.const])

/**
 * @param {Schema[]} members
 * @returns {Schema}
 */
function scalarUnion(members) {
  const open = members.filter((member) => valuesOf(member) === undefined).flatMap(({ type }) => type ?? [])
  const values = members.flatMap((member) => valuesOf(member) ?? [])
  const closed = values.filter((value) => !open.includes(value === null ? 'null' : typeof value))
  // `null` beside words is one more word; the names of models beside `string` are only a hint.
  if (closed.length > 0 && open.some((type) => type !== 'null')) throw new Error('words beside an open type')
  const types = [...new Set(open)]
  if (closed.length > 0) return { enum: [...new Set([...closed, ...types.map(() => null)])] }
  return { type: types.length === 1 && types[0] !== undefined ? types[0] : types }
}
