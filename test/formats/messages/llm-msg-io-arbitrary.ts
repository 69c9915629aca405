import fc from 'fast-check'
import type { JsonObject } from 'interlingua'
import { anyObject, anyText, callId } from '../../arbitraries.ts'
import { objectOf } from './ui-message-arbitrary.ts'

const part = fc.oneof(
  objectOf({ type: fc.constant('text'), text: anyText }),
  objectOf(
    { type: fc.constantFrom('image', 'audio', 'file') },
    {
      url: fc.constantFrom('https://example.org/a.png', 'data:image/png;base64,AAAA'),
      data: fc.base64String(),
      file_id: fc.constant('file-1'),
      format: fc.constantFrom('image/png', 'wav', 'video/mp4'),
      name: anyText,
    },
  ),
)
const content = fc.oneof(anyText, fc.array(part, { maxLength: 3 }))

const call = objectOf(
  { name: fc.constantFrom('weather', '__proto__'), arguments: fc.oneof(anyText, fc.constant('{"a":1}')) },
  { id: callId, call_id: callId, extra: anyObject },
)

const extra = fc.oneof(
  anyObject,
  objectOf({ gemini: objectOf({ thought_signatures: fc.array(anyText, { maxLength: 3 }) }) }),
  objectOf({
    claude: objectOf({
      thinking_blocks: fc.array(
        fc.oneof(
          objectOf({ type: fc.constant('thinking'), thinking: anyText, signature: anyText }),
          objectOf({ type: fc.constant('redacted_thinking'), data: anyText }),
        ),
        { maxLength: 2 },
      ),
    }),
  }),
)

const base = { id: fc.oneof(fc.uuid(), fc.constant('m1')), name: anyText, extra }

/** Messages of llm-msg-io, and the metadata of a file. */
export const anyMsgIoMessages: fc.Arbitrary<JsonObject[]> = fc.array(
  fc.oneof(
    objectOf({ role: fc.constantFrom('system', 'developer', 'user', 'narrator'), content }, base),
    objectOf(
      { role: fc.constant('assistant'), content },
      { ...base, reasoning: content, refusal: anyText, tool_calls: fc.array(call, { maxLength: 2 }) },
    ),
    objectOf({ role: fc.constant('tool'), content, call_id: callId }, base),
    objectOf({ metadata: anyObject }),
  ),
  { minLength: 1, maxLength: 5 },
)
