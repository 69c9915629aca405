import { InterlinguaError } from 'interlingua'
import { fromMessages } from 'interlingua/formats'
import { openTelemetry } from 'interlingua/formats/opentelemetry'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { anyMessages, RUNS } from '../../arbitraries.ts'
import { again, law } from '../../law-assertions.ts'
import { anyTelemetryMessages } from './opentelemetry-arbitrary.ts'

const SHARE = RUNS / 10

const optionalText = z.string().nullish()
const typed = z.looseObject({ type: z.string() })
const media = { modality: z.string(), mime_type: optionalText, transcript: optionalText }
const present = z.unknown().refine((value) => value !== undefined)

/** The part types of the conventions, with the types of their fields. Parts of other types have only a type. */
const partSchemas: { readonly [type: string]: z.ZodType } = {
  text: z.looseObject({ content: z.string() }),
  reasoning: z.looseObject({ content: z.string() }),
  tool_call: z.looseObject({ id: optionalText, name: z.string() }),
  tool_call_response: z.looseObject({ id: optionalText, response: present }),
  server_tool_call: z.looseObject({ id: optionalText, name: z.string(), server_tool_call: typed }),
  server_tool_call_response: z.looseObject({ id: optionalText, server_tool_call_response: typed }),
  blob: z.looseObject({ ...media, content: z.string() }),
  uri: z.looseObject({ ...media, uri: z.string() }),
  file: z.looseObject({ ...media, file_id: z.string() }),
  compaction: z.looseObject({ id: optionalText, content: optionalText }),
}

/** The facts of the JSON Schemas of the conventions, model/gen-ai/gen-ai-{input,output}-messages.json. */
const messagesSchema = z.array(
  z.looseObject({
    role: z.string(),
    parts: z.array(typed),
    name: optionalText,
    finish_reason: optionalText,
  }),
)

function expectValid(messages: unknown): void {
  for (const { parts } of messagesSchema.parse(again(messages)))
    for (const part of parts) partSchemas[part.type]?.parse(part)
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
