import { type DialectName, dialects, type JsonSchema } from 'interlingua'
import { toJsonSchema } from 'interlingua/schema'
import { describe, expect, test } from 'vitest'
import { again, expectSame } from '../../law-assertions.ts'
import { asking, names, places, sent } from './schema-locations.ts'

/** An optional property, a bound, and an annotation: each provider supports another subset. */
const booking: JsonSchema = {
  type: 'object',
  properties: {
    city: { type: 'string', minLength: 1 },
    nights: { type: 'integer', exclusiveMinimum: 0, default: 1 },
  },
  required: ['city'],
}

/** A map, which no provider supports in strict mode. */
const map: JsonSchema = { type: 'object', additionalProperties: { type: 'string' } }

const closed = { required: ['city'], additionalProperties: false }
const openai = {
  type: 'object',
  properties: {
    city: { type: 'string' },
    nights: { type: ['integer', 'null'], exclusiveMinimum: 0 },
  },
  required: ['city', 'nights'],
  additionalProperties: false,
}
const anthropic = {
  type: 'object',
  properties: { city: { type: 'string' }, nights: { type: 'integer' } },
  ...closed,
}
const gemini = {
  type: 'object',
  properties: { city: { type: 'string' }, nights: { type: 'integer', minimum: 1 } },
  required: ['city'],
}
const untold = {
  type: 'object',
  properties: { city: { type: 'string' }, nights: { type: 'integer' } },
  required: ['city'],
}
/** Cohere ignores bounds, but keeps annotations. */
const enforced = {
  type: 'object',
  properties: { city: { type: 'string' }, nights: { type: 'integer', default: 1 } },
  required: ['city'],
}

type Row = readonly [
  name: DialectName,
  kind: 'tool' | 'output',
  strict: boolean | undefined,
  schema: unknown,
  isStrict: unknown,
  losses: string,
]

const strictly =
  'schema-keyword city/minLength, schema-annotation nights/default, schema-optional nights, schema-closed '
const byAnthropic =
  'schema-keyword city/minLength, schema-keyword nights/exclusiveMinimum, schema-annotation nights/default, schema-closed '
const byCohere = 'schema-keyword city/minLength, schema-keyword nights/exclusiveMinimum'
const byGemini = 'schema-keyword city/minLength, schema-annotation nights/default'

/** The encoded schema of a tool and of an output format, with the losses relative to the schema. */
const rows: readonly Row[] = [
  ['openai-chat', 'tool', undefined, booking, undefined, ''],
  ['openai-chat', 'tool', false, booking, false, ''],
  ['openai-chat', 'tool', true, openai, true, strictly],
  ['openai-chat', 'output', undefined, booking, undefined, ''],
  ['openai-chat', 'output', true, openai, true, strictly],
  ['openai-responses', 'tool', undefined, booking, false, ''],
  ['openai-responses', 'tool', true, openai, true, strictly],
  ['openai-responses', 'output', undefined, booking, undefined, ''],
  ['openai-responses', 'output', true, openai, true, strictly],
  ['anthropic', 'tool', undefined, booking, undefined, ''],
  ['anthropic', 'tool', true, anthropic, true, byAnthropic],
  ['anthropic', 'output', undefined, anthropic, undefined, byAnthropic],
  ['bedrock', 'tool', undefined, booking, undefined, ''],
  ['bedrock', 'tool', true, anthropic, true, byAnthropic],
  ['bedrock', 'output', undefined, anthropic, undefined, byAnthropic],
  ['gemini', 'tool', undefined, gemini, undefined, byGemini],
  ['gemini', 'output', undefined, gemini, undefined, byGemini],
  [
    'ollama',
    'tool',
    undefined,
    untold,
    undefined,
    'schema-keyword city/minLength, schema-keyword nights/exclusiveMinimum, schema-annotation nights/default',
  ],
  ['ollama', 'output', undefined, booking, undefined, ''],
  ['cohere', 'tool', undefined, booking, false, ''],
  ['cohere', 'tool', true, enforced, true, byCohere],
  ['cohere', 'output', undefined, enforced, undefined, byCohere],
]

/** Lists the losses about a schema, with paths relative to it. */
function below(kind: 'tool' | 'output', losses: readonly { rule: string; path: string }[]): string {
  const root = kind === 'tool' ? '/tools/0/input' : '/output/schema'
  return losses
    .filter(({ path }) => path.startsWith(root))
    .map(({ rule, path }) => `${rule} ${path.slice(root.length).replace('/properties/', '')}`)
    .join(', ')
}

/** Returns a schema with many properties. */
function numbered(count: number): JsonSchema {
  const names = Array.from({ length: count }, (_, index) => `p${index}`)
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]))
  return { type: 'object', properties, required: names }
}

describe('the encoded schemas', () => {
  test.each(rows)('%s, %s, strict: %s', (name, kind, strict, schema, isStrict, losses) => {
    const made = sent(name, kind, asking(kind, booking, strict))
    expectSame(again(made.schema), schema)
    expect(made.strict).toBe(isStrict)
    expect(below(kind, made.losses)).toBe(losses)
  })

  const choosing = names.flatMap((name) =>
    (['tool', 'output'] as const).flatMap((kind) =>
      places[name][kind].chooses && name !== 'cohere' ? [{ name, kind }] : [],
    ),
  )

  test.each(choosing)(
    'a schema that cannot be strict is sent without strict mode: $name, $kind',
    ({ name, kind }) => {
      const made = sent(name, kind, asking(kind, map, true))
      expectSame(
        again(made.schema),
        places[name][kind].plainTarget === 'openai-tools' ? { ...map, properties: {} } : map,
      )
      expect(made.strict).toBe(false)
      const owner = kind === 'tool' ? '/tools/0' : '/output'
      expect(made.losses.map(({ rule, path }) => `${rule} ${path}`)).toEqual([
        `not-strict-open ${owner}/${kind === 'tool' ? 'input' : 'schema'}/additionalProperties`,
        `not-strict ${owner}/strict`,
      ])
    },
  )

  test.each([
    ['an object without a required property', { type: 'object', properties: { a: { type: 'string' } } }],
    ['another type than an object', { type: 'array', items: { type: 'string' } }],
    ['more than 200 properties', numbered(201)],
  ])('Cohere gets no strict tools if one has %s', (_, schema) => {
    const made = sent('cohere', 'tool', asking('tool', schema, true))
    expectSame(again(made.schema), schema)
    expect(made.strict).toBe(false)
    expect(made.losses.map(({ rule, path }) => `${rule} ${path}`)).toEqual(['not-strict /tools/0/strict'])
  })

  test('Cohere gets strict tools with 200 properties', () => {
    expect(sent('cohere', 'tool', asking('tool', numbered(200), true)).strict).toBe(true)
  })

  test('Anthropic has an output schema in strict mode or not at all', () => {
    const { value, losses } = dialects.anthropic.encodeRequest(asking('output', map))
    expect(value).not.toHaveProperty('output_config')
    expect(losses.map(({ rule, path }) => `${rule} ${path}`)).toContain('output-schema-refused /output')
  })

  test('a tool of Anthropic has an object schema: alternatives at the root are not strict', () => {
    const either: JsonSchema = {
      anyOf: [booking, { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] }],
    }
    const made = sent('anthropic', 'tool', asking('tool', either, true))
    expectSame(again(made.schema), {
      type: 'object',
      properties: { ...(booking['properties'] as object), id: { type: 'string' } },
    })
    expect(made.strict).toBe(false)
    expect(made.losses.map(({ rule, path }) => `${rule} ${path}`)).toEqual([
      'not-strict-root /tools/0/input',
      'not-strict /tools/0/strict',
      'schema-alternatives /tools/0/input/anyOf',
    ])
  })

  test('an openai-chat host without strict mode gets the schema unchanged', () => {
    const { value, losses } = dialects['openai-chat'].encodeRequest(asking('tool', booking, true), {
      flavor: 'deepseek',
    })
    expect(value.tools).toEqual([{ type: 'function', function: { name: 'book', parameters: booking } }])
    expect(losses.map(({ rule, path }) => `${rule} ${path}`)).toEqual(['no-field /tools/0/strict'])
  })

  // Lists are copied into each body, so only a schema without lists shows it by its identity.
  test('a frozen schema is fitted once', () => {
    const request = asking(
      'tool',
      toJsonSchema({ type: 'object', properties: { day: { type: 'string' } } }),
      false,
    )
    for (const name of ['openai-chat', 'anthropic', 'gemini', 'ollama'] as const)
      expect(sent(name, 'tool', request).schema).toBe(sent(name, 'tool', request).schema)
  })
})
