import { afterEach, expect, test, vi } from 'vitest'
import {
  rejectOnAbort,
  iterateUntilAborted,
  sleep,
  createAbortablePromise,
} from '../../src/wire/cancellation.ts'

afterEach(() => {
  vi.useRealTimers()
})

/** A signal that counts its listeners. */
function counted(): { readonly controller: AbortController; readonly listeners: () => number } {
  const controller = new AbortController()
  const { signal } = controller
  const listening = new Set<unknown>()
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)]
  signal.addEventListener = (type: string, listener: EventListener) => {
    listening.add(listener)
    add(type, listener)
  }
  signal.removeEventListener = (type: string, listener: EventListener) => {
    listening.delete(listener)
    remove(type, listener)
  }
  return { controller, listeners: () => listening.size }
}

test('no listener is left, whether the promise settles at once, later, never, or rejects', async () => {
  vi.useFakeTimers()
  const { controller, listeners } = counted()
  const { signal } = controller
  await createAbortablePromise<void>(signal, (resolve) => (resolve(), () => {}))
  expect(listeners()).toBe(0)
  const slept = sleep(10, signal)
  expect(listeners()).toBe(1)
  await vi.advanceTimersByTimeAsync(10)
  await slept
  expect(listeners()).toBe(0)
  await expect(
    createAbortablePromise(signal, (_resolve, reject) => (reject(new Error('no')), () => {})),
  ).rejects.toThrow('no')
  expect(listeners()).toBe(0)
  const stopped = expect(sleep(1_000, signal)).rejects.toMatchObject({ code: 'aborted', cause: 'why' })
  controller.abort('why')
  await stopped
  expect(listeners()).toBe(0)
  expect(vi.getTimerCount()).toBe(0)
})

test.each([Infinity, 2 ** 40])('a sleep of %d ms does not end at once', async (milliseconds) => {
  vi.useFakeTimers()
  let awake = false
  const controller = new AbortController()
  const slept = sleep(milliseconds, controller.signal).then(() => (awake = true))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(awake).toBe(false)
  controller.abort()
  await expect(slept).rejects.toMatchObject({ code: 'aborted' })
})

test('an operation that was aborted before does not start', async () => {
  let begun = false
  const waiting = createAbortablePromise(AbortSignal.abort(), () => {
    begun = true
    return () => {}
  })
  await expect(waiting).rejects.toMatchObject({ code: 'aborted' })
  expect(begun).toBe(false)
})

test('a hung promise is not awaited, and its later rejection is ignored', async () => {
  const { controller, listeners } = counted()
  const { signal } = controller
  expect(await rejectOnAbort(Promise.resolve(5), signal)).toBe(5)
  await expect(rejectOnAbort(Promise.reject(new Error('no')), signal)).rejects.toThrow('no')
  expect(listeners()).toBe(0)
  let fail = (_error: Error): void => {}
  const hanging = rejectOnAbort(new Promise((_resolve, reject) => (fail = reject)), signal)
  controller.abort('why')
  await expect(hanging).rejects.toMatchObject({ code: 'aborted', cause: 'why' })
  // Unhandled rejections fail the run.
  fail(new Error('late'))
  await expect(rejectOnAbort(Promise.reject(new Error('late')), signal)).rejects.toMatchObject({
    code: 'aborted',
  })
  expect(listeners()).toBe(0)
})

test('values end on abort, and their source is closed without waiting for it', async () => {
  const controller = new AbortController()
  const closed: string[] = []
  const source: AsyncIterable<number> = {
    [Symbol.asyncIterator]: () => ({
      next: () => (closed.length > 0 || reads++ > 0 ? new Promise(() => {}) : Promise.resolve({ value: 1 })),
      return: () => (closed.push('closed'), new Promise(() => {})),
    }),
  }
  let reads = 0
  const values = iterateUntilAborted(source, controller.signal)
  expect(await values.next()).toEqual({ done: false, value: 1 })
  const next = values.next()
  controller.abort()
  await expect(next).rejects.toMatchObject({ code: 'aborted' })
  expect(closed).toEqual(['closed'])
})

test('the error of a source is kept even if closing it fails, too', async () => {
  const source: AsyncIterable<number> = {
    [Symbol.asyncIterator]: () => ({
      next: () => Promise.reject(new Error('broken')),
      return: () => {
        throw new Error('stuck')
      },
    }),
  }
  const values = iterateUntilAborted(source, new AbortController().signal)
  await expect(values.next()).rejects.toThrow('broken')
})
