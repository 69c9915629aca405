import { assistant, type ChatResponse, dialects, toEvents, textOf, toolCall, validate } from 'interlingua'
import { Agent, tool } from 'interlingua/agent'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DialectName } from '../../src/dialects/engine/dialect.ts'
import { type Act, type Fake, sends, streams } from '../providers/fakes/server.ts'
import { fakeProviders, KEY, startProvider } from '../providers/fakes/table.ts'
import { FAKE_TEXT } from '../providers/fakes/wire.ts'

const wires: readonly (readonly [provider: string, dialect: DialectName])[] = [
  ['openai', 'openai-chat'],
  ['openai-responses', 'openai-responses'],
  ['anthropic', 'anthropic'],
  ['gemini', 'gemini'],
  ['ollama', 'ollama'],
]

const calls: ChatResponse = {
  id: 'resp_1',
  model: 'fake-1',
  candidates: [
    assistant(
      [
        'Let me see.',
        toolCall({ id: 'call_1', name: 'weather', arguments: { city: 'Oslo' } }),
        toolCall({ id: 'call_2', name: 'weather', arguments: { city: 'Rome' } }),
      ],
      { finish: { reason: 'tool-calls' } },
    ),
  ],
  usage: { inputTokens: 5, outputTokens: 2, totalTokens: 7 },
}

const weather = tool<{ readonly city: string }>({
  name: 'weather',
  input: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  run: ({ city }) => `Cold in ${city}`,
})

describe.each(wires)('%s over HTTP', (name, dialect) => {
  const provider = fakeProviders.find((each) => each.name === name) ?? expect.fail('no such provider')
  let fake: Fake
  beforeAll(async () => {
    fake = await startProvider(provider)
  })
  afterAll(() => fake.close())

  /** Responds with calls, whole or streamed as requested. */
  const callTools: Act = async (response, request) => {
    if (!provider.wire.isStream(request)) {
      return sends(dialects[dialect].encodeResponse(calls).value)(response, request)
    }
    const pieces: string[] = []
    const decoder = new TextDecoder()
    for await (const bytes of dialects[dialect].encodeStream(toEvents(calls)))
      pieces.push(decoder.decode(bytes, { stream: true }))
    return streams(pieces, provider.wire.streamType)(response, request)
  }

  test.each(['whole', 'streamed'])('an agent runs its tools: %s', async (how) => {
    const agent = new Agent({ model: provider.at(fake.url)('fake-1', { apiKey: KEY }), tools: [weather] })
    const before = fake.requests.length
    fake.next(callTools)
    const result = await (how === 'whole' ? agent.send('Go') : agent.stream('Go').result)
    expect(result.text).toBe(FAKE_TEXT)
    expect(result.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
    expect(result.messages[2] && textOf(result.messages[2], '; ')).toBe('Cold in Oslo; Cold in Rome')
    expect(validate(result.messages, dialects[dialect])).toEqual([])
    const [, second] = fake.requests.slice(before)
    expect(second?.text).toContain('Cold in Oslo')
    expect(second?.text).toContain('Cold in Rome')
  })
})
