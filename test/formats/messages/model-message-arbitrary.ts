import fc from 'fast-check'
import type { JsonObject } from 'interlingua'
import { anyJson, anyObject, anyText, callId } from '../../arbitraries.ts'
import { objectOf, providerMetadata as providerOptions } from './ui-message-arbitrary.ts'

const mediaType = fc.constantFrom('image/png', 'application/pdf', 'text/plain')
const data = fc.oneof(
  fc.base64String(),
  fc.constantFrom('https://example.org/a.png', 'data:image/png;base64,AAAA'),
  objectOf({ type: fc.constant('data'), data: fc.base64String() }),
  objectOf({ type: fc.constant('text'), text: anyText }),
  fc.constant({ type: 'reference', reference: { openai: 'file-1' } }),
  fc.constant({ anthropic: 'file_1' }),
)

const textPart = objectOf({ type: fc.constant('text'), text: anyText }, { providerOptions })
const filePart = objectOf(
  { type: fc.constant('file'), data, mediaType },
  { filename: anyText, providerOptions },
)
const imagePart = objectOf({ type: fc.constant('image'), image: data }, { mediaType, providerOptions })
const approvalRequest = objectOf({
  type: fc.constant('tool-approval-request'),
  approvalId: anyText,
  toolCallId: callId,
})

/** The items of a result with content, of every version. */
const resultItem = fc.oneof(
  textPart,
  objectOf({ type: fc.constantFrom('image-data', 'file-data', 'media'), data: fc.base64String(), mediaType }),
  objectOf({ type: fc.constantFrom('image-url', 'file-url'), url: fc.constant('https://example.org/a') }),
  objectOf({
    type: fc.constantFrom('image-file-id', 'file-id'),
    fileId: fc.constantFrom('f1', { openai: 'f1' }),
  }),
  objectOf({ type: fc.constant('file'), data, mediaType }, { filename: anyText }),
  objectOf({ type: fc.constant('custom') }, { providerOptions }),
)

const output = fc.oneof(
  objectOf({ type: fc.constantFrom('text', 'error-text'), value: anyText }, { providerOptions }),
  objectOf({ type: fc.constantFrom('json', 'error-json'), value: anyJson }),
  objectOf({ type: fc.constant('execution-denied') }, { reason: anyText }),
  objectOf({ type: fc.constant('content'), value: fc.array(resultItem, { maxLength: 3 }) }),
)
const toolResult = fc.oneof(
  objectOf(
    { type: fc.constant('tool-result'), toolCallId: callId, toolName: anyText, output },
    { providerOptions },
  ),
  // Version 4.
  objectOf(
    { type: fc.constant('tool-result'), toolCallId: callId, toolName: anyText, result: anyJson },
    { isError: fc.boolean() },
  ),
)
const toolCall = fc
  .tuple(
    objectOf(
      {
        type: fc.constant('tool-call'),
        toolCallId: callId,
        toolName: fc.constantFrom('weather', '__proto__'),
      },
      { providerExecuted: fc.boolean(), providerOptions },
    ),
    fc.oneof(objectOf({ input: fc.oneof(anyObject, anyJson) }), objectOf({ args: anyObject })),
  )
  .map(([call, input]): JsonObject => ({ ...call, ...input }))

const list = (part: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject[]> => fc.array(part, { maxLength: 4 })
const message = (role: string, content: fc.Arbitrary<unknown>): fc.Arbitrary<JsonObject> =>
  objectOf({ role: fc.constant(role), content }, { providerOptions })

/** Model messages of versions 4 to 7. */
export const anyModelMessages: fc.Arbitrary<JsonObject[]> = fc.array(
  fc.oneof(
    message('system', anyText),
    message('user', fc.oneof(anyText, list(fc.oneof(textPart, filePart, imagePart)))),
    message(
      'assistant',
      fc.oneof(
        anyText,
        list(
          fc.oneof(
            textPart,
            objectOf({ type: fc.constant('reasoning'), text: anyText }, { providerOptions }),
            toolCall,
            toolResult,
            filePart,
            approvalRequest,
          ),
        ),
      ),
    ),
    message('tool', list(fc.oneof(toolResult, approvalRequest))),
  ),
  { minLength: 1, maxLength: 4 },
)
