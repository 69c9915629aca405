import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mapInOrder } from '../../src/cli/convert/map-in-order.ts'

async function* numbers(count: number, failAt = Infinity): AsyncGenerator<number> {
  for (let number = 0; number < count; number++) {
    if (number === failAt) throw new Error('the source failed')
    yield number
  }
}

const window = { maxItems: 3, maxSize: Infinity, measure: () => 1 }

describe('results of concurrent conversions', () => {
  test('come in the order of the input, and the window is never exceeded', async () => {
    const delays = fc.array(fc.nat(3), { maxLength: 20 })
    const property = fc.asyncProperty(delays, fc.integer({ min: 1, max: 5 }), async (turns, maxItems) => {
      let open = 0
      let most = 0
      const convert = async (number: number): Promise<number> => {
        most = Math.max(most, ++open)
        for (let left = turns[number] ?? 0; left > 0; left--) await turn()
        return number
      }
      const results: number[] = []
      for await (const number of mapInOrder(numbers(turns.length), convert, { ...window, maxItems })) {
        await turn()
        results.push(number)
        open--
      }
      expect(results).toEqual([...turns.keys()])
      expect(most).toBeLessThanOrEqual(maxItems)
    })
    await fc.assert(property, { numRuns: 30 })
  })

  test('inputs larger than the window are converted one by one', async () => {
    let open = 0
    const convert = async (): Promise<number> => ++open
    const limits = { maxItems: 10, maxSize: 5, measure: () => 100 }
    for await (const count of mapInOrder(numbers(5), convert, limits)) {
      expect(count).toBe(1)
      open--
    }
  })

  test('are yielded while the source is idle', async () => {
    async function* idle(): AsyncGenerator<number> {
      yield 1
      await pause(60_000, undefined, { ref: false })
    }
    for await (const number of mapInOrder(idle(), (each) => Promise.resolve(each), window)) {
      expect(number).toBe(1)
      break
    }
  })

  test('before an error of the source are yielded; an error of a conversion ends the rest', async () => {
    const seen: number[] = []
    const collect = async (source: AsyncIterable<number>): Promise<void> => {
      for await (const number of source) seen.push(number)
    }
    const same = (number: number): Promise<number> => Promise.resolve(number)
    await expect(collect(mapInOrder(numbers(9, 2), same, window))).rejects.toThrow('the source failed')
    const failing = (number: number): Promise<number> =>
      number === 1 ? Promise.reject(new Error('line 1')) : same(number)
    await expect(collect(mapInOrder(numbers(9), failing, window))).rejects.toThrow('line 1')
    expect(seen).toEqual([0, 1, 0])
  })
})
