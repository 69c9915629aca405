import { expect, test, vi } from 'vitest'

/** A worker that never answers. */
class SilentWorker extends EventTarget {
  static started = 0
  static stopped = 0

  constructor() {
    super()
    SilentWorker.started++
  }

  postMessage(): void {}

  terminate(): void {
    SilentWorker.stopped++
  }
}

test('an input that takes longer than a minute ends with an error, and the next one starts another worker', async () => {
  vi.stubGlobal('Worker', SilentWorker)
  vi.useFakeTimers()
  const { callWorker } = await import('../../src/studio/page/lens/worker-client.ts')
  const calls = [callWorker('readStream'), callWorker('repair')]
  const ended = Promise.all(calls.map((call) => expect(call).rejects.toThrow('takes too long')))
  await vi.advanceTimersByTimeAsync(60_000)
  await ended
  expect([SilentWorker.started, SilentWorker.stopped]).toEqual([1, 1])
  const next = expect(callWorker('readStream')).rejects.toThrow('takes too long')
  await vi.advanceTimersByTimeAsync(60_000)
  await next
  expect([SilentWorker.started, SilentWorker.stopped]).toEqual([2, 2])
})
