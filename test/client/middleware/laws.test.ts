import fc from 'fast-check'
import { accumulate, type ChatEvent, type ChatResponse, emit, ProviderError, user } from 'interlingua'
import {
  caching,
  defaults,
  fallback,
  logging,
  type Reply,
  rateLimit,
  scripted,
  wrap,
} from 'interlingua/providers'
import { describe, expect, test } from 'vitest'
import { chunked } from '../../../src/client/chunks.ts'
import { cacheKey } from '../../../src/client/middleware/cache-key.ts'
import { anyRequest, anyResponse } from '../../arbitraries.ts'

/** Answers that have a message; what is beyond the canonical fields is no matter of events. */
const anyAnswer: fc.Arbitrary<ChatResponse> = anyResponse
  .filter(({ candidates }) => candidates.length > 0)
  .map(({ extra: _extra, ...response }) => response)

async function read(stream: AsyncIterable<ChatEvent> & { readonly reply: Promise<Reply> }): Promise<unknown> {
  const events: ChatEvent[] = []
  for await (const event of stream) events.push(event)
  return { events, ...without(await stream.reply) }
}

/** What a reply says, without what differs from call to call. */
function without({ timing: _timing, answeredBy: _answeredBy, ...reply }: Reply): object {
  return reply
}

const runs = { numRuns: 100 }

describe('whatever is asked and answered', () => {
  test('pieces say what the whole says', () =>
    fc.assert(
      fc.asyncProperty(anyAnswer, async (answer) => {
        const identity = { newId: () => 'msg_1' }
        expect(await accumulate(chunked(emit(answer)), identity)).toEqual(
          await accumulate(emit(answer), identity),
        )
      }),
      runs,
    ))

  const busy = new ProviderError('busy', { kind: 'overloaded' })

  test('what stands around a model changes nothing of it', () =>
    fc.assert(
      fc.asyncProperty(anyRequest, anyAnswer, async (request, answer) => {
        const bare = (): ReturnType<typeof scripted> => scripted(() => answer, { newId: () => 'msg_1' })
        const model = wrap(
          scripted(() => busy),
          logging({ log: () => {} }),
          caching({ store: { get: () => undefined, set: () => undefined } }),
          defaults({}),
          rateLimit({ requests: 1e9 }),
          fallback([bare()]),
        )
        expect(without(await model.generate(request))).toEqual(without(await bare().generate(request)))
        expect(await read(model.stream(request))).toEqual(await read(bare().stream(request)))
      }),
      runs,
    ))

  test('what was kept is what was said', () =>
    fc.assert(
      fc.asyncProperty(anyRequest, anyAnswer, async (request, answer) => {
        const [first, ...others] = answer.candidates
        if (first === undefined) return
        const finished = {
          ...answer,
          candidates: [{ ...first, finish: { reason: 'stop' as const } }, ...others],
        }
        const model = wrap(scripted([finished]), caching({ store: new Map() }))
        const said = await model.generate(request)
        const kept = await model.generate(request)
        const withoutIds = ({ response }: Reply): unknown => ({
          ...response,
          candidates: response.candidates.map(({ id: _id, ...message }) => message),
        })
        expect(withoutIds(kept)).toEqual(withoutIds(said))
      }),
      runs,
    ))

  test('a key depends on what is told, and on nothing else', () =>
    fc.assert(
      fc.property(anyRequest, (request) => {
        const model = scripted([])
        const key = cacheKey(request, model)
        const noise = { id: 'msg_other', createdAt: '2026-01-01T00:00:00.000Z', metadata: { seen: true } }
        const messages = [...request.messages].map((message) => ({ ...message, ...noise }))
        expect(cacheKey({ ...request, messages, stream: true, user: 'someone' }, model)).toBe(key)
        expect(cacheKey({ ...request, messages: [...messages, user('More')] }, model)).not.toBe(key)
        expect(cacheKey({ ...request, maxOutputTokens: (request.maxOutputTokens ?? 0) + 1 }, model)).not.toBe(
          key,
        )
      }),
      runs,
    ))
})
