import { type ChatRequest, dialects, type JsonSchema, translateRequest, user } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { again, expectSame } from '../../law-assertions.ts'

const strictSchema: JsonSchema = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' } },
  required: ['city', 'days'],
  additionalProperties: false,
}

/** A map, which OpenAI cannot enforce. */
const looseSchema: JsonSchema = { type: 'object', additionalProperties: { type: 'string' } }

/** Bodies of the formats that enforce every output schema. */
const bodies: { readonly [name: string]: (schema: JsonSchema) => object } = {
  anthropic: (schema) => ({
    model: 'm',
    max_tokens: 9,
    messages: [{ role: 'user', content: 'Hi' }],
    output_config: { format: { type: 'json_schema', schema } },
  }),
  gemini: (schema) => ({
    contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
    generationConfig: { responseMimeType: 'application/json', responseJsonSchema: schema },
  }),
  ollama: (schema) => ({
    model: 'm',
    messages: [{ role: 'user', content: 'Hi' }],
    stream: false,
    format: schema,
  }),
}

const names = Object.keys(bodies) as ('anthropic' | 'gemini' | 'ollama')[]

/** Returns the format of the output in a body of OpenAI. */
function getFormat(body: object): unknown {
  const { response_format: chat, text } = body as {
    response_format?: { json_schema?: unknown }
    text?: { format?: unknown }
  }
  return chat?.json_schema ?? text?.format
}

describe.each(names)('an output schema that %s enforces', (name) => {
  const createBody = bodies[name] as (schema: JsonSchema) => object

  test('is decoded as strict and sent back as received', () => {
    const body = createBody(strictSchema)
    const request = dialects[name].decodeRequest(body).value
    expect(request.output).toMatchObject({ type: 'json', schema: strictSchema, strict: true })
    expectSame(again(dialects[name].encodeRequest(request)), { value: body, losses: [] })
  })

  test.each(['openai-chat', 'openai-responses'] as const)('stays enforced for %s', (to) => {
    const { value } = translateRequest(createBody(strictSchema), { from: name, to, model: 'gpt-x' })
    expect(getFormat(value)).toMatchObject({ strict: true, schema: strictSchema })
  })

  test.each(['openai-chat', 'openai-responses'] as const)(
    'that cannot be enforced is a loss for %s',
    (to) => {
      const { value, losses } = translateRequest(createBody(looseSchema), { from: name, to, model: 'gpt-x' })
      expect(getFormat(value)).toMatchObject({ strict: false })
      expect(losses.filter(({ severity }) => severity === 'loss').map(({ rule }) => rule)).toEqual([
        'not-strict-open',
        'not-strict',
      ])
    },
  )

  test.each(names.filter((each) => each !== name))('is enforced by %s without a loss', (to) => {
    const { losses } = translateRequest(createBody(strictSchema), {
      from: name,
      to,
      model: 'm',
    })
    expect(losses.filter(({ path }) => path.startsWith('/output')).map(({ rule }) => rule)).toEqual([])
  })

  test('`strict: false` is reported, since it has no effect', () => {
    const request: ChatRequest = {
      model: 'm',
      maxOutputTokens: 9,
      messages: [user('Hi')],
      output: { type: 'json', schema: strictSchema, strict: false },
    }
    const { losses } = dialects[name].encodeRequest(request)
    expect(losses.map(({ rule, path }) => `${rule} ${path}`)).toContain('output-enforced /output/strict')
  })
})
