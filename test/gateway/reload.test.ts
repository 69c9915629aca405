import { setTimeout as sleep } from 'node:timers/promises'
import { assistant, user } from 'interlingua'
import type { GatewayConfig } from 'interlingua/gateway'
import { scripted } from 'interlingua/providers'
import { type ConversationStorage, memoryStorage } from 'interlingua/stores'
import { describe, expect, test } from 'vitest'
import { PATHS, send } from './stored-responses-client.ts'
import { ask, startTestGateway, TARGETS } from './upstreams.ts'

const WORDS = Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ')

/** A configuration without storages. */
const other: GatewayConfig = { routes: [{ model: 'other', to: TARGETS.mistral }] }

/** A gateway whose configuration says when it is retired, with a storage that counts its calls after that. */
function startRetiring(config: (storage: ConversationStorage) => Partial<GatewayConfig>, delayMs = 0) {
  const facts = { isRetired: false, lateCalls: 0 }
  const inner = memoryStorage()
  const watch = (watched: ConversationStorage): ConversationStorage =>
    new Proxy({} as ConversationStorage, {
      get(_target, name) {
        const member: unknown = Reflect.get(watched, name, watched)
        if (typeof member !== 'function') return member
        return (...given: unknown[]): unknown => {
          if (facts.isRetired) facts.lateCalls += 1
          const result: unknown = Reflect.apply(member, watched, given)
          if (result instanceof Promise) return sleep(delayMs).then(() => result)
          return name === 'forTenant' ? watch(result as ConversationStorage) : result
        }
      },
    })
  const storage = watch(inner)
  const { gateway } = startTestGateway(
    { model: scripted(() => WORDS) },
    { ...config(storage), onRetired: () => (facts.isRetired = true) },
  )
  return { gateway, facts, inner }
}

const body = { model: 'upstream-anthropic', input: 'Hi', store: true }

describe('a configuration that was replaced', () => {
  test('retires at once if nothing uses it, and not before', async () => {
    const { gateway, facts } = startRetiring((storage) => ({ storage }))
    expect((await send(gateway, PATHS.responses, body)).status).toBe(200)
    expect(facts.isRetired).toBe(false)
    gateway.reload(other)
    await expect.poll(() => facts.isRetired).toBe(true)
  })

  test('is not replaced by one that is invalid', async () => {
    const { gateway, facts } = startRetiring((storage) => ({ storage }))
    expect(() => gateway.reload({ routes: 1 } as never)).toThrow()
    await sleep(20)
    expect(facts.isRetired).toBe(false)
  })

  test('is used until a streamed answer is stored, however slowly the client reads', async () => {
    const { gateway, facts, inner } = startRetiring((storage) => ({ storage }), 10)
    const post = { method: 'POST', body: JSON.stringify({ ...body, stream: true }) }
    const response = await gateway(new Request(`http://gateway.example${PATHS.responses}`, post))
    const reader = response.body?.getReader()
    let text = new TextDecoder().decode((await reader?.read())?.value)
    gateway.reload(other)
    await sleep(50)
    expect(facts).toEqual({ isRetired: false, lateCalls: 0 })
    for (let next = await reader?.read(); next?.done === false; next = await reader?.read())
      text += new TextDecoder().decode(next.value)
    await expect.poll(() => facts).toEqual({ isRetired: true, lateCalls: 0 })
    const [, id = ''] = /"id":"(resp_\w+)"/.exec(text) ?? []
    const stored = await send(startTestGateway({}, { storage: inner }).gateway, `${PATHS.responses}/${id}`)
    expect([stored.status, stored.text]).toEqual([200, expect.stringContaining(WORDS)])
  })

  test('retires when the client of a stream leaves', async () => {
    const { gateway, facts } = startRetiring((storage) => ({ storage }))
    const post = { method: 'POST', body: JSON.stringify({ ...body, stream: true }) }
    const response = await gateway(new Request(`http://gateway.example${PATHS.responses}`, post))
    gateway.reload(other)
    expect(facts.isRetired).toBe(false)
    await response.body?.cancel()
    await expect.poll(() => facts.isRetired).toBe(true)
  })

  test('is used until a response of the background is stored', async () => {
    const { gateway, facts } = startRetiring((storage) => ({ storage }), 5)
    const started = await send(gateway, PATHS.responses, { ...body, background: true })
    expect(started.body['status']).toBe('in_progress')
    gateway.reload(other)
    expect(facts.isRetired).toBe(false)
    await expect.poll(() => facts, { timeout: 5000 }).toEqual({ isRetired: true, lateCalls: 0 })
  })

  test('is used until conversations are recorded', async () => {
    const { gateway, facts, inner } = startRetiring((storage) => ({ recording: { storage } }), 10)
    const request = { model: 'upstream-anthropic', messages: [user('Hi'), assistant('Yes?'), user('Go on')] }
    expect((await ask(gateway, 'openai-chat', { ...request, maxOutputTokens: 9 })).status).toBe(200)
    gateway.reload(other)
    expect(facts.isRetired).toBe(false)
    await expect.poll(() => facts, { timeout: 5000 }).toEqual({ isRetired: true, lateCalls: 0 })
    expect([...(await inner.sessions()).sessions]).toHaveLength(1)
  })
})
