import fc from 'fast-check'
import type { JsonObject } from 'interlingua'
import { anyJson, anyObject, anyText, callId } from '../../arbitraries.ts'

/** Optional keys: present or absent, never undefined. */
export function objectOf(
  required: Readonly<Record<string, fc.Arbitrary<unknown>>>,
  optional: Readonly<Record<string, fc.Arbitrary<unknown>>> = {},
): fc.Arbitrary<JsonObject> {
  const options = { requiredKeys: Object.keys(required), noNullPrototype: true }
  return fc.record({ ...required, ...optional }, options) as fc.Arbitrary<JsonObject>
}

/** Metadata as the providers of the SDK store it: signatures, cache markers, ids of items. */
export const providerMetadata: fc.Arbitrary<JsonObject> = fc.oneof(
  objectOf({
    anthropic: objectOf({}, { signature: anyText, redactedData: anyText, cacheControl: anyObject }),
  }),
  objectOf({ anthropic: fc.constant({ cacheControl: { type: 'ephemeral', ttl: '1h' } }) }),
  objectOf({ openai: objectOf({}, { itemId: anyText, reasoningEncryptedContent: anyText }) }),
  objectOf({ vertex: objectOf({ thoughtSignature: anyText }) }),
  fc.dictionary(fc.constantFrom('google', 'xai', '__proto__'), anyObject, {
    maxKeys: 2,
  }) as fc.Arbitrary<JsonObject>,
)

const state = fc.constantFrom('streaming', 'done')
const url = fc.oneof(
  anyText.map((text) => `https://example.org/${encodeURIComponent(text)}`),
  fc.base64String().map((data) => `data:image/png;base64,${data}`),
)

const textPart = objectOf({ type: fc.constant('text'), text: anyText }, { state, providerMetadata })
const filePart = objectOf(
  { type: fc.constant('file'), mediaType: fc.constantFrom('image/png', 'application/pdf', 'audio/wav'), url },
  { filename: anyText, providerMetadata, providerReference: fc.constant({ openai: 'file-1', google: 'f2' }) },
)
const dataPart = objectOf({ type: fc.constantFrom('data-weather', 'data-x'), data: anyJson }, { id: anyText })
const sourcePart = fc.oneof(
  objectOf(
    { type: fc.constant('source-url'), sourceId: anyText, url: anyText },
    { title: anyText, providerMetadata },
  ),
  objectOf(
    { type: fc.constant('source-document'), sourceId: anyText, mediaType: anyText, title: anyText },
    { filename: anyText, providerMetadata },
  ),
)

const approval = (approved: fc.Arbitrary<boolean> | undefined): fc.Arbitrary<JsonObject> =>
  objectOf(
    { id: anyText, ...(approved && { approved }) },
    { ...(approved && { reason: anyText }), isAutomatic: fc.boolean() },
  )

/** The states of a tool call, with the fields that each state has. */
const toolStates: readonly fc.Arbitrary<JsonObject>[] = [
  objectOf({ state: fc.constant('input-streaming') }, { input: anyObject }),
  objectOf({ state: fc.constant('input-available'), input: fc.oneof(anyObject, anyJson) }),
  objectOf({ state: fc.constant('approval-requested'), input: anyObject, approval: approval(undefined) }),
  objectOf({ state: fc.constant('approval-responded'), input: anyObject, approval: approval(fc.boolean()) }),
  objectOf(
    { state: fc.constant('output-available'), input: anyObject, output: anyJson },
    {
      preliminary: fc.boolean(),
      approval: approval(fc.constant(true)),
      resultProviderMetadata: providerMetadata,
    },
  ),
  objectOf(
    { state: fc.constant('output-error'), errorText: anyText },
    { input: anyObject, rawInput: anyJson },
  ),
  objectOf({ state: fc.constant('output-denied'), input: anyObject, approval: approval(fc.constant(false)) }),
]

const toolPart = fc
  .tuple(
    fc.oneof(
      objectOf({ type: fc.constantFrom('tool-weather', 'tool-get-time', 'tool-__proto__') }),
      objectOf({ type: fc.constant('dynamic-tool'), toolName: fc.constantFrom('weather', 'constructor') }),
    ),
    objectOf(
      { toolCallId: callId },
      { providerExecuted: fc.boolean(), callProviderMetadata: providerMetadata, title: anyText },
    ),
    fc.oneof(...toolStates),
  )
  .map((pieces) => Object.assign({}, ...pieces))

const assistantPart = fc.oneof(
  textPart,
  objectOf({ type: fc.constant('reasoning'), text: anyText }, { state, providerMetadata, id: anyText }),
  { weight: 3, arbitrary: toolPart },
  filePart,
  sourcePart,
  dataPart,
  fc.constant({ type: 'step-start' }),
  objectOf({ type: fc.constant('custom'), kind: fc.constant('openai.compaction') }, { providerMetadata }),
  objectOf({ type: fc.constant('reasoning-file'), mediaType: fc.constant('image/png'), url }),
)

const message = (role: string, part: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> =>
  objectOf(
    {
      id: fc.oneof(fc.uuid(), fc.constant('m1')),
      role: fc.constant(role),
      parts: fc.array(part, { maxLength: 6 }),
    },
    { metadata: fc.oneof(anyObject, anyText) },
  )

/** UI messages of versions 5 to 7, in every state. */
export const anyUIMessages: fc.Arbitrary<JsonObject[]> = fc.array(
  fc.oneof(message('system', textPart), message('user', fc.oneof(textPart, filePart, dataPart)), {
    weight: 3,
    arbitrary: message('assistant', assistantPart),
  }),
  { minLength: 1, maxLength: 4 },
)
