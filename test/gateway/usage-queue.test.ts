import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { UsageQueue } from '../../src/gateway/node/usage-queue.ts'

const one = { requests: 1, tokens: 2, cost: 0 }

test('what waits for a write is written together, and each gets the sums with its own amounts', async () => {
  let sum = 0
  const writes: number[] = []
  const queue = new UsageQueue(async (_key, { requests }) => {
    await sleep(5)
    writes.push(requests)
    sum += requests
    return { requests: sum, tokens: sum * 2, cost: 0 }
  })
  const add = async (): Promise<number> => (await queue.add('a', one, 1000)).requests
  const first = add()
  await sleep(1)
  const sums = await Promise.all([first, add(), add(), add()])
  expect([sums, writes]).toEqual([
    [1, 2, 3, 4],
    [1, 3],
  ])
  expect(await queue.add('a', one, 1000)).toEqual({ requests: 5, tokens: 10, cost: 0 })
})

test('a write that fails fails for those that it contains, and not for the next', async () => {
  let count = 0
  const queue = new UsageQueue(async (_key, amounts) => {
    if (count++ === 0) throw new Error('down')
    return amounts
  })
  await expect(Promise.all([queue.add('a', one, 1), queue.add('a', one, 1)])).rejects.toThrow('down')
  expect(await queue.add('a', one, 1)).toEqual(one)
})
