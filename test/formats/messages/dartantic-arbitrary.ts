import fc from 'fast-check'
import type { JsonObject } from 'interlingua'
import { anyJson, anyObject, anyText, callId } from '../../arbitraries.ts'
import { objectOf } from './ui-message-arbitrary.ts'

const named = (name: string): fc.Arbitrary<string> => fc.constantFrom(name, `${name}Part`)
const mimeType = fc.constantFrom('image/png', 'audio/wav', 'video/mp4', 'application/pdf')

const part = fc.oneof(
  objectOf({ type: named('Text'), content: anyText }),
  objectOf({ type: named('Thinking'), content: anyText }),
  objectOf({
    type: named('Data'),
    content: objectOf(
      { mimeType, bytes: mimeType.map((type) => `data:${type};base64,AAAA`) },
      { name: anyText },
    ),
  }),
  objectOf({
    type: named('Link'),
    content: objectOf({ url: fc.constant('https://example.org/a') }, { mimeType, name: anyText }),
  }),
  objectOf({
    type: named('Tool'),
    content: objectOf({
      id: callId,
      name: fc.constantFrom('weather', '__proto__'),
      arguments: fc.oneof(anyObject, fc.constant(null)),
    }),
  }),
  objectOf({
    type: named('Tool'),
    content: objectOf({ id: callId, name: fc.constant('weather') }, { result: fc.oneof(anyText, anyJson) }),
  }),
)

const metadata = fc.oneof(
  anyObject,
  fc.constant({}),
  objectOf({ thinking: anyText }),
  objectOf({
    _anthropic_thinking_block: objectOf({ thinking: anyText }, { signature: anyText }),
    _responses_session: objectOf({ response_id: anyText }),
  }),
)

/** Messages of dartantic, of all versions. */
export const anyDartanticMessages: fc.Arbitrary<JsonObject[]> = fc.array(
  objectOf(
    { role: fc.constantFrom('system', 'user', 'model'), parts: fc.array(part, { maxLength: 4 }) },
    {
      metadata,
      finishStatus: objectOf({ category: fc.constantFrom('completed', 'interrupted') }, { details: anyText }),
    },
  ),
  { minLength: 1, maxLength: 4 },
)
