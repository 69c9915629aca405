import fc from 'fast-check'
import type { JsonObject } from 'interlingua'
import { anyJson, anyObject, anyText, callId } from '../../arbitraries.ts'
import { objectOf } from './ui-message-arbitrary.ts'

const part = fc.oneof(
  objectOf({ type: fc.constant('text'), text: anyText }, { cache_control: anyObject }),
  objectOf({
    type: fc.constant('image_url'),
    image_url: fc.oneof(
      objectOf({ url: fc.constantFrom('https://example.org/a.png', 'data:image/png;base64,AAAA') }),
      fc.constant('https://example.org/b.png'),
    ),
  }),
  objectOf({
    type: fc.constant('input_audio'),
    input_audio: objectOf({ data: fc.base64String(), format: fc.constantFrom('mp3', 'wav') }),
  }),
  objectOf({
    type: fc.constant('file'),
    file: objectOf(
      {},
      {
        file_data: fc.constant('data:application/pdf;base64,AAAA'),
        file_name: anyText,
        file_id: fc.constant('file-1'),
      },
    ),
  }),
)

const call = fc.oneof(
  objectOf({
    id: fc.oneof(callId, fc.constant(null)),
    name: fc.constantFrom('weather', '__proto__'),
    arguments: fc.oneof(anyObject, fc.constant([]), anyJson),
  }),
  objectOf({
    id: callId,
    function: objectOf({ name: fc.constant('weather'), arguments: fc.constantFrom('{"a": 1}', '{') }),
  }),
)

const base = {
  id: fc.oneof(fc.uuid(), fc.constant('m1')),
  createdAt: fc.constantFrom('2026-08-06T23:52:09+00:00', 'now'),
  parentId: fc.oneof(fc.uuid(), fc.constant(null)),
  name: anyText,
  _metadata: fc.oneof(anyObject, fc.constant([]), objectOf({ tool_calls: fc.array(call, { maxLength: 1 }) })),
}

const result = objectOf({
  content: anyText,
  call_id: fc.oneof(callId, fc.constant(null)),
  tool_name: fc.constantFrom('weather', null),
  is_error: fc.boolean(),
})

const message = fc.oneof(
  objectOf(
    {
      role: fc.constantFrom('system', 'developer', 'user'),
      content: fc.oneof(anyText, fc.array(fc.oneof(part, part, anyText), { maxLength: 3 })),
    },
    base,
  ),
  objectOf(
    { role: fc.constant('assistant'), content: fc.oneof(anyText, fc.array(part, { maxLength: 2 })) },
    { ...base, tool_calls: fc.array(call, { maxLength: 2 }) },
  ),
  objectOf({ role: fc.constant('tool'), content: anyText, tool_result: result }, base),
)

/** A line of a session file without branches. */
const line = fc
  .tuple(message, fc.uuid(), fc.constantFrom('messages', 'system'))
  .map(([data, id, section]): JsonObject => ({
    type: 'message',
    id,
    parentId: null,
    section,
    timestamp: '2026-08-06T23:52:09+00:00',
    data,
  }))

/** Messages of Instructor for PHP, as a list or as the lines of a session file. */
export const anyInstructorMessages: fc.Arbitrary<JsonObject[]> = fc.oneof(
  fc.array(message, { minLength: 1, maxLength: 4 }),
  fc.uniqueArray(line, { minLength: 1, maxLength: 4, selector: ({ id }) => id }),
)
