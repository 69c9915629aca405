// @ts-check
// Rewrites unions so that the JSON type and then the discriminator select the member: a validator tries only one, and an
// error has one path.

/** @import { Scalar, Schema } from './refine-schema.js' */
/** @typedef {(schema: Schema) => Schema} Step */

/**
 * @param {Schema[]} members
 * @param {Step} resolve follows references
 * @param {Step} walk refines a member
 * @returns {Schema}
 */
export function union(members, resolve, walk) {
  const flat = flatten(members, resolve)
  if (flat.some((member) => Object.keys(resolve(member)).length === 0)) return {}
  const objects = flat.filter((member) => resolve(member).type === 'object')
  const arrays = flat.filter((member) => resolve(member).type === 'array')
  const scalars = flat.filter((member) => !objects.includes(member) && !arrays.includes(member))
  const [array, second] = arrays
  if (second !== undefined) throw new Error('the type does not distinguish a union of arrays')
  /** @type {Schema | undefined} */
  let decided = scalars.length > 0 ? scalarUnion(scalars.map(resolve)) : undefined
  if (array !== undefined) decided = byType('array', walk(array), decided)
  if (objects.length > 0) decided = byType('object', objectUnion(objects, resolve, walk), decided)
  if (decided === undefined) throw new Error('an empty union')
  return decided
}

/**
 * @param {Schema[]} members
 * @param {Step} resolve
 * @returns {Schema[]}
 */
function flatten(members, resolve) {
  return members.flatMap((member) => {
    const { anyOf } = resolve(member)
    return anyOf ? flatten(anyOf, resolve) : [member]
  })
}

/**
 * @param {Schema} condition
 * @param {Schema} then
 * @param {Schema} otherwise
 * @returns {Schema}
 */
function decide(condition, then, otherwise) {
  // oxlint-disable-next-line unicorn/no-thenable -- the keyword of JSON Schema
  return { if: condition, then, else: otherwise }
}

/**
 * @param {string} type
 * @param {Schema} then
 * @param {Schema | undefined} otherwise
 */
const byType = (type, then, otherwise) => (otherwise ? decide({ type }, then, otherwise) : then)

/**
 * @param {Schema[]} members
 * @param {Step} resolve
 * @param {Step} walk
 * @returns {Schema}
 */
function objectUnion(members, resolve, walk) {
  const [first, second] = members
  if (first !== undefined && second === undefined) return walk(first)
  const key = discriminator(members.map(resolve), resolve)
  if (key === undefined) return groupedUnion(members, resolve, walk)
  const cases = members.map((member) => {
    const { properties, required } = resolve(member)
    const values = valuesOf(resolve(properties?.[key] ?? {})) ?? []
    return { member, values, needed: required?.includes(key) ? { required: [key] } : {} }
  })
  // A member with an optional key comes last, because its condition also matches a missing key.
  cases.sort((a, b) => Object.keys(b.needed).length - Object.keys(a.needed).length)
  const all = cases.flatMap(({ values }) => values)
  /** @type {Schema} */
  const none = { ...cases.at(-1)?.needed, properties: { [key]: { enum: all } } }
  return cases.reduceRight((otherwise, { member, values, needed }) => {
    const condition = { ...needed, properties: { [key]: { enum: values } } }
    return decide(condition, walk(member), otherwise)
  }, none)
}

/**
 * Handles members that the type distinguishes only in groups, because some share a value: for a shared value,
 * and without a type, each member is tried.
 * @param {Schema[]} members
 * @param {Step} resolve
 * @param {Step} walk
 * @returns {Schema}
 */
function groupedUnion(members, resolve, walk) {
  /** @type {Map<string, { values: Scalar[], schemas: Schema[] }>} */
  const groups = new Map()
  const untyped = members.filter((member) => !resolve(member).required?.includes('type'))
  const words = members.map((member) => valuesOf(resolve(resolve(member).properties?.['type'] ?? {})) ?? [])
  if (words.some((values) => values.length === 0))
    throw new Error(`nothing distinguishes ${JSON.stringify(members.map(resolve))}`)
  for (const word of new Set(words.flat())) {
    const sharing = members.filter((_, index) => words[index]?.includes(word))
    const name = sharing.map((member) => members.indexOf(member)).join()
    const group = groups.get(name) ?? { values: [], schemas: sharing.map(walk) }
    groups.set(name, group)
    group.values.push(word)
  }
  /** @param {Schema[]} schemas */
  const any = (schemas) => (schemas.length === 1 && schemas[0] ? schemas[0] : { anyOf: schemas })
  /** @type {Schema} */
  const none = { properties: { type: { enum: [...groups.values()].flatMap(({ values }) => values) } } }
  const rest = untyped.length === 0 ? { ...none, required: ['type'] } : any(untyped.map(walk))
  return [...groups.values()].reduceRight((otherwise, { values, schemas }) => {
    const condition = { required: ['type'], properties: { type: { enum: values } } }
    return decide(condition, any(schemas), otherwise)
  }, rest)
}

/**
 * Returns the property whose values distinguish the members; at most one member may omit it.
 * @param {Schema[]} members
 * @param {Step} resolve
 * @returns {string | undefined}
 */
function discriminator(members, resolve) {
  const names = ['type', 'role', ...Object.keys(members[0]?.properties ?? {})]
  return names.find((name) => {
    const values = members.map(({ properties }) => valuesOf(resolve(properties?.[name] ?? {})))
    const optional = members.filter(({ required }) => !required?.includes(name))
    const all = values.flat()
    return !all.includes(undefined) && optional.length < 2 && new Set(all).size === all.length
  })
}

/**
 * @param {Schema} schema
 * @returns {Scalar[] | undefined}
 */
const valuesOf = (schema) => (schema.const === undefined ? schema.enum : [schema.const])

/**
 * Types that a list of values can replace.
 * @type {ReadonlyMap<string, Scalar[]>}
 */
const FINITE = new Map([
  ['null', [null]],
  ['boolean', [true, false]],
])

/**
 * @param {Schema[]} members
 * @returns {Schema}
 */
function scalarUnion(members) {
  const open = members.filter((member) => valuesOf(member) === undefined).flatMap(({ type }) => type ?? [])
  const types = [...new Set(open)]
  const words = members.flatMap((member) => valuesOf(member) ?? [])
  // Values next to an open type, such as model names next to `string`, are only suggestions.
  const closed = words.filter((word) => !types.includes(word === null ? 'null' : typeof word))
  if (closed.length === 0) return { type: types }
  if (closed.every((word) => word === null)) return { type: [...types, 'null'] }
  const finite = types.map((type) => FINITE.get(type))
  if (finite.includes(undefined)) throw new Error(`values next to ${types.join()}`)
  return { enum: [...new Set([...closed, ...finite.flatMap((values) => values ?? [])])] }
}
