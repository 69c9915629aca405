import fc from 'fast-check'
import { InterlinguaError, ProviderError, user } from 'interlingua'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runWithRetries } from '../../../src/client/transport/send-request.ts'
import { resolveTransportSettings } from '../../../src/client/transport/settings.ts'
import { openai } from 'interlingua/providers'
import { openaiChat } from '../../providers/fakes/openai-chat.ts'
import { type Fake, sends, startFake, streams } from '../../providers/fakes/server.ts'
import { usualOf } from '../../providers/fakes/table.ts'

const request = { messages: [user('Hi')] }
let fake: Fake
beforeAll(async () => {
  fake = await startFake(usualOf(openaiChat))
})
afterAll(() => fake.close())

/** A model whose delays are recorded and skipped. */
function patient(options: object = {}): { model: ReturnType<typeof openai>; waits: number[] } {
  const waits: number[] = []
  const sleep = (milliseconds: number): Promise<void> => {
    waits.push(milliseconds)
    return Promise.resolve()
  }
  const model = openai('fake-1', { apiKey: 'k', baseUrl: fake.url, random: () => 0.5, sleep, ...options })
  return { model, waits }
}

const busy = (headers: { readonly [name: string]: string } = {}): ReturnType<typeof sends> =>
  sends(openaiChat.error(429, 'Slow down'), 429, headers)

test('temporary errors are retried, and the reply has the number of attempts', async () => {
  fake.next(busy(), busy())
  const { model, waits } = patient()
  const reply = await model.generate(request)
  expect(reply.timing.attempts).toBe(3)
  expect(waits).toEqual([250, 500])
  fake.next(busy())
  expect((await model.stream(request).reply).timing.attempts).toBe(2)
})

test('the provider requests a delay: in milliseconds, in seconds, or by a date', async () => {
  const date = new Date(Date.UTC(2026, 0, 1)).toUTCString()
  const later = new Date(Date.UTC(2026, 0, 1, 0, 0, 7)).toUTCString()
  fake.next(
    busy({ 'retry-after-ms': '1234', 'retry-after': '9' }),
    busy({ 'retry-after': '2' }),
    busy({ 'retry-after': later, date }),
  )
  const { model, waits } = patient({ retry: { maxAttempts: 4 } })
  await model.generate(request)
  expect(waits).toEqual([1234, 2000, 7000])
})

test('a call whose requested delay is too long fails', async () => {
  fake.next(busy({ 'retry-after': '61' }))
  const before = fake.requests.length
  const { model, waits } = patient()
  await expect(model.generate(request)).rejects.toMatchObject({ kind: 'rate-limit', retryAfterMs: 61_000 })
  expect(waits).toEqual([])
  expect(fake.requests.length - before).toBe(1)
})

test('content of a failed attempt is not part of the response', async () => {
  fake.next(streams([openaiChat.errorEvent], openaiChat.streamType))
  const { raw, timing } = await patient().model.stream(request, { includeRaw: true }).reply
  expect(timing.attempts).toBe(2)
  expect(raw?.response).toBe(openaiChat.events.join(''))
})

test('a retry sends the same request', async () => {
  fake.next(busy())
  await patient().model.generate(request)
  const [first, second] = fake.requests.slice(-2)
  expect(second).toEqual(first)
})

describe('laws of delays', () => {
  const failures = fc.array(
    fc.record({ retryable: fc.boolean(), after: fc.option(fc.nat(100_000), { nil: undefined }) }),
    { minLength: 1, maxLength: 12 },
  )
  const retry = fc.record({
    maxAttempts: fc.integer({ min: 1, max: 8 }),
    baseDelayMs: fc.nat(5_000),
    maxDelayMs: fc.nat(60_000),
    maxTotalDelayMs: fc.nat(120_000),
  })

  test('attempts, delays and the total time never exceed their limits', () =>
    fc.assert(
      fc.asyncProperty(
        failures,
        retry,
        fc.nat(200_000),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        async (script, allowed, total, chance) => {
          let time = 0
          let attempts = 0
          const waits: number[] = []
          const settings = resolveTransportSettings({
            retry: allowed,
            timeouts: { totalMs: total },
            now: () => time,
            random: () => chance,
            sleep: (milliseconds) => {
              waits.push(milliseconds)
              time += milliseconds
              return Promise.resolve()
            },
          })
          const attempt = (): Promise<number> => {
            const failure = script[attempts++]
            if (failure === undefined) return Promise.resolve(attempts)
            const { retryable, after } = failure
            throw new ProviderError('No', {
              kind: 'rate-limit',
              shouldRetry: retryable,
              ...(after !== undefined && { retryAfterMs: after }),
            })
          }
          const outcome = await runWithRetries(attempt, settings, {}).catch((error: unknown) => error)
          expect(attempts).toBeLessThanOrEqual(allowed.maxAttempts)
          expect(waits.length).toBe(attempts - 1)
          expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeLessThanOrEqual(allowed.maxTotalDelayMs)
          for (const [index, wait] of waits.entries()) {
            const { after } = script[index] ?? {}
            expect(wait).toBeLessThanOrEqual(allowed.maxDelayMs)
            if (after === undefined) expect(wait).toBeLessThanOrEqual(allowed.baseDelayMs * 2 ** index)
            else expect(wait).toBe(after)
          }
          if (attempts > 1) expect(time).toBeLessThan(total)
          const before = script.slice(0, attempts - 1)
          expect(before.every(({ retryable }) => retryable)).toBe(true)
          if (outcome instanceof InterlinguaError) expect(attempts).toBeLessThanOrEqual(script.length)
          else expect(outcome).toEqual({ value: attempts, attempts })
        },
      ),
    ))
})
