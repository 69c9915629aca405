import {
  assistant,
  type AssistantMessage,
  type ChatRequest,
  dialects,
  type EncodeOptions,
  type Flavor,
  type JsonObject,
  reasoning,
  translateRequest,
  user,
} from 'interlingua'
import { describe, expect, test } from 'vitest'

const chat = dialects['openai-chat']
const WORDS = 'The user wants a plan'

/** A body in the format of each host whose model reasons, and the model of another vendor. */
const histories = {
  deepseek: {
    dialect: 'openai-chat',
    body: {
      model: 'deepseek-v4-pro',
      messages: [
        { role: 'user', content: 'Plan' },
        { role: 'assistant', content: 'Done', reasoning_content: WORDS },
        { role: 'user', content: 'Again' },
      ],
    },
  },
  groq: {
    dialect: 'openai-chat',
    body: {
      model: 'qwen/qwen3.8-32b',
      messages: [
        { role: 'user', content: 'Plan' },
        { role: 'assistant', content: 'Done', reasoning: WORDS },
        { role: 'user', content: 'Again' },
      ],
    },
  },
  claude: {
    dialect: 'anthropic',
    body: {
      model: 'claude-sonnet-4-5',
      max_tokens: 2000,
      messages: [
        { role: 'user', content: 'Plan' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: WORDS, signature: 'sealed' },
            { type: 'text', text: 'Done' },
          ],
        },
        { role: 'user', content: 'Again' },
      ],
    },
  },
  gemini: {
    dialect: 'gemini',
    body: {
      contents: [
        { role: 'user', parts: [{ text: 'Plan' }] },
        { role: 'model', parts: [{ text: WORDS, thought: true }, { text: 'Done' }] },
        { role: 'user', parts: [{ text: 'Again' }] },
      ],
    },
  },
  ollama: {
    dialect: 'ollama',
    body: {
      model: 'llama4',
      messages: [
        { role: 'user', content: 'Plan' },
        { role: 'assistant', content: 'Done', thinking: WORDS },
        { role: 'user', content: 'Again' },
      ],
    },
  },
} as const

/** Hosts of the format `openai-chat` that accept reasoning, each with a model of its own. */
const targets: readonly (readonly [Flavor | undefined, string])[] = [
  [undefined, 'gpt-6-sol'],
  ['azure', 'gpt-6-sol'],
  ['groq', 'openai/gpt-oss-120b'],
  ['deepseek', 'deepseek-v4-flash'],
  ['xai', 'grok-4.7'],
  ['openrouter', 'x-ai/grok-4.7'],
  ['together', 'moonshotai/Kimi-K3'],
  ['vllm', 'zai-org/GLM-5.3'],
]

const cases = Object.entries(histories).flatMap(([source, { dialect, body }]) =>
  targets
    .filter(([flavor]) => flavor !== source)
    .map(([flavor, model]) => ({ source, dialect, body, flavor, model, host: flavor ?? 'openai' })),
)

describe.each(cases)('reasoning of $source for $host', ({ dialect, body, flavor, model }) => {
  const options: EncodeOptions = { model, ...(flavor && { flavor }) }
  const send = (more: EncodeOptions = {}): ReturnType<typeof chat.encodeRequest> =>
    translateRequest(body, { from: dialect, to: 'openai-chat', ...options, ...more })

  test('is omitted with a loss', () => {
    const { value, losses } = send()
    expect(JSON.stringify(value)).not.toContain(WORDS)
    const [loss, ...others] = losses.filter(({ rule }) => rule === 'foreign-reasoning')
    expect(loss).toMatchObject({ severity: 'loss', path: '/messages/1/content/0' })
    expect(others).toEqual([])
  })

  test('is omitted as well if the application replaces the model of the request', () => {
    const request = { ...dialects[dialect].decodeRequest(body).value, model }
    const { value } = chat.encodeRequest(request, flavor && { flavor })
    expect(JSON.stringify(value)).not.toContain(WORDS)
  })

  test('is sent as text, in the field of the host, or rejected on request', () => {
    expect(JSON.stringify(send({ foreignReasoning: 'text' }).value)).toContain(`<thinking>\\n${WORDS}`)
    const acceptsReasoning = flavor !== undefined && flavor !== 'azure'
    const [, answer] = send({ foreignReasoning: 'native' }).value.messages
    expect(JSON.stringify(answer).includes(WORDS)).toBe(acceptsReasoning)
    expect(() => send({ foreignReasoning: 'reject' })).toThrow(
      expect.objectContaining({ code: 'loss-refused', path: '/messages/1/content/0' }),
    )
  })
})

describe('reasoning goes back to its vendor', () => {
  const { body } = histories.deepseek

  test('on the same host, unchanged', () => {
    const { value, losses } = translateRequest(body, {
      from: 'openai-chat',
      to: 'openai-chat',
      model: 'deepseek-v4-flash',
    })
    expect(value.messages).toEqual(body.messages)
    expect(losses).toEqual([])
  })

  test('on another host that runs its models, in the field of that host', () => {
    const { value, losses } = translateRequest(body, {
      from: 'openai-chat',
      to: 'openai-chat',
      flavor: 'groq',
      model: 'deepseek-r1-distill-llama-70b',
    })
    expect(value.messages[1]).toEqual({ role: 'assistant', content: 'Done', reasoning: WORDS })
    expect(losses.map(({ rule }) => rule)).toEqual(['reasoning-field'])
  })

  test('through a router, with its signature', () => {
    const { body: claude } = histories.claude
    const { value } = translateRequest(claude, {
      from: 'anthropic',
      to: 'openai-chat',
      flavor: 'openrouter',
      model: 'anthropic/claude-sonnet-4-5',
    })
    expect((value.messages[1] as unknown as JsonObject)['reasoning_details']).toEqual([
      { type: 'reasoning.text', text: WORDS, signature: 'sealed', format: 'anthropic-claude-v1' },
    ])
  })

  test('after an answer, by the model that answered', () => {
    const answer = (model: string): AssistantMessage =>
      assistant([reasoning(WORDS), 'Done'], { origin: { dialect: 'openai-chat', model } })
    const ask = (model: string): ChatRequest => ({
      model: 'deepseek-v4-pro',
      messages: [user('Plan'), answer(model), user('Again')],
    })
    const send = (model: string): string =>
      JSON.stringify(chat.encodeRequest(ask(model), { flavor: 'deepseek' }).value)
    expect(send('deepseek-v4-flash')).toContain(WORDS)
    expect(send('grok-4.7')).not.toContain(WORDS)
  })

  test('reasoning that the application wrote is sent to hosts that accept reasoning', () => {
    const request = {
      model: 'deepseek-v4-pro',
      messages: [user('Plan'), assistant([reasoning(WORDS), 'Done'])],
    }
    expect(JSON.stringify(chat.encodeRequest(request, { flavor: 'deepseek' }).value)).toContain(WORDS)
  })
})
