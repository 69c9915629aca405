import type { LanguageModelV3 } from '@ai-sdk/provider'
import { simulateReadableStream } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { assistant, type ChatRequest, image, reasoning, text, toolCall, user } from 'interlingua'
import { fromLanguageModel, toLanguageModel } from 'interlingua/adapters/ai-sdk'
import { attachSignature } from 'interlingua/content'
import { Agent, tool } from 'interlingua/agent'
import { scripted, type ScriptEntry } from 'interlingua/providers'
import { describe, expect, test } from 'vitest'
import { bare } from '../dialects/json-leaves.ts'

const usage = { inputTokens: 10, outputTokens: 5, totalTokens: 15, cachedInputTokens: 4, reasoningTokens: 2 }
const thoughts = attachSignature(reasoning('A call is needed'), { vendor: 'anthropic', value: 'dG9rZW4=' })
const call = toolCall({ id: 'call_1', name: 'weather', arguments: { city: 'Oslo' } })
const cited = text('Snow', { citations: [{ type: 'source', url: 'https://example.com/', title: 'Sky' }] })
const finished = (part: ScriptEntry): readonly ScriptEntry[] => [part]

/** Models whose answers pass through both adapters. */
const wrap = (script: readonly ScriptEntry[]) => {
  const inner = scripted(script, { usage })
  return { inner, model: fromLanguageModel(toLanguageModel(inner)) }
}

describe.each(['generate', 'stream'] as const)('%s through both adapters', (form) => {
  const ask = async (script: readonly ScriptEntry[], request: ChatRequest) => {
    const { inner, model } = wrap(script)
    const reply = form === 'generate' ? await model.generate(request) : await model.stream(request).reply
    return { reply, sent: inner.requests[0] as ChatRequest }
  }

  test('keeps the answer: reasoning with its signature, citations, calls, usage and finish', async () => {
    const answer = assistant([thoughts, cited, call])
    const { reply } = await ask(finished(answer), { messages: [user('Weather?')] })
    expect(reply.message.content).toMatchObject(bare([...answer.content]))
    expect(reply.usage).toMatchObject(usage)
    expect(reply.finish?.reason).toBe('tool-calls')
    expect(reply.losses).toEqual([])
  })

  test('keeps the request: media, tools, choice, format and settings', async () => {
    const request: ChatRequest = {
      messages: [user([text('Look'), image('https://example.com/a.png')]), assistant([thoughts, cited])],
      tools: [{ type: 'function', name: 'weather', description: 'Sky', input: { type: 'object' } }],
      toolChoice: { name: 'weather' },
      output: { type: 'json', schema: { type: 'object' }, name: 'sky' },
      temperature: 0.5,
      stop: ['END'],
    }
    const { sent } = await ask(['Hi'], request)
    expect(sent).toMatchObject({ ...request, messages: expect.anything() as unknown })
    const [first] = [...sent.messages]
    expect(first?.content).toMatchObject([
      { text: 'Look' },
      { type: 'image', source: { url: 'https://example.com/a.png' } },
    ])
  })

  test.each(['https://', 'https:// /a.png', 'https://[a]/b.png'])(
    'refuses an image with the URL %s',
    async (url) => {
      await expect(
        ask(['Hi'], { messages: [user([{ type: 'image', source: { kind: 'url', url } }])] }),
      ).rejects.toMatchObject({
        code: 'invalid-value',
        path: '/messages',
      })
    },
  )

  test('reports the settings that the SDK does not have', async () => {
    const { reply } = await ask(['Hi'], { messages: [user('Hi')], verbosity: 'low', user: 'ada' })
    expect(reply.losses.map(({ rule, path }) => `${rule} ${path}`)).toEqual([
      'no-field /user',
      'no-field /verbosity',
    ])
  })
})

test('an agent runs on a language model of the SDK', async () => {
  const { model } = wrap([assistant([thoughts, call]), 'Snow in Oslo'])
  const weather = tool({
    name: 'weather',
    description: 'Current weather',
    input: { type: 'object', properties: { city: { type: 'string' } } },
    run: () => 'Snow',
  })
  const { text: answer } = await new Agent({ model, tools: [weather] }).send('Weather?')
  expect(answer).toBe('Snow in Oslo')
})

test('warnings of the SDK are losses, and its errors reach the caller', async () => {
  const finish = {
    type: 'finish',
    finishReason: { unified: 'stop', raw: undefined },
    usage: { inputTokens: {}, outputTokens: {} },
  } as never
  const model = fromLanguageModel(
    new MockLanguageModelV3({
      doStream: {
        stream: simulateReadableStream({
          chunks: [
            { type: 'stream-start', warnings: [{ type: 'unsupported', feature: 'seed' }] },
            { type: 'text-start', id: '1' },
            { type: 'text-delta', id: '1', delta: 'Hi' },
            { type: 'text-end', id: '1' },
            finish,
          ],
        }),
      },
      doGenerate: () => Promise.reject(new Error('no connection')),
    }),
  )
  const { losses, text: answer, usage: counted } = await model.stream('Hi').reply
  expect(answer).toBe('Hi')
  expect(counted).toBeUndefined()
  expect(losses).toMatchObject([{ path: '/seed', reason: 'The provider does not support seed.' }])
  await expect(model.generate('Hi')).rejects.toThrow('no connection')
})

test('another specification version is refused', () => {
  expect(() => fromLanguageModel({ specificationVersion: 'v1' } as unknown as LanguageModelV3)).toThrow(
    expect.objectContaining({ code: 'invalid-value', path: '/specificationVersion' }),
  )
})
