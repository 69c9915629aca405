import { createGateway, type Gateway, type GatewayConfig } from 'interlingua/gateway'
import { scripted } from 'interlingua/providers'
import { memoryStorage } from 'interlingua/stores'
import { mockProvider, type MockProvider, type MockProviderOptions } from 'interlingua/testing/providers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createTestConfig } from './upstreams.ts'

type Body = Record<string, unknown> & { readonly id: string; readonly status: string }

const APIS = [
  ['/v1/responses', 'previous_response_id', 'starting_after'],
  ['/v1beta/interactions', 'previous_interaction_id', 'last_event_id'],
] as const

interface TestGateway {
  readonly gateway: Gateway
  readonly mock: MockProvider
  readonly signals: readonly AbortSignal[]
}

function start(options: MockProviderOptions, config: Partial<GatewayConfig>): TestGateway {
  const mock = mockProvider(options)
  const signals: AbortSignal[] = []
  const base = createTestConfig(mock, (init) => init?.signal && signals.push(init.signal))
  return { gateway: createGateway({ ...base, ...config }), mock, signals }
}

function request(path: string, body?: object, method?: string): Request {
  return new Request(`http://g.example${path}`, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    ...(body && { body: JSON.stringify(body) }),
  })
}

async function ask(gateway: Gateway, path: string, body?: object, method?: string): Promise<Body> {
  const response = await gateway(request(path, body, method))
  return { ...((await response.json()) as Body), httpStatus: response.status }
}

/** Waits until a response has a status. */
async function waitFor(gateway: Gateway, at: string, status: string): Promise<Body> {
  await expect.poll(async () => (await ask(gateway, at)).status, { timeout: 20_000 }).toBe(status)
  return ask(gateway, at)
}

const splitEvents = (text: string): readonly string[] => text.split('\n\n').filter((event) => event !== '')

const wanted = { model: 'upstream-anthropic', input: 'Hi', background: true }

afterEach(() => {
  vi.useRealTimers()
})

describe.each(APIS)('background answers of %s', (path, previous, after) => {
  test('are generated after the first answer, and can be continued', async () => {
    const { gateway, mock } = start({ model: scripted(['Hello!', 'Bye!']) }, { storage: memoryStorage() })
    const created = await ask(gateway, path, wanted)
    expect(created).toMatchObject({ httpStatus: 200, status: 'in_progress' })
    const finished = await waitFor(gateway, `${path}/${created.id}`, 'completed')
    expect(JSON.stringify(finished)).toContain('Hello!')
    const next = await ask(gateway, path, { ...wanted, background: false, [previous]: created.id })
    expect(next.status).toBe('completed')
    expect(JSON.stringify(mock.requests[1]?.body)).toMatch(/Hi.*Hello!.*Hi/)
  })

  test('cannot be continued before they have ended', async () => {
    const { gateway } = start({ faults: [{ type: 'stall', afterChunks: 2 }] }, { storage: memoryStorage() })
    const { id } = await ask(gateway, path, wanted)
    expect(await ask(gateway, path, { ...wanted, [previous]: id })).toMatchObject({ httpStatus: 400 })
    await ask(gateway, `${path}/${id}`, undefined, 'DELETE')
  })

  test('are streamed, also to a client that connects again', async () => {
    const storage = memoryStorage()
    const { gateway } = start({ faults: [{ type: 'slow', delayMs: 5 }] }, { storage })
    const response = await gateway(request(path, { ...wanted, stream: true }))
    const reader = response.body?.getReader()
    const first = new TextDecoder().decode((await reader?.read())?.value)
    const [, id = ''] = /"id":"([^"]+)"/.exec(first) ?? []
    await reader?.cancel()
    const live = splitEvents(await (await gateway(request(`${path}/${id}?stream=true`))).text())
    expect([live[0], live.at(-1)]).toEqual([first.trim(), expect.stringContaining('[DONE]')])
    const late = await (await gateway(request(`${path}/${id}?stream=true&${after}=2`))).text()
    expect(splitEvents(late)).toEqual(live.slice(3))
    expect((await ask(gateway, `${path}/${id}`)).status).toBe('completed')
    const { gateway: other } = start({}, { storage })
    expect((await other(request(`${path}/${id}?stream=true&${after}=2`))).status).toBe(400)
    expect((await other(request(`${path}/${id}?stream=true`))).status).toBe(200)
  })

  test('are cancelled: the call to the provider ends', async () => {
    const { gateway, signals } = start(
      { faults: [{ type: 'stall', afterChunks: 2 }] },
      { storage: memoryStorage() },
    )
    const { id } = await ask(gateway, path, wanted)
    await expect.poll(() => signals.length, { timeout: 20_000 }).toBe(1)
    expect(await ask(gateway, `${path}/${id}/cancel`, {})).toMatchObject({ id, status: 'cancelled' })
    await expect.poll(() => signals[0]?.aborted, { timeout: 20_000 }).toBe(true)
    expect(await ask(gateway, `${path}/${id}`)).toMatchObject({ id, status: 'cancelled' })
  })

  test('are the only ones that can be cancelled', async () => {
    const { gateway } = start({}, { storage: memoryStorage() })
    const { id } = await ask(gateway, path, { ...wanted, background: false })
    expect((await ask(gateway, `${path}/${id}/cancel`, {}))['httpStatus']).toBe(400)
  })

  test.each([
    ['before the answer', { type: 'error', status: 503 }],
    ['in the answer', { type: 'cut', afterChunks: 4 }],
  ] as const)('report an error %s', async (_when, fault) => {
    const { gateway } = start({ faults: [fault] }, { storage: memoryStorage() })
    const { id } = await ask(gateway, path, wanted)
    const failed = await waitFor(gateway, `${path}/${id}`, 'failed')
    expect(failed['error'] ?? failed['errors']).toBeTruthy()
    expect(failed.id).toBe(id)
  })

  test('that fail before the answer end their stream with the error', async () => {
    const { gateway } = start({ faults: [{ type: 'error', status: 503 }] }, { storage: memoryStorage() })
    const response = await gateway(request(path, { ...wanted, stream: true }))
    const names = splitEvents(await response.text()).map((event) => /^event: (\S+)/.exec(event)?.[1])
    expect(names).toEqual(expect.arrayContaining([expect.stringContaining('.created'), 'error']))
    if (path === '/v1/responses') expect(names.at(-2)).toBe('response.failed')
  })

  test('have failed if their gateway has stopped', async () => {
    let now = Date.now()
    const storage = memoryStorage({ now: () => now })
    const stopped = start({ faults: [{ type: 'stall', afterChunks: 2 }] }, { storage })
    const { id } = await ask(stopped.gateway, path, wanted)
    const { gateway } = start({}, { storage })
    expect((await ask(gateway, `${path}/${id}`)).status).toBe('in_progress')
    now += 61_000
    expect((await ask(gateway, `${path}/${id}`)).status).toBe('failed')
    await ask(stopped.gateway, `${path}/${id}`, undefined, 'DELETE')
  })

  test('are cancelled by another instance', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const storage = memoryStorage()
    const running = start({ faults: [{ type: 'stall', afterChunks: 2 }] }, { storage })
    const { id } = await ask(running.gateway, path, wanted)
    await expect.poll(() => running.signals.length, { timeout: 20_000 }).toBe(1)
    const { gateway } = start({}, { storage })
    expect((await ask(gateway, `${path}/${id}/cancel`, {})).status).toBe('cancelled')
    vi.advanceTimersByTime(16_000)
    await expect.poll(() => running.signals[0]?.aborted, { timeout: 20_000 }).toBe(true)
    expect((await ask(running.gateway, `${path}/${id}`)).status).toBe('cancelled')
  })

  test('stay cancelled if they end before their instance notices it', async () => {
    const storage = memoryStorage()
    const ended: unknown[] = []
    let release = (): void => {}
    const isReleased = new Promise<void>((resolve) => (release = resolve))
    const model = scripted(async () => {
      await isReleased
      return 'Hello!'
    })
    const running = start({ model }, { storage, onRequest: (entry) => ended.push(entry) })
    const { id } = await ask(running.gateway, path, wanted)
    const { gateway } = start({}, { storage })
    expect((await ask(gateway, `${path}/${id}/cancel`, {})).status).toBe('cancelled')
    release()
    await expect.poll(() => ended.length).toBe(1)
    expect((await ask(gateway, `${path}/${id}`)).status).toBe('cancelled')
  })
})
