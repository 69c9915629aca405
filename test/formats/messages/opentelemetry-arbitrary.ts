import fc from 'fast-check'
import type { JsonObject } from 'interlingua'
import { anyJson, anyObject, anyText, callId } from '../../arbitraries.ts'
import { objectOf } from './ui-message-arbitrary.ts'

const orNull = (arbitrary: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof(arbitrary, fc.constant(null))

const modality = fc.constantFrom('image', 'audio', 'video', 'document', 'hologram')
const mediaFields = { mime_type: orNull(fc.constant('image/png')), transcript: orNull(anyText) }

const text = objectOf({ type: fc.constantFrom('text'), content: anyText })
const media = fc.oneof(
  objectOf({ type: fc.constant('blob'), modality, content: fc.base64String() }, mediaFields),
  objectOf({ type: fc.constant('uri'), modality, uri: fc.constant('https://example.org/a') }, mediaFields),
  objectOf({ type: fc.constant('file'), modality, file_id: fc.constant('file-1') }, mediaFields),
)

const response = fc.oneof(anyText, anyJson, fc.array(fc.oneof(text, media), { maxLength: 2 }))
const result = objectOf({ type: fc.constant('tool_call_response'), response }, { id: orNull(callId) })
const name = fc.constantFrom('weather', '__proto__')

const answerPart = fc.oneof(
  text,
  media,
  objectOf({ type: fc.constantFrom('reasoning', 'refusal'), content: anyText }),
  objectOf(
    { type: fc.constant('tool_call'), name },
    { id: orNull(callId), arguments: fc.oneof(anyObject, anyJson) },
  ),
  objectOf(
    {
      type: fc.constant('server_tool_call'),
      name,
      server_tool_call: objectOf({ type: anyText }, { arguments: anyObject, query: anyText }),
    },
    { id: orNull(callId) },
  ),
  objectOf(
    {
      type: fc.constant('server_tool_call_response'),
      server_tool_call_response: objectOf({ type: anyText }, { response, results: anyJson }),
    },
    { id: orNull(callId) },
  ),
  objectOf({ type: fc.constant('compaction') }, { content: orNull(anyText) }),
  result,
)

const message = (role: string, part: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> =>
  objectOf(
    { role: fc.constant(role), parts: fc.array(part, { maxLength: 4 }) },
    { name: orNull(anyText), finish_reason: orNull(fc.constantFrom('stop', 'tool_call', 'compaction')) },
  )

/** Messages of spans, by the conventions of OpenTelemetry. */
export const anyTelemetryMessages: fc.Arbitrary<JsonObject[]> = fc.array(
  fc.oneof(
    message('system', fc.oneof(text, media)),
    message('user', fc.oneof(text, media, result)),
    { weight: 2, arbitrary: message('assistant', answerPart) },
    message('tool', fc.oneof(result, text)),
    message('critic', text),
  ),
  { minLength: 1, maxLength: 4 },
)
