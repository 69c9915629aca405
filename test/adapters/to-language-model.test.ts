import type { LanguageModelV3, LanguageModelV3StreamPart } from '@ai-sdk/provider'
import { generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai'
import { assistant, type ChatRequest, reasoning, text, toolCall } from 'interlingua'
import { toLanguageModel } from 'interlingua/adapters/ai-sdk'
import { attachSignature } from 'interlingua/content'
import { anthropic, scripted, type ScriptEntry } from 'interlingua/providers'
import { startMockServer } from 'interlingua/testing/providers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

// The SDK prints warnings to the console.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })

const usage = { inputTokens: 10, outputTokens: 5, totalTokens: 15, cachedInputTokens: 4, reasoningTokens: 2 }
const thoughts = attachSignature(reasoning('A call is needed'), { vendor: 'anthropic', value: 'dG9rZW4=' })
const call = toolCall({ id: 'call_1', name: 'weather', arguments: { city: 'Oslo' } })
const loop: readonly ScriptEntry[] = [assistant([thoughts, call]), assistant('Snow in Oslo')]
const weather = tool({
  description: 'Current weather',
  inputSchema: jsonSchema<{ city: string }>({ type: 'object', properties: { city: { type: 'string' } } }),
  execute: ({ city }) => ({ city, sky: 'snow' }),
})

describe.each(['whole', 'streamed'] as const)('a %s tool loop of the AI SDK', (form) => {
  async function run(model: LanguageModelV3) {
    const options = { model, prompt: 'Weather?', tools: { weather }, stopWhen: stepCountIs(3), maxRetries: 0 }
    if (form === 'whole') return generateText(options)
    const result = streamText(options)
    await result.consumeStream()
    return { text: await result.text, steps: await result.steps, totalUsage: await result.totalUsage }
  }

  test('runs on any model, and sends signatures back', async () => {
    const model = scripted(loop, { usage })
    const { text: answer, steps, totalUsage } = await run(toLanguageModel(model))
    expect(answer).toBe('Snow in Oslo')
    expect(steps.map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop'])
    expect(totalUsage).toMatchObject({ inputTokens: 20, outputTokens: 10, cachedInputTokens: 8 })
    const [first, second] = model.requests as readonly [ChatRequest, ChatRequest]
    expect(first.tools).toMatchObject([{ type: 'function', name: 'weather', description: 'Current weather' }])
    const [, sent, results] = [...second.messages]
    expect(sent?.content).toMatchObject([thoughts, { type: 'tool-call', id: 'call_1', name: 'weather' }])
    expect(results?.content).toMatchObject([
      {
        type: 'tool-result',
        callId: 'call_1',
        content: [{ type: 'json', value: { city: 'Oslo', sky: 'snow' } }],
      },
    ])
  })
})

test('a stream has the same content as a complete response', async () => {
  const cited = text('Snow', { citations: [{ type: 'source', url: 'https://example.com/', title: 'Sky' }] })
  const script = [assistant([thoughts, cited, call])]
  const options = { prompt: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hi' }] }] }
  const whole = await toLanguageModel(scripted(script, { usage })).doGenerate(options)
  const { stream } = await toLanguageModel(scripted(script, { usage })).doStream(options)
  const parts: LanguageModelV3StreamPart[] = []
  for await (const part of stream) parts.push(part)
  const types = parts.map(({ type }) => type)
  expect(types.filter((type, index) => type !== types[index - 1])).toEqual([
    'stream-start',
    'response-metadata',
    'reasoning-start',
    'reasoning-delta',
    'reasoning-end',
    'text-start',
    'text-delta',
    'text-end',
    'source',
    'tool-input-start',
    'tool-input-delta',
    'tool-input-end',
    'tool-call',
    'finish',
  ])
  expect(whole.content.map(({ type }) => type)).toEqual(['reasoning', 'text', 'source', 'tool-call'])
  expect(parts.at(-1)).toMatchObject({ finishReason: whole.finishReason, usage: whole.usage })
})

describe('against a strict provider', () => {
  let server: Awaited<ReturnType<typeof startMockServer>>
  beforeAll(async () => {
    server = await startMockServer()
  })
  afterAll(() => server.close())

  test('settings and own options reach the provider', async () => {
    const model = anthropic('claude-sonnet-4-5', { apiKey: 'key', baseUrl: server.url })
    const { text: answer, warnings } = await generateText({
      model: toLanguageModel(model),
      system: 'Be brief.',
      prompt: 'Hi',
      topK: 5,
      providerOptions: { interlingua: { user: 'ada' }, openai: { store: true } },
      maxRetries: 0,
    })
    expect(answer).not.toBe('')
    expect(warnings).toMatchObject([
      { type: 'unsupported', feature: 'providerOptions.openai' },
      { type: 'unsupported', feature: '/topK' },
    ])
    expect(server.requests[0]?.body).toMatchObject({
      system: [{ type: 'text', text: 'Be brief.' }],
      metadata: { user_id: 'ada' },
    })
  })
})

test('an abort ends the stream, and leaving it cancels the call', async () => {
  const controller = new AbortController()
  const model = scripted([assistant('Hi')])
  controller.abort()
  const { stream } = await toLanguageModel(model).doStream({
    prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
    abortSignal: controller.signal,
  })
  const parts: LanguageModelV3StreamPart[] = []
  for await (const part of stream) parts.push(part)
  expect(parts.at(-1)).toMatchObject({ type: 'error' })
})
