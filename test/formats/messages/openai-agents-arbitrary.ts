import fc from 'fast-check'
import type { JsonObject } from 'interlingua'
import { anyObject, anyText, callId } from '../../arbitraries.ts'
import { objectOf } from './ui-message-arbitrary.ts'

const providerData = anyObject
const id = fc.oneof(fc.uuid(), fc.constantFrom('msg_1', '__proto__'))
const status = fc.constantFrom('in_progress', 'completed', 'incomplete')

const data = fc.constantFrom(
  'https://example.org/a.png',
  'data:image/png;base64,AAAA',
  'AAAA',
  'iVBORw0KGgo=',
)
const fileId = fc.constant({ id: 'file-1' })

const inputText = objectOf({ type: fc.constant('input_text'), text: anyText }, { providerData })
const inputMedia = fc.oneof(
  objectOf(
    { type: fc.constant('input_image'), image: fc.oneof(data, fileId) },
    { detail: fc.constantFrom('low', 'auto'), providerData },
  ),
  objectOf(
    {
      type: fc.constant('input_file'),
      file: fc.oneof(data, fileId, fc.constant({ url: 'https://example.org/a.pdf' })),
    },
    { filename: anyText, providerData },
  ),
)
const audio = objectOf(
  { type: fc.constant('audio'), audio: fc.oneof(fc.base64String(), fileId) },
  {
    format: fc.oneof(fc.constantFrom('wav', 'mp3', 'pcm16'), fc.constant(null)),
    transcript: fc.oneof(anyText, fc.constant(null)),
  },
)
const outputContent = fc.oneof(
  objectOf({ type: fc.constant('output_text'), text: anyText }, { providerData }),
  objectOf({ type: fc.constant('refusal'), refusal: anyText }, { providerData }),
  objectOf({ type: fc.constant('image'), image: data }),
  audio,
)

const message = { type: fc.constant('message'), id, providerData }

const reasoning = objectOf(
  {
    type: fc.constant('reasoning'),
    content: fc.array(inputText, { maxLength: 3 }),
  },
  {
    id,
    rawContent: fc.array(objectOf({ type: fc.constant('reasoning_text'), text: anyText }), { maxLength: 2 }),
    providerData: fc.oneof(
      providerData,
      objectOf({}, { encrypted_content: anyText, encryptedContent: anyText }),
    ),
  },
)

const output = fc.oneof(
  anyText,
  objectOf({ type: fc.constant('text'), text: anyText }, { providerData }),
  objectOf({ type: fc.constant('image'), image: fc.constant({ url: 'https://example.org/a.png' }) }),
  fc.array(fc.oneof(inputText, inputMedia), { maxLength: 3 }),
)

/** Items of the OpenAI Agents SDK. */
export const anyAgentItems: fc.Arbitrary<JsonObject[]> = fc.array(
  fc.oneof(
    objectOf({ role: fc.constant('system'), content: anyText }, message),
    objectOf(
      {
        role: fc.constant('user'),
        content: fc.oneof(anyText, fc.array(fc.oneof(inputText, inputMedia, audio), { maxLength: 3 })),
      },
      message,
    ),
    objectOf(
      { role: fc.constant('assistant'), status, content: fc.array(outputContent, { maxLength: 3 }) },
      { ...message, phase: fc.constantFrom('commentary', 'final_answer') },
    ),
    reasoning,
    objectOf(
      {
        type: fc.constant('function_call'),
        callId,
        name: fc.constantFrom('weather', '__proto__'),
        arguments: fc.oneof(anyText, fc.constant('{"a": 1}')),
      },
      { id, status, namespace: anyText, providerData, caller: fc.constant({ type: 'direct' }) },
    ),
    objectOf(
      { type: fc.constant('function_call_result'), callId, name: fc.constant('weather'), status, output },
      { id, providerData },
    ),
    objectOf(
      { type: fc.constant('hosted_tool_call'), name: fc.constant('web_search_call') },
      { id, arguments: anyText, status: anyText, output: anyText, providerData },
    ),
    objectOf({
      type: fc.constant('computer_call'),
      callId,
      status,
      action: fc.constant({ type: 'screenshot' }),
    }),
    objectOf({
      type: fc.constant('computer_call_result'),
      callId,
      output: fc.constant({ type: 'computer_screenshot', data: 'AAAA' }),
    }),
    objectOf({ type: fc.constant('compaction'), encrypted_content: anyText }, { id }),
    objectOf({ type: fc.constant('unknown') }, { id, providerData }),
  ),
  { minLength: 1, maxLength: 6 },
)
