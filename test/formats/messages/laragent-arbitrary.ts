import fc from 'fast-check'
import type { JsonObject } from 'interlingua'
import { anyJson, anyObject, anyText, callId } from '../../arbitraries.ts'
import { objectOf } from './ui-message-arbitrary.ts'

const part = fc.oneof(
  objectOf({ type: fc.constant('text'), text: anyText }),
  objectOf({
    type: fc.constant('image_url'),
    image_url: objectOf(
      { url: fc.constantFrom('https://example.org/a.png', 'data:image/png;base64,AAAA') },
      { detail: fc.constantFrom('low', 'high') },
    ),
  }),
  objectOf({
    type: fc.constant('input_audio'),
    input_audio: objectOf({ data: fc.base64String(), format: fc.constantFrom('mp3', 'wav', 'flac') }),
  }),
)

const call = objectOf(
  {
    id: callId,
    type: fc.constant('function'),
    function: objectOf({
      name: fc.constantFrom('weather', '__proto__'),
      arguments: fc.oneof(anyObject, anyJson).map((value) => JSON.stringify(value)),
    }),
  },
  { thought_signature: anyText },
)

const metadata = fc.oneof(anyObject, fc.constant([]))
const base = {
  message_uuid: fc.uuid().map((id) => `msg_${id}`),
  message_created: fc.constantFrom('2026-08-20T17:44:19+00:00', 'yesterday'),
  metadata,
  extras: fc.oneof(anyObject, objectOf({ thought_signature: anyText })),
}

const result = objectOf({ content: anyText, tool_call_id: callId, tool_name: fc.constantFrom('weather', '') })

/** Messages of LarAgent: files, caches and rows of old and new versions. */
export const anyLarAgentMessages: fc.Arbitrary<JsonObject[]> = fc.array(
  fc.oneof(
    objectOf(
      {
        role: fc.constantFrom('user', 'system', 'developer'),
        content: fc.oneof(anyText, fc.array(part, { maxLength: 3 }), fc.constant(null)),
      },
      base,
    ),
    objectOf(
      {
        role: fc.constant('assistant'),
        content: fc.oneof(
          anyText,
          objectOf({ type: fc.constant('text'), text: anyText }),
          fc.array(part, { maxLength: 2 }),
        ),
      },
      {
        ...base,
        usage: objectOf({
          prompt_tokens: fc.nat(9),
          completion_tokens: fc.nat(9),
          total_tokens: fc.nat(20),
        }),
      },
    ),
    objectOf(
      {
        role: fc.constant('assistant'),
        content: fc.oneof(fc.constant(null), anyText),
        tool_calls: fc.array(call, { maxLength: 2 }),
      },
      base,
    ),
    objectOf(
      { role: fc.constant('tool'), content: fc.oneof(result, anyText), tool_call_id: callId },
      { ...base, tool_name: fc.constantFrom('weather', '') },
    ),
  ),
  { minLength: 1, maxLength: 5 },
)
