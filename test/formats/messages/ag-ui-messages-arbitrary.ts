import fc from 'fast-check'
import type { JsonObject } from 'interlingua'
import { anyObject, anyText, callId } from '../../arbitraries.ts'
import { objectOf } from './ui-message-arbitrary.ts'

const metadata = fc.oneof(
  anyObject,
  objectOf({ interlingua: objectOf({}, { vendor: fc.constantFrom('openai', 'google'), name: anyText }) }),
)
const encrypted = { encryptedValue: anyText, metadata, subagentRunId: anyText }

const source = fc.oneof(
  objectOf({ type: fc.constant('data'), value: fc.base64String(), mimeType: fc.constant('image/png') }),
  objectOf(
    { type: fc.constant('url'), value: fc.constant('https://example.org/a.png') },
    { mimeType: fc.constant('image/png') },
  ),
  objectOf(
    { type: fc.constant('file'), value: fc.constant('file-1') },
    { provider: fc.constantFrom('openai', 'google'), mimeType: fc.constant('application/pdf') },
  ),
)

const part = fc.oneof(
  objectOf({ type: fc.constant('text'), text: anyText }, { id: anyText, metadata }),
  objectOf(
    { type: fc.constantFrom('image', 'audio', 'video', 'document'), source },
    { id: anyText, metadata },
  ),
)
const content = fc.oneof(anyText, fc.array(part, { maxLength: 3 }))

const call = objectOf(
  {
    id: callId,
    type: fc.constant('function'),
    function: objectOf({
      name: fc.constantFrom('weather', '__proto__'),
      arguments: fc.oneof(anyText, fc.constant('{"a": 1}')),
    }),
  },
  { encryptedValue: anyText, metadata },
)

const id = fc.oneof(fc.uuid(), fc.constantFrom('m1', '__proto__'))

/** Messages of AG-UI 1.0. */
export const anyAgUiMessages: fc.Arbitrary<JsonObject[]> = fc.array(
  fc.oneof(
    objectOf(
      { id, role: fc.constantFrom('system', 'developer'), content: anyText },
      { ...encrypted, name: anyText },
    ),
    objectOf({ id, role: fc.constant('user'), content }, { ...encrypted, name: anyText }),
    objectOf(
      { id, role: fc.constant('assistant') },
      { ...encrypted, name: anyText, content: anyText, toolCalls: fc.array(call, { maxLength: 2 }) },
    ),
    objectOf(
      { id, role: fc.constant('tool'), toolCallId: callId, content },
      { ...encrypted, error: anyText },
    ),
    objectOf({ id, role: fc.constant('reasoning'), content: anyText }, encrypted),
    objectOf(
      { id, role: fc.constant('activity'), activityType: fc.constant('PLAN'), content: anyObject },
      { metadata },
    ),
  ),
  { minLength: 1, maxLength: 5 },
)
