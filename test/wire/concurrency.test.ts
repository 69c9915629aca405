import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ConcurrencyLimiter, mapConcurrently } from '../../src/wire/concurrency.ts'

/** Waits for some turns of the event loop, so that items end in another order than they started. */
async function waitTurns(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
}

describe('mapConcurrently', () => {
  test('keeps the order, never exceeds the limit, and uses it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat({ max: 4 }), { maxLength: 12 }),
        fc.integer({ min: 1, max: 5 }),
        async (turns, concurrency) => {
          let running = 0
          let peak = 0
          const results = await mapConcurrently(turns, { concurrency }, async (count) => {
            peak = Math.max(peak, ++running)
            await waitTurns(count + 1)
            running -= 1
            return `after ${count}`
          })
          expect(results).toEqual(turns.map((count) => `after ${count}`))
          expect(peak).toBe(Math.min(concurrency, turns.length))
        },
      ),
      { numRuns: 30 },
    )
  })

  test('rejects with the first error, aborts the items in progress and starts no other', async () => {
    const started: number[] = []
    const aborted: number[] = []
    const failing = mapConcurrently([0, 1, 2, 3], { concurrency: 2 }, async (item, signal) => {
      started.push(item)
      signal.addEventListener('abort', () => aborted.push(item))
      if (item === 1) throw new Error('item 1 failed')
      await new Promise(() => {})
    })
    await expect(failing).rejects.toThrow('item 1 failed')
    expect({ started, aborted }).toEqual({ started: [0, 1], aborted: [0, 1] })
  })

  test.each(['before', 'during'])('rejects at once when the caller aborts %s the work', async (moment) => {
    const controller = new AbortController()
    if (moment === 'before') controller.abort('stop')
    const hung = mapConcurrently(
      [1, 2],
      { concurrency: 1, signal: controller.signal },
      () => new Promise(() => {}),
    )
    controller.abort('stop')
    await expect(hung).rejects.toMatchObject({ code: 'aborted', cause: 'stop' })
  })

  test.each([0, -1, NaN])('rejects a limit of %d', async (concurrency) => {
    await expect(mapConcurrently([1], { concurrency }, async () => 1)).rejects.toMatchObject({
      path: '/concurrency',
    })
  })
})

test('a limiter runs tasks in their order, as many as it may, also after errors', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ turns: fc.nat({ max: 4 }), fails: fc.boolean() }), { maxLength: 12 }),
      fc.integer({ min: 1, max: 5 }),
      async (tasks, limit) => {
        const limiter = new ConcurrencyLimiter(limit)
        const started: number[] = []
        let running = 0
        let peak = 0
        const outcomes = await Promise.allSettled(
          tasks.map(({ turns, fails }, index) =>
            limiter.run(async () => {
              started.push(index)
              peak = Math.max(peak, ++running)
              await waitTurns(turns + 1)
              running -= 1
              if (fails) throw new Error(`task ${index}`)
              return index
            }),
          ),
        )
        expect(started).toEqual([...tasks.keys()])
        expect(peak).toBe(Math.min(limit, tasks.length))
        expect(outcomes.map(({ status }) => status === 'rejected')).toEqual(tasks.map(({ fails }) => fails))
      },
    ),
    { numRuns: 30 },
  )
})
