import fc from 'fast-check'
import type { JsonObject } from 'interlingua'
import { anyObject, anyText, callId } from '../../arbitraries.ts'
import { objectOf } from './ui-message-arbitrary.ts'

const meta = {
  annotations: fc.constant({ audience: ['user'], priority: 1 }),
  _meta: anyObject,
}
const data = fc.base64String()

const text = objectOf({ type: fc.constant('text'), text: anyText }, meta)
const media = objectOf(
  {
    type: fc.constantFrom('image', 'audio'),
    data,
    mimeType: fc.constantFrom('image/png', 'audio/wav', 'application/x'),
  },
  meta,
)
const uri = fc.oneof(
  fc.constantFrom('file:///a.txt', 'file:///dir/a.txt', 'https://example.org/a', 'file:///%', 'note://1'),
)
const resource = objectOf(
  {
    type: fc.constant('resource'),
    resource: fc.oneof(
      objectOf({ uri, text: anyText }, { mimeType: fc.constant('text/plain'), _meta: anyObject }),
      objectOf({ uri, blob: data }, { mimeType: fc.constantFrom('image/png', 'application/pdf') }),
    ),
  },
  meta,
)
const link = objectOf(
  { type: fc.constant('resource_link'), uri, name: anyText },
  { title: anyText, description: anyText, mimeType: fc.constant('image/png') },
)

const result = objectOf(
  { type: fc.constant('tool_result'), toolUseId: callId },
  {
    content: fc.array(fc.oneof(text, media, resource, link), { maxLength: 3 }),
    structuredContent: anyObject,
    isError: fc.boolean(),
    _meta: anyObject,
  },
)
const call = objectOf(
  {
    type: fc.constant('tool_use'),
    id: callId,
    name: fc.constantFrom('weather', '__proto__'),
    input: anyObject,
  },
  { _meta: anyObject },
)

const contentOf = (block: fc.Arbitrary<JsonObject>): fc.Arbitrary<unknown> =>
  fc.oneof(block, fc.array(block, { maxLength: 3 }))

/** Messages of sampling requests and of prompts. */
export const anyMcpMessages: fc.Arbitrary<JsonObject[]> = fc.array(
  fc.oneof(
    objectOf({ role: fc.constant('user'), content: contentOf(fc.oneof(text, media)) }, { _meta: anyObject }),
    objectOf({ role: fc.constant('user'), content: contentOf(result) }, { _meta: anyObject }),
    objectOf({
      role: fc.constantFrom('user', 'assistant'),
      content: fc.oneof(text, media, resource, link),
    }),
    objectOf(
      { role: fc.constant('assistant'), content: contentOf(fc.oneof(text, media, call)) },
      { _meta: anyObject },
    ),
  ),
  { minLength: 1, maxLength: 5 },
)
