import { user } from 'interlingua'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Model } from '../../../src/canonical/model/model-interface.ts'
import { rateLimit, type RateLimitOptions } from '../../../src/client/middleware/rate-limit.ts'
import { wrapModel } from '../../../src/client/middleware/middleware.ts'
import { scripted } from '../../../src/client/scripted-model.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const request = { messages: [user('Hi')] }

/** A limited model, and the times at which the inner model was called. */
function limited(options: RateLimitOptions, tokens = 0): { readonly model: Model; readonly asked: string[] } {
  const asked: string[] = []
  const usage = { inputTokens: tokens, outputTokens: 0, totalTokens: tokens }
  const inner = scripted(
    ({ user: who = '' }) => {
      asked.push(`${who}@${Math.round(performance.now() - start)}`)
      return 'ok'
    },
    { usage },
  )
  const start = performance.now()
  return { model: wrapModel(inner, rateLimit(options)), asked }
}

describe('requests', () => {
  test('requests within the limit are sent at once, the others in order as capacity returns', async () => {
    const { model, asked } = limited({ maxRequests: 2, intervalMs: 1_000 })
    const all = Promise.all(['a', 'b', 'c', 'd', 'e'].map((who) => model.generate({ ...request, user: who })))
    await vi.advanceTimersByTimeAsync(0)
    expect(asked).toEqual(['a@0', 'b@0'])
    await vi.advanceTimersByTimeAsync(2_000)
    await all
    expect(asked).toEqual(['a@0', 'b@0', 'c@500', 'd@1000', 'e@1500'])
  })

  test('streams wait in the same queue', async () => {
    const { model, asked } = limited({ maxRequests: 1, intervalMs: 1_000 })
    const all = [
      model.stream({ ...request, user: 'a' }).reply,
      model.generate({ ...request, user: 'b' }),
      model.stream({ ...request, user: 'c' }).reply,
    ]
    await vi.advanceTimersByTimeAsync(2_000)
    await Promise.all(all)
    expect(asked).toEqual(['a@0', 'b@1000', 'c@2000'])
  })

  test('unused capacity does not accumulate beyond one interval', async () => {
    const { model, asked } = limited({ maxRequests: 2, intervalMs: 1_000 })
    await vi.advanceTimersByTimeAsync(60_000)
    const all = Promise.all(['a', 'b', 'c'].map((who) => model.generate({ ...request, user: who })))
    await vi.advanceTimersByTimeAsync(500)
    await all
    expect(asked).toEqual(['a@60000', 'b@60000', 'c@60500'])
  })
})

test('excess tokens are compensated by waiting', async () => {
  const { model, asked } = limited({ maxTokens: 100, intervalMs: 1_000 }, 250)
  await model.generate({ ...request, user: 'a' })
  const next = model.generate({ ...request, user: 'b' })
  await vi.advanceTimersByTimeAsync(1_500)
  expect(asked).toEqual(['a@0'])
  await vi.advanceTimersByTimeAsync(20)
  await next
  expect(asked).toEqual(['a@0', 'b@1510'])
})

test('an aborted request leaves the queue and does not delay the others', async () => {
  const { model, asked } = limited({ maxRequests: 1, intervalMs: 1_000 })
  const controller = new AbortController()
  await model.generate({ ...request, user: 'a' })
  const gone = model.generate({ ...request, user: 'b' }, { signal: controller.signal })
  const next = model.generate({ ...request, user: 'c' })
  const refused = expect(gone).rejects.toMatchObject({ code: 'aborted' })
  controller.abort()
  await refused
  await vi.advanceTimersByTimeAsync(1_000)
  await next
  expect(asked).toEqual(['a@0', 'c@1000'])
})

test('no timer runs while the queue is empty', async () => {
  const { model } = limited({ maxRequests: 1, intervalMs: 1_000 })
  const controller = new AbortController()
  await model.generate(request)
  const gone = model.generate(request, { signal: controller.signal }).catch(() => {})
  await vi.advanceTimersByTimeAsync(1)
  expect(vi.getTimerCount()).toBe(1)
  controller.abort()
  await gone
  expect(vi.getTimerCount()).toBe(0)
})

test('several models can share one limit', async () => {
  const limit = rateLimit({ maxRequests: 1, intervalMs: 1_000 })
  const [one, two] = [scripted(['a']), scripted(['b'])]
  await wrapModel(one, limit).generate(request)
  const waiting = wrapModel(two, limit).generate(request)
  await vi.advanceTimersByTimeAsync(999)
  expect(two.calls).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  await waiting
})

test.each<[string, RateLimitOptions]>([
  ['/maxRequests', { maxRequests: 0 }],
  ['/maxTokens', { maxTokens: -1 }],
  ['/maxRequests', { maxRequests: 1, intervalMs: 0 }],
  ['/maxRequests', { maxRequests: NaN }],
])('a limit that would allow no request is rejected at %s: %j', (path, options) => {
  expect(() => rateLimit(options)).toThrow(expect.objectContaining({ code: 'invalid-value', path }) as Error)
})
