import { hashKey } from 'interlingua/gateway'
import { expect, test } from 'vitest'
import type { GatewayEntry } from '../../src/studio/api/contract.ts'
import { GatewayMonitor } from '../../src/studio/gateway-monitor.ts'

const KEY = 'key-of-the-test'
const digest = await hashKey(KEY)

/** Sends a request that fails at once, and returns its id. */
async function send(monitor: GatewayMonitor): Promise<string> {
  const body = JSON.stringify({ model: 'unknown', messages: [] })
  const headers = { authorization: `Bearer ${KEY}` }
  const request = new Request('http://127.0.0.1/gateway/v1/chat/completions', {
    method: 'POST',
    headers,
    body,
  })
  const response = await monitor.answer(request)
  await response.text()
  return response.headers.get('x-request-id') ?? ''
}

async function readAll(entries: AsyncIterable<GatewayEntry>): Promise<readonly string[]> {
  const ids: string[] = []
  for await (const { requestId } of entries) ids.push(requestId)
  return ids
}

test('a watch yields the requests before and after its start, until it is aborted or closed', async () => {
  const monitor = new GatewayMonitor(digest)
  const before = await send(monitor)
  const controller = new AbortController()
  const aborted = monitor.watch(controller.signal)
  expect((await aborted.next()).value?.requestId).toBe(before)
  const next = aborted.next()
  const closed = readAll(monitor.watch(new AbortController().signal))
  const after = await send(monitor)
  expect((await next).value?.requestId).toBe(after)
  const end = aborted.next()
  controller.abort()
  expect((await end).done).toBe(true)
  // The watch reads what it has been woken for.
  await new Promise((resolve) => setImmediate(resolve))
  monitor.close()
  expect(await closed).toEqual([before, after])
  expect(monitor.findBody(after)).toContain('unknown')
})

test('a reader that is too slow misses the oldest requests, and nothing grows for it', async () => {
  const monitor = new GatewayMonitor(digest)
  const watch = monitor.watch(new AbortController().signal)
  const first = watch.next()
  const ids: string[] = []
  for (let count = 0; count < 510; count++) ids.push(await send(monitor))
  expect((await first).value?.requestId).toBe(ids[0])
  expect((await watch.next()).value?.requestId).toBe(ids[10])
  expect(monitor.requestCount).toBe(510)
  monitor.close()
  expect((await watch.next()).done).toBe(true)
})
