import fc from 'fast-check'
import { accumulate, type ChatEvent, type ChatResponse, toEvents, ProviderError, user } from 'interlingua'
import {
  caching,
  defaultSettings,
  fallback,
  logging,
  type Reply,
  rateLimit,
  scripted,
  wrapModel,
} from 'interlingua/providers'
import { describe, expect, test } from 'vitest'
import { splitDeltas } from '../../../src/client/split-deltas.ts'
import { createCacheKey } from '../../../src/client/middleware/caching.ts'
import { anyRequest, anyResponse } from '../../arbitraries.ts'

/** Responses with a message; fields beyond the canonical ones are not part of events. */
const anyAnswer: fc.Arbitrary<ChatResponse> = anyResponse
  .filter(({ candidates }) => candidates.length > 0)
  .map(({ extra: _extra, ...response }) => response)

/** Requests that a model accepts: those without messages are refused. */
const anyConversation = anyRequest.filter(({ messages }) => [...messages].length > 0)

async function read(stream: AsyncIterable<ChatEvent> & { readonly reply: Promise<Reply> }): Promise<unknown> {
  const events: ChatEvent[] = []
  for await (const event of stream) events.push(event)
  return { events, ...without(await stream.reply) }
}

/** Returns a reply without the fields that differ from call to call. */
function without({ timing: _timing, servedBy: _servedBy, ...reply }: Reply): object {
  return reply
}

const runs = { numRuns: 100 }

describe('whatever the request and the response', () => {
  test('split deltas have the same content', () =>
    fc.assert(
      fc.asyncProperty(anyAnswer, async (answer) => {
        const identity = { newId: () => 'msg_1' }
        expect(await accumulate(splitDeltas(toEvents(answer)), identity)).toEqual(
          await accumulate(toEvents(answer), identity),
        )
      }),
      runs,
    ))

  const busy = new ProviderError('busy', { kind: 'overloaded' })

  test('middleware without options changes nothing', () =>
    fc.assert(
      fc.asyncProperty(anyConversation, anyAnswer, async (request, answer) => {
        const createModel = (): ReturnType<typeof scripted> =>
          scripted(() => answer, { newId: () => 'msg_1' })
        const model = wrapModel(
          scripted(() => busy),
          logging({ log: () => {} }),
          caching({ store: { get: () => undefined, set: () => undefined } }),
          defaultSettings({}),
          rateLimit({ maxRequests: 1e9 }),
          fallback([createModel()]),
        )
        expect(without(await model.generate(request))).toEqual(without(await createModel().generate(request)))
        expect(await read(model.stream(request))).toEqual(await read(createModel().stream(request)))
      }),
      runs,
    ))

  test('a cached reply equals the original', () =>
    fc.assert(
      fc.asyncProperty(anyConversation, anyAnswer, async (request, answer) => {
        const [first, ...others] = answer.candidates
        if (first === undefined) return
        const finished = {
          ...answer,
          candidates: [{ ...first, finish: { reason: 'stop' as const } }, ...others],
        }
        const model = wrapModel(scripted([finished]), caching({ store: new Map() }))
        const original = await model.generate(request)
        const kept = await model.generate(request)
        const withoutIds = ({ response }: Reply): unknown => ({
          ...response,
          candidates: response.candidates.map(({ id: _id, ...message }) => message),
        })
        expect(withoutIds(kept)).toEqual(withoutIds(original))
      }),
      runs,
    ))

  test('a key depends on what the model gets, and on nothing else', () =>
    fc.assert(
      fc.property(anyRequest, (request) => {
        const model = scripted([])
        const key = createCacheKey(request, model)
        const noise = { id: 'msg_other', createdAt: '2026-01-01T00:00:00.000Z', metadata: { seen: true } }
        const messages = [...request.messages].map((message) => ({ ...message, ...noise }))
        expect(createCacheKey({ ...request, messages, stream: true, user: 'someone' }, model)).toBe(key)
        expect(createCacheKey({ ...request, messages: [...messages, user('More')] }, model)).not.toBe(key)
        expect(
          createCacheKey({ ...request, maxOutputTokens: (request.maxOutputTokens ?? 0) + 1 }, model),
        ).not.toBe(key)
      }),
      runs,
    ))
})
