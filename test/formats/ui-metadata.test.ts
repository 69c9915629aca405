import type { UIMessage } from 'ai'
import { assistant, type ChatEvent, toEvents, reasoning, text, toolCall } from 'interlingua'
import { buildMessageMetadata } from 'interlingua/formats/ai-sdk-ui'
import { describe, expect, test } from 'vitest'
import { show } from './sdk-reader.ts'
import { client, loop, usage } from './tool-loop-events.ts'

describe('signatures', () => {
  const thought = reasoning('Hm.', { signature: { vendor: 'anthropic', value: 'sig' } })
  const hidden = reasoning('', { redacted: true, signature: { vendor: 'anthropic', value: 'data' } })
  const signedText = text('Hi', { signature: { vendor: 'google', value: 'thought' } })
  const called = toolCall({ id: 'c', name: 'f', signature: { vendor: 'someone', value: 'other' } })
  const events = toEvents({ candidates: [assistant([thought, hidden, signedText, called])] })

  test('are stored under the keys that the SDK’s providers read', async () => {
    const { message } = await show(events)
    expect(message?.parts.slice(1)).toMatchObject([
      { providerMetadata: { anthropic: { signature: 'sig' } } },
      { providerMetadata: { anthropic: { redactedData: 'data' }, interlingua: { redacted: true } } },
      { providerMetadata: { google: { thoughtSignature: 'thought' } } },
      { callProviderMetadata: { interlingua: { signature: { vendor: 'someone', value: 'other' } } } },
    ])
  })

  test('are the encrypted values of AG-UI', async () => {
    const reader = await client(events)
    expect(reader.messages.map(({ encrypted }) => encrypted)).toEqual(['sig', 'data', 'thought'])
    expect(reader.calls[0]?.encrypted).toBe('other')
  })
})

describe('data that arrives after its part was closed', () => {
  const citations = [{ type: 'source', url: 'https://example.com', title: 'Example' }] as const
  const part = { type: 'reasoning', text: '', redacted: true } as const
  const events: readonly ChatEvent[] = [
    { type: 'part-start', index: 0, part },
    { type: 'part-update', index: 0, signature: { vendor: 'openai', value: 'old' } },
    { type: 'part-end', index: 0 },
    { type: 'text-delta', index: 1, text: 'Hi' },
    { type: 'part-end', index: 1 },
    { type: 'part-update', index: 1, citations },
    { type: 'part-update', index: 0, signature: { vendor: 'openai', value: 'new' } },
    { type: 'finish', finish: { reason: 'stop' } },
  ]

  test('becomes a source all the same', async () => {
    const { message } = await show(events)
    expect(message?.parts.at(-1)).toMatchObject({
      type: 'source-url',
      url: 'https://example.com',
      title: 'Example',
    })
  })

  test('has events of its own', async () => {
    const reader = await client(events)
    expect(reader.messages[0]?.encrypted).toBe('new')
    expect(reader.custom).toMatchObject([
      { name: 'interlingua.citations', value: { messageId: 'r-0-1', citations } },
    ])
  })

  test('removes the signature if the text differs', async () => {
    const restated: ChatEvent[] = [
      { type: 'reasoning-delta', index: 0, text: 'Hm' },
      {
        type: 'part-end',
        index: 0,
        replaces: true,
        part: reasoning('Ah', { signature: { vendor: 'openai', value: 's' } }),
      },
    ]
    expect((await show(restated)).message?.parts[1]).not.toHaveProperty('providerMetadata.openai')
    expect((await client(restated)).messages).toMatchObject([{ content: 'Hm' }])
    expect((await client(restated)).messages[0]?.encrypted).toBeUndefined()
  })
})

describe('options', () => {
  test('metadata is sent only on request', async () => {
    expect((await show(loop)).message?.metadata).toBeUndefined()
    const { message } = await show(loop, { messageMetadata: buildMessageMetadata })
    expect(message?.metadata).toEqual({ model: 'm', usage, finish: { reason: 'stop' } })
  })

  test('tools that the client does not know by name are dynamic', async () => {
    const { message } = await show(loop, { isDynamicTool: (name) => name === 'weather' })
    const tools = message?.parts.filter(({ type }) => type.includes('tool')) as UIMessage['parts']
    expect(tools).toMatchObject([
      { type: 'dynamic-tool', toolName: 'weather', output: { celsius: 4 } },
      { type: 'tool-clock' },
    ])
  })

  test('opaque events and parts are sent as data on request', async () => {
    const value = { a: 1, ['__proto__']: 2 }
    const events: ChatEvent[] = [
      { type: 'opaque', dialect: 'd', value: { ping: true } },
      { type: 'part-start', index: 0, part: { type: 'opaque', dialect: 'd', value } },
      { type: 'part-end', index: 0 },
    ]
    const { message } = await show(events, { opaque: 'data' })
    expect(message?.parts).toEqual([
      { type: 'step-start' },
      { type: 'data-opaque', id: '0-0', data: { dialect: 'd', value: { a: 1 } } },
    ])
    const reader = await client(events)
    expect(reader.raw).toEqual([{ ping: true }])
    expect(reader.custom).toMatchObject([{ name: 'interlingua.opaque', value: { dialect: 'd' } }])
  })

  test('the message has the id of the option', async () => {
    expect((await show(loop, { messageId: 'mine' })).message?.id).toBe('mine')
  })
})
