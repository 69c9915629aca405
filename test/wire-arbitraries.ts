import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { anyJson, anyObject, anyText } from './arbitraries.ts'
import type { WireSchemaName } from './wire-validators.ts'

/** A schema as `tools/wire-schemas` writes them: a union is a chain of `if`, `then` and `else`. */
interface Schema {
  readonly type?: string | readonly string[]
  readonly properties?: { readonly [key: string]: Schema }
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
  readonly items?: Schema
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly if?: Schema
  readonly then?: Schema
  readonly else?: Schema
  readonly $ref?: string
  readonly definitions?: { readonly [name: string]: Schema }
}

type Any = fc.Arbitrary<unknown>

/** What the generator follows: a schema that says more than this would be followed only half. */
const KNOWN: ReadonlySet<string> = new Set([
  'type',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'enum',
  'const',
  'anyOf',
  'if',
  'then',
  'else',
  '$ref',
  'definitions',
  '$schema',
])

/** How deep optional values and lists go: deep enough for a block in a result in a turn of a body. */
const DEPTH = 6

/** How many optional keys stand together: bodies with all of them would be huge, and no more telling. */
const FEW = 5

/** Few ids and names, so that calls, results, tools and choices meet and miss each other. */
const id = fc.constantFrom('call_1', 'call_2', 'functions.go:0', '__proto__', '')
const name = fc.constantFrom('weather', 'a.b', 'constructor', '')
const link = fc.constantFrom('https://example.org/a.png', 'data:image/png;base64,AAAA', 'data:;base64,', '')

/** Texts that mean something by the key under which they stand. */
const texts: { readonly [key: string]: fc.Arbitrary<string> } = {
  id,
  tool_use_id: id,
  tool_call_id: id,
  name,
  url: link,
  file_data: link,
  arguments: fc.oneof(
    anyObject.map((value) => JSON.stringify(value)),
    fc.constantFrom('', '{}', '{ "a": 1 }', '{"a":1,"a":2}', '[1]', '{bad', 'null'),
  ),
}

const schemas = new Map<WireSchemaName, Any>()

/** Bodies that have the shape which a wire format publishes, with every key that it names. */
export function wireValue(schema: WireSchemaName): Any {
  const known = schemas.get(schema)
  if (known !== undefined) return known
  const text = readFileSync(new URL(`../wire-schemas/${schema}.json`, import.meta.url), 'utf8')
  const made = generator(JSON.parse(text) as Schema)
  schemas.set(schema, made)
  return made
}

function generator(root: Schema): Any {
  const made = new Map<string, Any>()

  /** A definition at a depth, made once. */
  const named = (ref: string, depth: number, key: string): Any => {
    const place = `${ref} ${depth} ${key}`
    const known = made.get(place)
    if (known !== undefined) return known
    const found = root.definitions?.[ref.slice(ref.lastIndexOf('/') + 1)]
    if (found === undefined) throw new Error(`no definition is called ${ref}`)
    const built = of(found, depth, key)
    made.set(place, built)
    return built
  }

  const of = (schema: Schema, depth: number, key: string): Any => {
    const strange = Object.keys(schema).find((keyword) => !KNOWN.has(keyword))
    if (strange !== undefined) throw new Error(`the generator does not follow ${strange}`)
    if (schema.$ref !== undefined) return named(schema.$ref, depth, key)
    if ('const' in schema) return fc.constant(schema.const)
    if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
    if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map((each) => of(each, depth, key)))
    if (schema.if !== undefined) return fc.oneof(...choices(schema).map((each) => of(each, depth, key)))
    const types = schema.type === undefined ? [] : [schema.type].flat()
    return types.length === 0 ? anyJson : fc.oneof(...types.map((type) => typed(type, schema, depth, key)))
  }

  const typed = (type: string, schema: Schema, depth: number, key: string): Any => {
    if (type === 'object') return object(schema, depth)
    if (type === 'array') return list(schema, depth, key)
    if (type === 'string') return (Object.hasOwn(texts, key) ? texts[key] : undefined) ?? anyText
    if (type === 'boolean') return fc.boolean()
    if (type === 'null') return fc.constant(null)
    if (type !== 'number' && type !== 'integer') throw new Error(`the generator does not know ${type}`)
    return fc.oneof(fc.nat(5000), fc.integer(), fc.constantFrom(0.5, 1e21))
  }

  const list = ({ items = {} }: Schema, depth: number, key: string): Any =>
    depth <= 0 ? fc.constant([]) : fc.array(of(items, depth - 1, key), { maxLength: 4 })

  const object = (schema: Schema, depth: number): Any => {
    const { properties = {}, required = [], additionalProperties: others } = schema
    const keys = Object.keys(properties).filter((key) => depth > 0 || required.includes(key))
    const fields = Object.fromEntries(keys.map((key) => [key, of(properties[key] ?? {}, depth - 1, key)]))
    const optional = keys.filter((key) => !required.includes(key))
    const known = fc.subarray(optional, { maxLength: Math.min(FEW, optional.length) }).chain((some) => {
      const chosen = keys.filter((key) => required.includes(key) || some.includes(key))
      const made = Object.fromEntries(chosen.map((key) => [key, fields[key] ?? anyJson]))
      return fc.record(made, { noNullPrototype: true })
    })
    if (others === false) return known
    const free = typeof others === 'object' ? of(others, depth - 1, '') : anyJson
    const more = fc.dictionary(anyText, free, { maxKeys: depth > 0 ? 2 : 0, noNullPrototype: true })
    return fc.tuple(more, known).map(([extra, fixed]) => merged(extra, fixed))
  }

  return of(root, DEPTH, '')
}

/** The ways through a union; its last branch may only say that none of them was taken. */
function choices({ then = {}, else: other = {} }: Schema): readonly Schema[] {
  if (other.if !== undefined) return [then, ...choices(other)]
  const nothing = other.type === undefined && other.properties !== undefined
  return nothing ? [then] : [then, other]
}

/** Two objects as one, whatever their keys are called. */
function merged(one: object, other: object): unknown {
  return JSON.parse(`{${[...entries(one), ...entries(other)].join()}}`)
}

function entries(value: object): readonly string[] {
  return Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .map(([key, each]) => `${JSON.stringify(key)}:${JSON.stringify(each)}`)
}
