import fc from 'fast-check'
import type { Json, JsonObject, JsonSchema } from 'interlingua'
import { fitSchema } from 'interlingua/schema'
import { describe, expect, test } from 'vitest'
import { again, expectFrozen, expectSame } from '../law-assertions.ts'
import { instanceOf, schemas } from './arbitraries.ts'
import { type Row, testRows } from './fit-rows.ts'
import { accepts } from './schema-meaning.ts'
import type { ToolTarget } from './subset-checkers.ts'

type Node = { readonly [keyword: string]: unknown }

const MAPS = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'])
const DATA = new Set(['enum', 'const', 'default', 'examples', 'required', 'type'])

/** Yields each schema inside a schema. */
function* nodesOf(value: unknown): Iterable<Node> {
  if (Array.isArray(value)) for (const item of value) yield* nodesOf(item)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return
  yield value as Node
  for (const [key, part] of Object.entries(value)) {
    if (MAPS.has(key)) for (const named of Object.values(Object(part) as object)) yield* nodesOf(named)
    else if (!DATA.has(key)) yield* nodesOf(part)
  }
}

function typesOf(node: Node): readonly unknown[] {
  return [node['type'] ?? []].flat()
}

/** The documented rules of each provider, written a second time without any code of the library. */
const REFUSALS: { readonly [target in ToolTarget]: (node: Node, isRoot: boolean) => readonly unknown[] } = {
  'openai-tools': (node, isRoot) => [
    ...(isRoot ? ['$ref', 'anyOf', 'oneOf', 'allOf', 'enum', 'not'].filter((key) => key in node) : []),
    ...(typesOf(node).includes('object') && !('properties' in node)
      ? ['object schema missing properties']
      : []),
    ...(typesOf(node).includes('array') && !('items' in node) ? ['array schema missing items'] : []),
    ...(Array.isArray(node['items']) ? ['a list of items'] : []),
  ],
  'anthropic-tools': (node, isRoot) =>
    isRoot ? ['anyOf', 'oneOf', 'allOf'].filter((key) => key in node) : [],
  'moonshot-tools': (node, isRoot) => [
    ...(isRoot ? ['anyOf'].filter((key) => key in node) : []),
    ...('$ref' in node
      ? Object.keys(node).filter((key) => !['$ref', '$defs', 'definitions'].includes(key))
      : []),
    ...('anyOf' in node && 'type' in node ? ['a type beside anyOf'] : []),
  ],
}

const TARGETS = Object.keys(REFUSALS) as ToolTarget[]
const RUNS = process.env['SOAK'] ? 5_000 : 120

/** Any schema, at the root or below a property, with members that their authors left out. */
const toolSchemas = fc
  .tuple(schemas, schemas, fc.constantFrom('alone', 'below', 'beside', 'all', 'any', 'referenced'))
  .map(([a, b, form]): JsonSchema => {
    const { $defs: defsOfA, ...first } = a
    const { $defs: defsOfB, ...second } = b
    const $defs = { ...(defsOfB as JsonObject), ...(defsOfA as JsonObject) }
    if (form === 'alone') return a
    if (form === 'below')
      return { type: 'object', properties: { inner: first, list: { type: 'array' } }, $defs }
    if (form === 'beside')
      return { type: 'object', properties: { other: { type: 'object' } }, anyOf: [first, second], $defs }
    if (form === 'all')
      return { allOf: [first, { type: 'object', properties: { x: { type: 'string' } } }], $defs }
    if (form === 'any') return { oneOf: [first, { type: 'object', required: ['y'] }], $defs }
    return { $ref: '#/$defs/Tool', description: 'd', $defs: { ...$defs, Tool: first } }
  })
  .map((schema) => again(schema) as JsonSchema)

const examples = toolSchemas.chain((schema) =>
  fc.array(instanceOf(schema, schema), { minLength: 3, maxLength: 6 }).map((values) => ({
    schema,
    values: values.filter((value) => typeof value === 'object' && value !== null && !Array.isArray(value)),
  })),
)

function expectPlace(schema: JsonSchema, path: string): void {
  let at: unknown = schema
  for (const step of path.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
    expect(Object.hasOwn(Object(at), key), `${path} of ${JSON.stringify(schema)}`).toBe(true)
    at = (at as { readonly [key: string]: unknown })[key]
  }
}

describe.each(TARGETS)('a tool schema for %s', (target) => {
  test('has no form that the provider refuses, and its input is unchanged', () => {
    fc.assert(
      fc.property(toolSchemas, (schema) => {
        const before = again(schema)
        const fitted = fitSchema(schema, target)
        expectSame(again(schema), before)
        expectFrozen(fitted)
        expect(fitted.strict).toBe(false)
        expect(fitted.schema['type']).toBe('object')
        for (const { path } of fitted.losses) expectPlace(schema, path)
        for (const node of nodesOf(fitted.schema))
          expect(REFUSALS[target](node, node === fitted.schema), JSON.stringify(fitted.schema)).toEqual([])
        expectSame(again(fitSchema(fitted.schema, target).schema), again(fitted.schema))
      }),
      { numRuns: RUNS },
    )
  })

  test('accepts the objects that the schema accepts, and no others without a loss', () => {
    let count = 0
    fc.assert(
      fc.property(examples, ({ schema, values }) => {
        const { schema: fitted, losses } = fitSchema(schema, target)
        const rules = losses.map(({ rule }) => rule)
        // Merged alternatives describe the declared properties of all of them.
        if (rules.includes('schema-alternatives')) return
        const isExact = losses.every(({ severity }) => severity === 'note')
        for (const value of values) {
          const isAccepted = accepts(schema, value)
          if (!isAccepted && !isExact) continue
          count++
          if (accepts(fitted, value) !== isAccepted)
            expect.fail(
              `${JSON.stringify(value)}: ${JSON.stringify(schema)} became ${JSON.stringify(fitted)}`,
            )
        }
      }),
      { numRuns: RUNS },
    )
    expect(count).toBeGreaterThan(RUNS / 4)
  })

  test('declares every property of closed alternatives and requires those that all require', () => {
    const kinds = ['circle', 'square', 'line']
    const branches = kinds.map((kind, index) => ({
      type: 'object',
      properties: { kind: { const: kind }, [`size${index}`]: { type: 'number' }, label: { type: 'string' } },
      required: ['kind', `size${index}`],
      additionalProperties: false,
    }))
    const schema = { anyOf: branches }
    const { schema: fitted } = fitSchema(schema, target)
    for (const [index, kind] of kinds.entries()) {
      const value: Json = { kind, [`size${index}`]: 2, label: 'a' }
      expect([accepts(schema, value), accepts(fitted, value)]).toEqual([true, true])
    }
    expect(accepts(fitted, { kind: 'other', size0: 1 })).toBe(false)
    expect(accepts(fitted, { kind: 'circle', size0: 1, more: 1 })).toBe(false)
    expect(fitted['required']).toEqual(['kind'])
  })
})

const text = { type: 'string' }

const rows: readonly Row[] = [
  ['no properties', 'openai-tools', { type: 'object' }, { type: 'object', properties: {} }],
  ['no keywords', 'openai-tools', {}, { type: 'object', properties: {} }, 'schema-root '],
  [
    'a nested list and a list of types',
    'openai-tools',
    { type: 'object', properties: { a: { type: ['string', 'array'] }, b: { type: 'object' } } },
    {
      type: 'object',
      properties: { a: { type: ['string', 'array'], items: {} }, b: { type: 'object', properties: {} } },
    },
  ],
  [
    'a tuple of an older draft',
    'openai-tools',
    { type: 'object', properties: { a: { type: 'array', items: [text, text] } } },
    { type: 'object', properties: { a: { type: 'array', prefixItems: [text, text], items: {} } } },
  ],
  [
    'required alternatives',
    'anthropic-tools',
    { type: 'object', properties: { a: text, b: text }, anyOf: [{ required: ['a'] }, { required: ['b'] }] },
    { type: 'object', properties: { a: text, b: text } },
    'schema-alternatives /anyOf',
  ],
  [
    'a discriminated union',
    'openai-tools',
    {
      oneOf: [
        { type: 'object', properties: { k: { const: 'a' }, x: text }, required: ['k', 'x'] },
        { type: 'object', properties: { k: { const: 'b' }, x: { type: 'number' } }, required: ['k'] },
      ],
    },
    {
      type: 'object',
      properties: { k: { enum: ['a', 'b'] }, x: { anyOf: [text, { type: 'number' }] } },
      required: ['k'],
    },
    'schema-alternatives /oneOf',
  ],
  [
    'intersected objects',
    'anthropic-tools',
    {
      allOf: [{ $ref: '#/$defs/A' }, { properties: { b: text }, required: ['b'] }],
      $defs: { A: { properties: { a: text } } },
    },
    {
      type: 'object',
      properties: { a: text, b: text },
      required: ['b'],
      $defs: { A: { properties: { a: text } } },
    },
  ],
  [
    'a reference at the root into itself',
    'openai-tools',
    { $ref: '#/$defs/N', $defs: { N: { type: 'object', properties: { next: { $ref: '#' } } } } },
    {
      type: 'object',
      properties: { next: { $ref: '#/$defs/root' } },
      $defs: {
        N: { type: 'object', properties: { next: { $ref: '#/$defs/root' } } },
        root: { $ref: '#/$defs/N' },
      },
    },
  ],
  [
    'keywords that no object needs',
    'openai-tools',
    { type: 'object', properties: {}, not: { required: ['a'] }, enum: [{}] },
    { type: 'object', properties: {} },
    'schema-keyword /enum, schema-keyword /not',
  ],
  [
    'a description beside a reference',
    'moonshot-tools',
    {
      type: 'object',
      properties: { a: { $ref: '#/$defs/A', description: 'mine' }, b: { $ref: '#/$defs/A' } },
      $defs: { A: { type: 'string', description: 'its own' } },
    },
    {
      type: 'object',
      properties: { a: { type: 'string', description: 'mine' }, b: { $ref: '#/$defs/A' } },
      $defs: { A: { type: 'string', description: 'its own' } },
    },
  ],
  [
    'a description beside a recursive reference',
    'moonshot-tools',
    {
      type: 'object',
      properties: { a: { $ref: '#/$defs/A', description: 'mine' } },
      $defs: { A: { type: 'array', items: { $ref: '#/$defs/A' } } },
    },
    {
      type: 'object',
      properties: { a: { $ref: '#/$defs/A' } },
      $defs: { A: { type: 'array', items: { $ref: '#/$defs/A' } } },
    },
    'schema-annotation /properties/a/description',
  ],
  [
    'a type beside alternatives',
    'moonshot-tools',
    {
      type: 'object',
      properties: { a: { type: ['string', 'integer'], anyOf: [{ minLength: 1 }, { type: 'number' }] } },
    },
    {
      type: 'object',
      properties: { a: { anyOf: [{ minLength: 1, type: ['string', 'integer'] }, { type: 'integer' }] } },
    },
  ],
]

describe('tool schemas that providers refuse', () => {
  testRows(rows)
})
