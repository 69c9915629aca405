import fc from 'fast-check'
import type { JsonObject } from 'interlingua'
import { anyJson, anyObject, anyText, callId } from '../../arbitraries.ts'
import { objectOf } from './ui-message-arbitrary.ts'

const orNull = (arbitrary: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof(arbitrary, fc.constant(null))

const timestamp = fc.constantFrom('2026-01-31T12:00:00Z', '2026-01-31T12:00:00.123456Z', 'yesterday')
const provider = orNull(fc.constantFrom('anthropic', 'google-gla', 'bedrock', 'openai'))

const binary = objectOf(
  {
    kind: fc.constant('binary'),
    data: fc.constantFrom('AAAA', '-_-_', '+/+/'),
    media_type: fc.constantFrom('image/png', 'application/pdf', 'video/mp4'),
  },
  { vendor_metadata: orNull(fc.constant({ detail: 'low' })), identifier: anyText },
)
const media = fc.oneof(
  objectOf(
    {
      kind: fc.constantFrom('image-url', 'audio-url', 'video-url', 'document-url'),
      url: fc.constant('https://example.org/a.png'),
    },
    {
      media_type: orNull(fc.constant('image/png')),
      force_download: fc.boolean(),
      vendor_metadata: orNull(anyObject),
      identifier: anyText,
    },
  ),
  binary,
  objectOf(
    { kind: fc.constant('uploaded-file'), file_id: fc.constant('f1'), provider_name: fc.constant('openai') },
    { media_type: fc.constant('application/pdf') },
  ),
)
const textObject = objectOf(
  { kind: fc.constant('text-content'), content: anyText },
  { metadata: orNull(anyObject) },
)
const cachePoint = objectOf({ kind: fc.constant('cache-point'), ttl: fc.constantFrom('5m', '1h') })

const toolReturn = {
  tool_name: fc.constantFrom('weather', '__proto__'),
  content: fc.oneof(
    anyText,
    anyJson,
    media,
    fc.array(fc.oneof(anyText, media, textObject, anyJson), { maxLength: 3 }),
  ),
  tool_call_id: callId,
}
const returnFields = {
  metadata: anyJson,
  timestamp,
  outcome: fc.constantFrom('success', 'failed', 'denied', 'interrupted'),
}

const requestPart = fc.oneof(
  objectOf(
    { content: anyText, part_kind: fc.constant('system-prompt') },
    { timestamp, dynamic_ref: orNull(anyText) },
  ),
  objectOf(
    {
      content: fc.oneof(
        anyText,
        fc.array(fc.oneof(anyText, media, textObject, cachePoint), { maxLength: 4 }),
      ),
      part_kind: fc.constant('user-prompt'),
    },
    { timestamp },
  ),
  objectOf({ ...toolReturn, part_kind: fc.constant('tool-return') }, returnFields),
  objectOf(
    {
      content: fc.oneof(anyText, fc.constant([{ type: 'missing', loc: ['city'], msg: 'Required' }])),
      tool_name: orNull(fc.constant('weather')),
      tool_call_id: callId,
      part_kind: fc.constant('retry-prompt'),
    },
    { timestamp },
  ),
  objectOf({ part_kind: fc.constant('tool-availability-delta'), tools_added: fc.constant(['search']) }),
)

const details = orNull(fc.oneof(anyObject, objectOf({ thought_signature: anyText })))
const identity = { id: orNull(anyText), provider_name: provider, provider_details: details }
const call = { tool_name: fc.constant('weather'), args: fc.oneof(anyObject, anyText, fc.constant(null)) }

const responsePart = fc.oneof(
  objectOf({ content: anyText, part_kind: fc.constant('text') }, identity),
  objectOf(
    { content: anyText, part_kind: fc.constant('thinking') },
    {
      ...identity,
      id: orNull(fc.oneof(anyText, fc.constant('redacted_thinking'))),
      signature: orNull(anyText),
    },
  ),
  objectOf(
    { ...call, tool_call_id: callId, part_kind: fc.constantFrom('tool-call', 'builtin-tool-call') },
    identity,
  ),
  objectOf({ ...toolReturn, part_kind: fc.constant('builtin-tool-return') }, returnFields),
  objectOf({ content: binary, part_kind: fc.constant('file') }, identity),
  objectOf({ content: anyText, part_kind: fc.constant('compaction') }, identity),
)

const run = { run_id: orNull(anyText), metadata: orNull(anyObject), conversation_id: anyText }

/** Messages of pydantic-ai, of old and new versions. */
export const anyPydanticMessages: fc.Arbitrary<JsonObject[]> = fc.array(
  fc.oneof(
    objectOf(
      { parts: fc.array(requestPart, { maxLength: 4 }), kind: fc.constant('request') },
      { ...run, instructions: orNull(anyText), timestamp: orNull(timestamp) },
    ),
    objectOf(
      { parts: fc.array(responsePart, { maxLength: 4 }), kind: fc.constant('response') },
      {
        ...run,
        usage: objectOf(
          { input_tokens: fc.nat(9), output_tokens: fc.nat(9) },
          { cache_read_tokens: fc.nat(9), details: fc.constant({ reasoning_tokens: 3 }) },
        ),
        model_name: orNull(anyText),
        timestamp,
        provider_name: provider,
        vendor_id: orNull(anyText),
        finish_reason: orNull(fc.constantFrom('stop', 'length', 'tool_call', 'paused')),
      },
    ),
  ),
  { minLength: 1, maxLength: 4 },
)
