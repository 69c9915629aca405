import fc from 'fast-check'
import type { JsonObject } from 'interlingua'
import { anyJson, anyObject, anyText, callId } from '../../arbitraries.ts'
import { objectOf } from './ui-message-arbitrary.ts'

const media = {
  content: fc.constantFrom('https://example.org/a.png', 'AAAA'),
  source_type: fc.constantFrom('url', 'base64', 'id'),
}

const block = fc.oneof(
  objectOf({ type: fc.constantFrom('text', 'reasoning'), content: anyText }, { meta: anyObject }),
  objectOf({ type: fc.constant('reasoning'), content: anyText, id: fc.oneof(anyText, fc.constant(null)) }),
  objectOf(
    { type: fc.constantFrom('image', 'file', 'audio', 'video'), ...media },
    { media_type: fc.constantFrom('image/png', 'application/pdf'), filename: anyText },
  ),
)

const attachment = objectOf(
  {
    type: fc.constantFrom('image', 'document'),
    content: fc.constant('AAAA'),
    content_type: fc.constantFrom('url', 'base64'),
  },
  { media_type: fc.constant('image/png') },
)

const tool = (result: fc.Arbitrary<unknown>): fc.Arbitrary<JsonObject> =>
  objectOf(
    {
      callId: fc.oneof(callId, fc.constant(null)),
      name: fc.constantFrom('weather', '__proto__'),
      description: fc.oneof(anyText, fc.constant(null)),
      inputs: fc.oneof(anyObject, fc.constant([]), anyJson),
      result,
    },
    { parameters: fc.constant({ city: { type: 'string' } }) },
  )

const content = fc.oneof(anyText, fc.array(block, { maxLength: 3 }), fc.constant(null))

/** Messages of NeuronAI, of old and new versions. */
export const anyNeuronMessages: fc.Arbitrary<JsonObject[]> = fc.array(
  fc.oneof(
    objectOf(
      { role: fc.constantFrom('user', 'assistant', 'model', 'system', 'developer', 'tool'), content },
      {
        usage: objectOf({ input_tokens: fc.nat(9), output_tokens: fc.nat(9) }),
        attachments: fc.array(attachment, { maxLength: 2 }),
        stop_reason: anyText,
        citations: fc.array(anyObject, { maxLength: 2 }),
      },
    ),
    objectOf({
      role: fc.constant('assistant'),
      content,
      type: fc.constant('tool_call'),
      tools: fc.array(tool(fc.constant(null)), { maxLength: 2 }),
    }),
    objectOf({
      role: fc.constant('user'),
      content: fc.oneof(content, fc.constant(null)),
      type: fc.constant('tool_call_result'),
      tools: fc.array(tool(fc.oneof(anyText, anyJson)), { maxLength: 2 }),
    }),
  ),
  { minLength: 1, maxLength: 4 },
)
