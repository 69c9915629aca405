import { existsSync, readFileSync } from 'node:fs'
import { Validator } from '@cfworker/json-schema'
import { memoizeValidator } from './memoize-validator.ts'
import { relaxSchema } from './relax-schemas.ts'
import type { WireValidator } from './wire-validators.ts'

const folder = new URL('../../shared/wire-schemas/', import.meta.url)

/** Whether other schemas of the same formats lie beside the repository; they are no part of it. */
export const hasPublished: boolean = existsSync(folder)

type Tree = { readonly [key: string]: unknown }

const compiled = new Map<string, WireValidator>()

/** The validator of a schema beside the repository, by its path there; it takes everything where they are absent. */
export function published(name: string): WireValidator {
  if (!hasPublished) return () => []
  const known = compiled.get(name)
  if (known !== undefined) return known
  const text = readFileSync(new URL(`${name}.json`, folder), 'utf8')
  const { schema, draft } = renamed(relaxSchema(JSON.parse(text) as Tree))
  const whole = new Validator(schema, draft)
  const { $ref: _ref, ...rest } = schema
  const alternatives = byType(schema)
  const narrow = new Map<unknown, Validator>()
  const fitting = (type: unknown): Validator => {
    const anyOf = alternatives.get(type)
    const made = narrow.get(type) ?? (anyOf && new Validator({ ...rest, anyOf }, draft))
    if (made !== undefined) narrow.set(type, made)
    return made ?? whole
  }
  const check = memoizeValidator(schema, (value) => {
    const { errors } = (isTree(value) ? fitting(value['type']) : whole).validate(value)
    return errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`)
  })
  compiled.set(name, check)
  return check
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * The alternatives of a schema by the `type` that each is for: an event need not be tried against dozens that it cannot be.
 * None where one of them says no type, or where the schema is no union: it cannot stand inside itself.
 */
function byType(schema: Tree): ReadonlyMap<unknown, Tree[]> {
  const found = new Map<unknown, Tree[]>()
  const resolve = (node: Tree): Tree => {
    if (typeof node['$ref'] !== 'string') return node
    const [, home = '', name = ''] = node['$ref'].split('/')
    return resolve((schema[home] as Tree)[name] as Tree)
  }
  const flat = (node: Tree): readonly Tree[] => {
    const { anyOf, ...rest } = resolve(node)
    const only = Object.keys(rest).every((key) => key === 'description')
    return Array.isArray(anyOf) && only ? (anyOf as readonly Tree[]).flatMap(flat) : [node]
  }
  const nodes = flat(schema)
  if (nodes.includes(schema)) return found
  for (const node of nodes) {
    const { properties } = resolve(node)
    const { const: type } = (isTree(properties) && isTree(properties['type']) && properties['type']) || {}
    if (typeof type !== 'string') return new Map()
    found.set(type, [...(found.get(type) ?? []), node])
  }
  return found
}

/** The same schema with short names for its definitions: the validator does not find those with signs in them. */
function renamed(schema: Tree): { readonly schema: Tree; readonly draft: '7' | '2020-12' } {
  const home = '$defs' in schema ? '$defs' : 'definitions'
  const names = Object.keys(schema[home] ?? {})
  const short = (name: string): string => `d${names.indexOf(name)}`
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, refer(key, each) ?? walk(each)]),
    )
  }
  const refer = (key: string, value: unknown): string | undefined => {
    if (key !== '$ref' || typeof value !== 'string' || !value.startsWith(`#/${home}/`)) return undefined
    return `#/${home}/${short(decodeURIComponent(value.slice(home.length + 3)))}`
  }
  const definitions = Object.entries((schema[home] ?? {}) as Tree)
  return {
    schema: {
      ...(walk({ ...schema, [home]: {} }) as Tree),
      [home]: Object.fromEntries(definitions.map(([name, each]) => [short(name), walk(each)])),
    },
    draft: String(schema['$schema']).includes('2020-12') ? '2020-12' : '7',
  }
}
