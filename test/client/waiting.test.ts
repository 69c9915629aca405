import { afterEach, expect, test, vi } from 'vitest'
import { sleep, untilAborted } from '../../src/client/abort.ts'

afterEach(() => {
  vi.useRealTimers()
})

/** A signal that counts who listens to it. */
function counted(): { readonly controller: AbortController; readonly listeners: () => number } {
  const controller = new AbortController()
  const { signal } = controller
  let count = 0
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)]
  signal.addEventListener = (type: string, listener: EventListener) => {
    count++
    add(type, listener)
  }
  signal.removeEventListener = (type: string, listener: EventListener) => {
    count--
    remove(type, listener)
  }
  return { controller, listeners: () => count }
}

test('nobody is left listening, whether it comes at once, later, never, or fails', async () => {
  vi.useFakeTimers()
  const { controller, listeners } = counted()
  const { signal } = controller
  await untilAborted<void>(signal, (resolve) => (resolve(), () => {}))
  expect(listeners()).toBe(0)
  const slept = sleep(10, signal)
  expect(listeners()).toBe(1)
  await vi.advanceTimersByTimeAsync(10)
  await slept
  expect(listeners()).toBe(0)
  await expect(
    untilAborted(signal, (_resolve, reject) => (reject(new Error('no')), () => {})),
  ).rejects.toThrow('no')
  expect(listeners()).toBe(0)
  const stopped = expect(sleep(1_000, signal)).rejects.toMatchObject({ code: 'aborted', cause: 'why' })
  controller.abort('why')
  await stopped
  expect(listeners()).toBe(0)
  expect(vi.getTimerCount()).toBe(0)
})

test('what was aborted before does not begin', async () => {
  let begun = false
  const waiting = untilAborted(AbortSignal.abort(), () => {
    begun = true
    return () => {}
  })
  await expect(waiting).rejects.toMatchObject({ code: 'aborted' })
  expect(begun).toBe(false)
})
