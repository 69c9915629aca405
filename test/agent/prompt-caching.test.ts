import { toolCall, user } from 'interlingua'
import { Agent, type AgentOptions, type RunOptions, tool } from 'interlingua/agent'
import type { ProviderOptions } from 'interlingua/providers'
import { describe, expect, test } from 'vitest'
import { sends } from '../providers/fakes/server.ts'
import { fakeProviders, KEY, startProvider } from '../providers/fakes/table.ts'
import { scripted } from '../../src/client/scripted-model.ts'

/** The models that are used with each provider, and whether the requests of agents are marked. */
const cases: readonly (readonly [provider: string, model: string, isMarked: boolean])[] = [
  ['anthropic', 'claude-sonnet-5', true],
  ['openrouter', 'anthropic/claude-sonnet-5', true],
  ['openrouter', 'openai/gpt-6-sol', false],
  ['groq', 'llama-4', false],
  ['gemini', 'gemini-3.1-pro-preview', false],
  ['ollama', 'llama3.2', false],
]

interface Settings {
  readonly provider?: ProviderOptions
  readonly agent?: Partial<AgentOptions>
  readonly run?: RunOptions
}

async function hasMarkers(
  name: string,
  model: string,
  settings: Settings,
  isStreamed = false,
): Promise<boolean> {
  const provider = fakeProviders.find((each) => each.name === name) ?? expect.fail('no such provider')
  const fake = await startProvider(provider)
  const options = { apiKey: KEY, ...settings.provider }
  const agent = new Agent({
    model: provider.at(fake.url)(model, options),
    system: 'Be brief.',
    ...settings.agent,
  })
  await (isStreamed ? agent.stream('Hi', settings.run).result : agent.send('Hi', settings.run))
  await fake.close()
  return fake.requests.some((request) => request.text.includes('cache_control'))
}

describe.each(cases)('an agent with %s:%s', (name, model, isMarked) => {
  test.each([false, true])(
    'marks its prompt only if the provider needs it; streamed: %s',
    async (isStreamed) => {
      expect(await hasMarkers(name, model, {}, isStreamed)).toBe(isMarked)
    },
  )

  test.each<[string, Settings]>([
    ['of the agent', { agent: { promptCaching: false } }],
    ['of the run', { agent: { promptCaching: true }, run: { promptCaching: false } }],
    ['of the provider', { provider: { promptCaching: false } }],
  ])('marks nothing with the option %s', async (_, settings) => {
    expect(await hasMarkers(name, model, settings)).toBe(false)
  })

  test('a call without an agent is marked with the option of the provider only', async () => {
    const provider = fakeProviders.find((each) => each.name === name) ?? expect.fail('no such provider')
    const fake = await startProvider(provider)
    for (const promptCaching of [undefined, true]) {
      const options = promptCaching === undefined ? {} : { promptCaching }
      await provider
        .at(fake.url)(model, { apiKey: KEY, ...options })
        .generate({ messages: [user('Hi')] })
    }
    await fake.close()
    expect(fake.requests.map(({ text }) => text.includes('cache_control'))).toEqual([false, isMarked])
  })
})

test('usage shows what was written to the cache and read from it, over all steps', async () => {
  const provider = fakeProviders.find(({ name }) => name === 'anthropic') ?? expect.fail('no such provider')
  const fake = await startProvider(provider)
  const answer = (content: object, read: number, written: number): object => ({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-5',
    content: [content],
    stop_reason: 'type' in content && content.type === 'tool_use' ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: {
      input_tokens: 5,
      output_tokens: 1,
      cache_read_input_tokens: read,
      cache_creation_input_tokens: written,
    },
  })
  fake.next(
    sends(answer({ type: 'tool_use', id: 'toolu_1', name: 'weather', input: {} }, 0, 2000)),
    sends(answer({ type: 'text', text: 'Cold.' }, 2000, 40)),
  )
  const model = provider.at(fake.url)('claude-sonnet-5', { apiKey: KEY })
  const agent = new Agent({ model, tools: [tool({ name: 'weather', run: () => '4 °C' })] })
  const { usage, cost } = await agent.send('How is it?')
  await fake.close()
  expect(usage).toMatchObject({ inputTokens: 4050, cachedInputTokens: 2000, cacheWriteTokens: 2040 })
  expect(cost?.amount).toBeGreaterThan(0)
})

test('a model of your own gets the option with each call', async () => {
  const model = scripted([toolCall({ id: 'call_1', name: 'weather' }), 'Cold.'])
  const seen: unknown[] = []
  const own = {
    ...model,
    generate: (...call: Parameters<typeof model.generate>) => {
      seen.push(call[1]?.promptCaching)
      return model.generate(...call)
    },
  }
  await new Agent({ model: own, tools: [tool({ name: 'weather', run: () => '4 °C' })] }).send('Hi')
  expect(seen).toEqual([true, true])
})
