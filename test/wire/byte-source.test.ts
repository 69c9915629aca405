import { expect, test } from 'vitest'
import { readBytes } from '../../src/wire/byte-source.ts'

async function* pieces(...texts: readonly (string | Uint8Array)[]): AsyncGenerator<string | Uint8Array> {
  yield* texts
}

test('returns all bytes joined', async () => {
  expect(await readBytes(pieces('ä', Uint8Array.of(1, 2), ''), 4)).toEqual(Uint8Array.of(0xc3, 0xa4, 1, 2))
  expect(await readBytes(pieces(), 0)).toEqual(new Uint8Array())
})

test('returns undefined for too many bytes and does not read the rest', async () => {
  let read = 0
  let released = false
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      read++
      controller.enqueue(new Uint8Array(10))
    },
    cancel() {
      released = true
    },
  })
  expect(await readBytes(endless, 25)).toBeUndefined()
  expect(released).toBe(true)
  expect(read).toBeLessThan(6)
})

test('does not wait for a source that never settles its cancellation', async () => {
  const stuck = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new Uint8Array(10)),
    cancel: () => new Promise(() => {}),
  })
  expect(await readBytes(stuck, 5)).toBeUndefined()
})
