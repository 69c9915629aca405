import { Ajv } from 'ajv'
import { InterlinguaError } from 'interlingua'
import { fromMessages } from 'interlingua/formats'
import { openTelemetry } from 'interlingua/formats/opentelemetry'
import { describe, expect, test } from 'vitest'
import { anyMessages, RUNS } from '../../arbitraries.ts'
import { again, law } from '../../law-assertions.ts'
import { anyTelemetryMessages } from './opentelemetry-arbitrary.ts'

const SHARE = RUNS / 10

const text = { type: 'string' }
const optionalText = { type: ['string', 'null'] }
const typed = { type: 'object', required: ['type'], properties: { type: text } }

/** The part types of the conventions: required fields, and the types of all fields. */
const partSchemas = Object.entries({
  text: [['content'], { content: text }],
  reasoning: [['content'], { content: text }],
  tool_call: [['name'], { id: optionalText, name: text }],
  tool_call_response: [['response'], { id: optionalText }],
  server_tool_call: [['name', 'server_tool_call'], { id: optionalText, name: text, server_tool_call: typed }],
  server_tool_call_response: [
    ['server_tool_call_response'],
    { id: optionalText, server_tool_call_response: typed },
  ],
  blob: [
    ['modality', 'content'],
    { modality: text, content: text, mime_type: optionalText, transcript: optionalText },
  ],
  uri: [['modality', 'uri'], { modality: text, uri: text, mime_type: optionalText }],
  file: [['modality', 'file_id'], { modality: text, file_id: text, mime_type: optionalText }],
  compaction: [[], { id: optionalText, content: optionalText }],
}).map(([type, [required, properties]]) => ({
  if: { properties: { type: { const: type } } },
  // oxlint-disable-next-line no-thenable -- a keyword of JSON Schema
  then: { required, properties },
}))

/** The facts of the JSON Schemas of the conventions, model/gen-ai/gen-ai-{input,output}-messages.json. */
const validate = new Ajv({ allowUnionTypes: true, strictTypes: false, strictRequired: false }).compile({
  type: 'array',
  items: {
    type: 'object',
    required: ['role', 'parts'],
    properties: {
      role: text,
      parts: { type: 'array', items: { ...typed, allOf: partSchemas } },
      name: optionalText,
      finish_reason: optionalText,
    },
  },
})

function expectValid(messages: unknown): void {
  expect(validate(again(messages)) ? [] : validate.errors).toEqual([])
}

describe('the schema of the conventions', () => {
  test('accepts the messages that are written', () => {
    law(anyMessages, (given) => expectValid(openTelemetry.toMessages(given).value), SHARE)
  })

  test('accepts the generated messages, so that the laws hold for real ones', () => {
    law(anyTelemetryMessages, expectValid, SHARE)
  })
})

test('the attributes of a span are one conversation', () => {
  const { value } = fromMessages({
    'gen_ai.system_instructions': [{ type: 'text', content: 'Be brief.' }],
    'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: 'Hi' }] }]),
    'gen_ai.output.messages': [
      { role: 'assistant', parts: [{ type: 'text', content: 'Hello' }], finish_reason: 'stop' },
    ],
  })
  expect(value.map(({ role }) => role)).toEqual(['system', 'user', 'assistant'])
  expect(value[2]).toMatchObject({ finish: { reason: 'stop' } })
})

test('an attribute that is not a list is an error with its path', () => {
  const read = (): unknown => fromMessages({ attributes: { 'gen_ai.input.messages': '{' } })
  expect(read).toThrow(InterlinguaError)
  try {
    read()
  } catch (error) {
    expect((error as InterlinguaError).path).toBe('/attributes/gen_ai.input.messages')
  }
})
