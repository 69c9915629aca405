import fc from 'fast-check'
import type { JsonObject } from 'interlingua'
import { anyJson, anyObject, anyText, callId } from '../../arbitraries.ts'
import { objectOf } from './ui-message-arbitrary.ts'

const timestamp = fc.constantFrom(0, 1_769_860_800_000, -1, 1.5)

const text = objectOf({ type: fc.constant('text'), text: anyText }, { textSignature: anyText })
const image = objectOf({
  type: fc.constant('image'),
  data: fc.base64String(),
  mimeType: fc.constantFrom('image/png', 'image/jpeg'),
})
const content = fc.oneof(anyText, fc.array(fc.oneof(text, image), { maxLength: 3 }))

const answerBlock = fc.oneof(
  text,
  objectOf(
    { type: fc.constant('thinking'), thinking: anyText },
    { thinkingSignature: anyText, redacted: fc.boolean() },
  ),
  objectOf(
    {
      type: fc.constant('toolCall'),
      id: callId,
      name: fc.constantFrom('bash', '__proto__'),
      arguments: anyObject,
    },
    { thoughtSignature: anyText, namespace: anyText, argumentsError: anyText },
  ),
)

const count = fc.nat(99)
const usage = objectOf(
  {
    input: count,
    output: count,
    cacheRead: count,
    cacheWrite: count,
    totalTokens: count,
    cost: fc.constant({ input: 0.1, output: 0, cacheRead: 0, cacheWrite: 0, total: 0.1 }),
  },
  { reasoning: count },
)

/** Messages of pi, with those of its coding agent. */
export const anyPiMessages: fc.Arbitrary<JsonObject[]> = fc.array(
  fc.oneof(
    objectOf(
      {
        role: fc.constant('system'),
        content: fc.oneof(anyText, fc.array(text, { maxLength: 2 })),
        timestamp,
      },
      {
        sections: fc.dictionary(
          fc.constantFrom('tools', 'skills', '__proto__'),
          fc.oneof(anyText, fc.constant(null)),
        ),
        toolsAdded: fc.constant([{ name: 'bash', description: 'Runs.', parameters: {} }]),
      },
    ),
    objectOf({ role: fc.constant('user'), content, timestamp }),
    objectOf(
      {
        role: fc.constant('assistant'),
        content: fc.array(answerBlock, { maxLength: 4 }),
        api: fc.constantFrom('anthropic-messages', 'openai-responses', 'google-vertex', 'my-api'),
        provider: fc.constantFrom('anthropic', 'unknown'),
        model: fc.oneof(anyText, fc.constant('unknown')),
        usage,
        stopReason: fc.constantFrom('pending', 'stop', 'length', 'toolUse', 'error', 'aborted'),
        timestamp,
      },
      { responseId: anyText, errorMessage: anyText, durationMs: count },
    ),
    objectOf(
      {
        role: fc.constant('toolResult'),
        toolCallId: callId,
        toolName: fc.constant('bash'),
        content: fc.array(fc.oneof(text, image), { maxLength: 2 }),
        isError: fc.boolean(),
        timestamp,
      },
      { details: anyJson },
    ),
    objectOf({
      role: fc.constant('custom'),
      customType: anyText,
      content,
      display: fc.boolean(),
      timestamp,
    }),
    objectOf({ role: fc.constantFrom('branchSummary', 'compactionSummary'), summary: anyText, timestamp }),
    objectOf({ role: fc.constant('bashExecution'), command: anyText, output: anyText, timestamp }),
  ),
  { minLength: 1, maxLength: 5 },
)
