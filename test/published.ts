import { existsSync, readFileSync } from 'node:fs'
import { Validator } from '@cfworker/json-schema'
import type { WireValidator } from './validators.ts'

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
  const { schema, draft } = renamed(JSON.parse(text) as Tree)
  const made = new Validator(schema, draft)
  const check: WireValidator = (value) =>
    made.validate(value).errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`)
  compiled.set(name, check)
  return check
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
