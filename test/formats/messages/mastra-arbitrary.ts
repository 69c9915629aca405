import fc from 'fast-check'
import type { JsonObject } from 'interlingua'
import { anyJson, anyObject, anyText, callId } from '../../arbitraries.ts'
import { objectOf, providerMetadata } from './ui-message-arbitrary.ts'

const stored = { providerMetadata, createdAt: fc.constant(1_769_860_800_000) }

const text = objectOf({ type: fc.constant('text'), text: anyText }, stored)
const file = objectOf(
  {
    type: fc.constant('file'),
    mimeType: fc.constantFrom('image/png', 'application/pdf'),
    data: fc.oneof(
      fc.base64String(),
      fc.constantFrom('https://example.org/a.png', 'data:image/png;base64,AAAA'),
    ),
  },
  { ...stored, filename: anyText },
)

const call = { toolCallId: callId, toolName: fc.constantFrom('weather', '__proto__'), args: anyObject }
const invocation = fc.oneof(
  objectOf({ ...call, state: fc.constantFrom('partial-call', 'call') }, { step: fc.nat(3) }),
  objectOf({ ...call, state: fc.constant('result'), result: anyJson }, { step: fc.nat(3) }),
  objectOf({ ...call, state: fc.constant('result'), result: anyText, isError: fc.constant(true) }),
  objectOf({ ...call, state: fc.constant('output-error'), errorText: anyText }, { rawInput: anyJson }),
  objectOf({ ...call, state: fc.constant('approval-requested'), approval: fc.constant({ id: 'a' }) }),
  objectOf({
    ...call,
    state: fc.constant('output-denied'),
    approval: fc.constant({ id: 'a', approved: false }),
  }),
)

const detail = fc.oneof(
  objectOf({ type: fc.constant('text'), text: anyText }, { signature: anyText }),
  objectOf({ type: fc.constant('redacted'), data: anyText }),
)

const answerPart = fc.oneof(
  text,
  file,
  fc.constant({ type: 'step-start' }),
  {
    weight: 3,
    arbitrary: objectOf(
      { type: fc.constant('tool-invocation'), toolInvocation: invocation },
      { ...stored, providerExecuted: fc.boolean(), title: anyText },
    ),
  },
  objectOf(
    { type: fc.constant('reasoning'), reasoning: anyText },
    { ...stored, details: fc.array(detail, { maxLength: 2 }) },
  ),
  objectOf({
    type: fc.constant('source'),
    source: objectOf(
      { sourceType: fc.constant('url'), id: anyText, url: fc.constant('https://example.org') },
      { title: anyText, providerMetadata },
    ),
  }),
  objectOf({ type: fc.constant('data-weather'), data: anyJson }),
)

const message = (role: string, part: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> =>
  objectOf(
    {
      id: fc.oneof(fc.uuid(), fc.constant('m1')),
      role: fc.constant(role),
      content: objectOf(
        { format: fc.constant(2), parts: fc.array(part, { maxLength: 5 }) },
        {
          content: anyText,
          reasoning: anyText,
          toolInvocations: fc.array(invocation, { maxLength: 1 }),
          metadata: anyObject,
          annotations: fc.array(anyJson, { maxLength: 1 }),
        },
      ),
    },
    {
      createdAt: fc.constantFrom('2026-01-31T12:00:00.000Z', 'yesterday'),
      threadId: anyText,
      resourceId: anyText,
      type: fc.constant('text'),
    },
  )

/** Messages of Mastra, as its stores keep them. */
export const anyMastraMessages: fc.Arbitrary<JsonObject[]> = fc.array(
  fc.oneof(
    message('system', text),
    message('user', fc.oneof(text, file)),
    { weight: 3, arbitrary: message('assistant', answerPart) },
    message('signal', text),
  ),
  { minLength: 1, maxLength: 4 },
)
