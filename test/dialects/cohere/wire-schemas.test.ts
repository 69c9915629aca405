import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

/** The folder of the client's serializers, whose declarations have the names of the wire. */
const folder = join(createRequire(import.meta.url).resolve('cohere-ai'), '..', 'dist', 'serialization')

interface Field {
  readonly name: string
  readonly isOptional: boolean
  readonly type: string
}
/** The type of an alias, or the fields of an interface, by `Namespace.Name`. */
const aliases = new Map<string, string>()
const interfaces = new Map<string, { readonly base: string | undefined; readonly fields: readonly Field[] }>()

for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('.d.ts')) continue
  const text = readFileSync(join(folder, file), 'utf8')
  const [, namespace = '', body = ''] = /declare namespace (\w+) \{\n([^]*)\n\}/u.exec(text) ?? []
  for (const [, name, type = ''] of body.matchAll(/^ {4}type (\w+) = (.*);$/gmu))
    aliases.set(`${namespace}.${name}`, type)
  for (const [, name, base, lines = ''] of body.matchAll(
    /^ {4}interface (\w+)(?: extends ([\w.]+))? \{\n([^]*?)\n {4}\}$/gmu,
  ))
    interfaces.set(`${namespace}.${name}`, {
      base,
      fields: Array.from(lines.matchAll(/^ {8}(\w+)(\??): (.*);$/gmu), ([, key = '', mark, type = '']) => ({
        name: key,
        isOptional: mark === '?',
        type,
      })),
    })
}

function listFields(name: string): readonly Field[] {
  const { base, fields } = interfaces.get(name) ?? { fields: [] }
  return base === undefined ? fields : [...listFields(base), ...fields]
}

/** Returns the label of an object whose role or type has one value: that of a member of a union. */
const labelObject = (values: readonly (readonly [key: string, value: string | undefined])[]): string =>
  values.flatMap(([key, value]) => (['role', 'type'].includes(key) && value ? [`(${value})`] : [])).join('')

/** Lists the fields of a type of the client: a path, with a question mark for each optional field, and a type or value. */
function listClientPaths(type: string, path: string): readonly string[] {
  if (type.includes(' | '))
    return type
      .split(' | ')
      .filter((each) => each !== 'null')
      .flatMap((each) => listClientPaths(each, path))
  if (type.endsWith('[]')) return listClientPaths(type.slice(0, -2), `${path}/*`)
  if (type.startsWith('"')) return [`${path} ${type}`]
  if (type === 'Record<string, unknown>') return [`${path} object`]
  const alias = aliases.get(type)
  if (alias !== undefined) return listClientPaths(alias, path)
  if (!interfaces.has(type)) return type === '{}' ? [] : [`${path} ${type}`]
  const fields = listFields(type)
  const label = labelObject(
    fields.map((each) => [each.name, /^"([^"]*)"(?: \| null)?$/u.exec(each.type)?.[1]]),
  )
  return fields.flatMap(({ name, isOptional, type: value }) =>
    listClientPaths(value, `${path}${label}/${name}${isOptional ? '?' : ''}`),
  )
}

interface JsonSchema {
  readonly $ref?: string
  readonly definitions?: { readonly [name: string]: JsonSchema }
  readonly type?: string | readonly string[]
  readonly const?: string
  readonly enum?: readonly string[]
  readonly properties?: { readonly [key: string]: JsonSchema }
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly then?: JsonSchema
  readonly else?: JsonSchema
}

/** Lists the fields of a schema in the form of `listClientPaths`. */
function listSchemaPaths(schema: JsonSchema, path: string, root: JsonSchema): readonly string[] {
  const { $ref: ref, type, const: value, enum: values = [], properties, items } = schema
  if (ref !== undefined) return listSchemaPaths(root.definitions?.[ref.split('/')[2] ?? ''] ?? {}, path, root)
  if (schema.then && schema.else)
    return [schema.then, schema.else].flatMap((each) => listSchemaPaths(each, path, root))
  if (items) return listSchemaPaths(items, `${path}/*`, root)
  if (value !== undefined || values.length > 0)
    return [value ?? values].flat().map((each) => `${path} "${each}"`)
  // The last branch of a union lists its members again.
  if (type === undefined) return properties ? [] : [`${path} any`]
  if (!properties)
    return [type]
      .flat()
      .filter((each) => each !== 'null')
      .map((each) => `${path} ${each}`)
  const label = labelObject(Object.entries(properties).map(([key, each]) => [key, each.const]))
  return Object.entries(properties).flatMap(([key, each]) =>
    listSchemaPaths(each, `${path}${label}/${key}${schema.required?.includes(key) ? '' : '?'}`, root),
  )
}

const omitMarks = (paths: readonly string[]): readonly string[] =>
  paths.map((path) => path.replaceAll('?', ''))
const findMissing = (paths: readonly string[], others: readonly string[]): readonly string[] =>
  paths.filter((path) => !others.includes(path))

describe.each([
  {
    name: 'cohere-request',
    type: 'V2ChatRequest.Raw',
    // The client adds `stream`. The guide to structured outputs calls the schema `schema`.
    additions: [
      '/messages/*(tool)/content/*(document)/document/data string',
      '/stream? boolean',
      '/documents?/*/data string',
      '/response_format?(json_object)/schema? object',
    ],
  },
  {
    name: 'cohere-response',
    type: 'V2ChatResponse.Raw',
    additions: ['/logprobs?/*/token? string', '/logprobs?/*/logprob? number'],
  },
  {
    name: 'cohere-stream-event',
    type: 'V2ChatStreamResponse.Raw',
    hasOptionalFields: true,
    additions: [
      '(message-start)/delta/message(assistant)/content/* any',
      '(message-start)/delta/message(assistant)/tool_plan string',
      '(message-start)/delta/message(assistant)/tool_calls/* any',
      '(message-start)/delta/message(assistant)/citations/* any',
      '(content-delta)/logprobs/token string',
      '(content-delta)/logprobs/logprob number',
    ],
  },
])('$name has the fields of the official client', ({ name, type, additions, hasOptionalFields = false }) => {
  const file = new URL(`../../../wire-schemas/${name}.json`, import.meta.url)
  const schema = JSON.parse(readFileSync(file, 'utf8')) as JsonSchema
  const paths = [listSchemaPaths(schema, '', schema), listClientPaths(type, '')] as const
  const [ours, theirs] = hasOptionalFields ? ([omitMarks(paths[0]), omitMarks(paths[1])] as const) : paths

  test('names, types, values and required fields', () => {
    expect(findMissing(theirs, ours)).toEqual([])
    expect(findMissing(ours, theirs).toSorted()).toEqual(additions.toSorted())
    expect(theirs.length).toBeGreaterThan(30)
  })
})
