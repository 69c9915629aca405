import { assistant, type ChatRequest, type Capabilities, dialects, system, toolCall, user } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { expectSame } from '../../law-assertions.ts'
import { subjects } from '../dialect-table.ts'

const tools = [{ type: 'function', name: 'weather', input: { type: 'object' } }] as const
const asked: ChatRequest = { maxOutputTokens: 4096, messages: [user('Hi')] }

interface Row {
  readonly dialect: keyof typeof dialects
  readonly model: string
  readonly request: Partial<ChatRequest>
  readonly losses: readonly string[]
  readonly sent: object
}

const rows: readonly Row[] = [
  {
    dialect: 'gemini',
    model: 'gemma-3-27b-it',
    request: { messages: [system('Be brief'), user('Hi')], tools, output: { type: 'json' } },
    losses: ['model-setting /tools', 'model-setting /output', 'system-as-user /messages/0'],
    sent: {
      contents: [
        { role: 'user', parts: [{ text: '<system>\nBe brief\n</system>' }] },
        { role: 'user', parts: [{ text: 'Hi' }] },
      ],
    },
  },
  {
    dialect: 'anthropic',
    model: 'claude-opus-4-7',
    request: { reasoning: { enabled: true, budgetTokens: 2000 } },
    losses: ['budget-as-effort /reasoning/budgetTokens'],
    sent: { thinking: { type: 'adaptive' }, output_config: { effort: 'medium' } },
  },
  {
    dialect: 'anthropic',
    model: 'anthropic/claude-sonnet-4.5',
    request: { reasoning: { enabled: true } },
    losses: ['reasoning-as-budget /reasoning/enabled'],
    sent: { thinking: { type: 'enabled', budget_tokens: 2048 } },
  },
  {
    dialect: 'anthropic',
    model: 'claude-3-7-sonnet-latest',
    request: { reasoning: { budgetTokens: 9000, enabled: true } },
    losses: ['model-budget /reasoning/budgetTokens'],
    sent: { thinking: { type: 'enabled', budget_tokens: 4095 } },
  },
  {
    dialect: 'anthropic',
    model: 'claude-3-7-sonnet-latest',
    request: { reasoning: { budgetTokens: 9000, enabled: true }, maxOutputTokens: 500 },
    losses: ['model-thinking /reasoning'],
    sent: { thinking: { type: 'disabled' }, max_tokens: 500 },
  },
  {
    dialect: 'anthropic',
    model: 'claude-fable-5',
    request: { reasoning: { enabled: false } },
    losses: ['model-thinking /reasoning'],
    sent: { output_config: { effort: 'low' } },
  },
  {
    dialect: 'anthropic',
    model: 'claude-haiku-5-5',
    request: { tools, toolChoice: { name: 'weather' } },
    losses: [],
    sent: { tool_choice: { type: 'tool', name: 'weather' } },
  },
  {
    dialect: 'anthropic',
    model: 'claude-opus-5-5',
    request: { tools, toolChoice: { name: 'weather' } },
    losses: ['model-tool-choice /toolChoice'],
    sent: { tool_choice: { type: 'auto' } },
  },
  {
    dialect: 'anthropic',
    model: 'claude-sonnet-4-6',
    request: { tools, toolChoice: 'required', reasoning: { enabled: true, budgetTokens: 1024 } },
    losses: ['model-tool-choice /toolChoice'],
    sent: { tool_choice: { type: 'auto' }, thinking: { type: 'enabled', budget_tokens: 1024 } },
  },
  {
    dialect: 'anthropic',
    model: 'claude-sonnet-5.5',
    request: { reasoning: { enabled: false, effort: 'max' } },
    losses: ['model-thinking /reasoning', 'model-effort /reasoning/effort'],
    sent: { thinking: { type: 'between_tools' }, output_config: { effort: 'high' } },
  },
  ...['claude-fable-5-2', 'us.anthropic.claude-mythos-5-1'].map((model) => ({
    dialect: 'anthropic' as const,
    model,
    request: { tools, toolChoice: 'required' as const, reasoning: { enabled: false } },
    losses: ['model-thinking /reasoning', 'model-tool-choice /toolChoice'],
    sent: { tool_choice: { type: 'auto' } },
  })),
  {
    dialect: 'anthropic',
    model: 'claude-mythos-5',
    request: { tools, toolChoice: 'required', reasoning: { budgetTokens: 2000 } },
    losses: ['budget-as-effort /reasoning/budgetTokens'],
    sent: { tool_choice: { type: 'any' }, thinking: { type: 'adaptive' } },
  },
  {
    dialect: 'openai-chat',
    model: 'o3',
    request: { temperature: 0.5, stop: ['x'], tools, parallelToolCalls: false, reasoning: { effort: 'max' } },
    losses: [
      'model-effort /reasoning/effort',
      'model-setting /temperature',
      'model-setting /stop',
      'model-setting /parallelToolCalls',
    ],
    sent: { reasoning_effort: 'high' },
  },
  ...(['gpt-5', 'openai/gpt-5-mini', 'gpt-5-2025-08-07'] as const).map((model) => ({
    dialect: 'openai-chat' as const,
    model,
    request: { stop: ['x'], topP: 0.5, reasoning: { effort: 'none' as const } },
    losses: ['model-effort /reasoning/effort', 'model-setting /topP', 'model-setting /stop'],
    sent: { reasoning_effort: 'minimal' },
  })),
  {
    dialect: 'openai-responses',
    model: 'o4-mini',
    request: { reasoning: { enabled: false } },
    losses: ['model-effort /reasoning/enabled'],
    sent: { reasoning: { effort: 'low' } },
  },
  {
    dialect: 'openai-responses',
    model: 'gpt-5.1',
    request: { temperature: 0.5, reasoning: { summary: 'auto' } },
    losses: [],
    sent: { temperature: 0.5 },
  },
  {
    dialect: 'openai-responses',
    model: 'gpt-5.1',
    request: { temperature: 0.5, reasoning: { effort: 'xhigh' } },
    losses: ['model-effort /reasoning/effort', 'model-setting /temperature'],
    sent: { reasoning: { effort: 'high' } },
  },
  {
    dialect: 'openai-chat',
    model: 'gpt-5.2',
    request: { temperature: 0.5, reasoning: { effort: 'none' } },
    losses: [],
    sent: { temperature: 0.5 },
  },
  {
    dialect: 'openai-chat',
    model: 'gpt-5.2',
    request: { temperature: 0.5, reasoning: { effort: 'low' } },
    losses: ['model-setting /temperature'],
    sent: { reasoning_effort: 'low' },
  },
]

/** The dialects in which only an effort controls reasoning. */
const withoutSwitch: ReadonlySet<string> = new Set([
  'openai-chat',
  'openai-responses',
  'mistral',
  'gemini-interactions',
])

describe('requests that a model refuses', () => {
  test.each(rows)('$model of $dialect: $losses', ({ dialect, model, request, losses, sent }) => {
    const out = dialects[dialect].encodeRequest({ ...asked, ...request, model })
    expect(out.losses.map(({ rule, path }) => `${rule} ${path}`)).toEqual(losses)
    expect(out.value).toMatchObject(sent)
    const settings = losses.flatMap((each) => /^model-setting \/(\w+)$/.exec(each)?.[1] ?? [])
    for (const key of settings) expect(out.value).not.toHaveProperty(key)
  })

  test.each(subjects)('$name: a model without efforts gets none', ({ name }) => {
    for (const effort of ['low', 'max'] as const) {
      const request = { ...asked, model: 'm', reasoning: { effort } }
      const { value, losses } = dialects[name].encodeRequest(request, { capabilities: { efforts: [] } })
      expect(losses.map(({ rule, path }) => `${rule} ${path}`)).toContain('model-setting /reasoning/effort')
      expect(JSON.stringify(value)).not.toContain(`"${effort}"`)
    }
    // Where reasoning has a switch, it can still be turned off.
    for (const reasoning of [{ enabled: false }, { effort: 'none' }] as const) {
      const { value } = dialects[name].encodeRequest(
        { ...asked, model: 'm', reasoning },
        { capabilities: { efforts: [] } },
      )
      const plain = dialects[name].encodeRequest({ ...asked, model: 'm' }).value
      if (withoutSwitch.has(name)) expectSame(value, plain)
      else expect(value).not.toEqual(plain)
    }
  })

  test('sampling settings are omitted while Claude reasons', () => {
    const request = { ...asked, model: 'claude-sonnet-4-5', temperature: 0.5, topK: 5 }
    const options = { apiVersion: '2023-06-01' }
    const quiet = dialects.anthropic.encodeRequest(request, options)
    expect(quiet.value).toMatchObject({ temperature: 0.5, top_k: 5 })
    const reasoning = { enabled: true, budgetTokens: 2000 }
    const { value, losses } = dialects.anthropic.encodeRequest({ ...request, reasoning }, options)
    expect(value).not.toHaveProperty('temperature')
    expect(value).not.toHaveProperty('top_k')
    expect(losses.map(({ rule, path }) => `${rule} ${path}`)).toEqual([
      'model-setting /temperature',
      'model-setting /topK',
    ])
  })

  test('a user message follows a final assistant message, unless the provider paused it', () => {
    const { anthropic } = dialects
    const request = { ...asked, model: 'claude-opus-4-8', messages: [user('Hi'), assistant('The answer is')] }
    const { value, losses } = anthropic.encodeRequest(request)
    expect(losses.map(({ rule, path }) => `${rule} ${path}`)).toEqual(['model-prefill /messages/1'])
    expect(value.messages.at(-1)?.role).toBe('user')
    const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'sky' } }
    const content = [search, { type: 'text', text: 'Let me look' }]
    for (const blocks of [content, content.toReversed()]) {
      const answer = { type: 'message', role: 'assistant', content: blocks, stop_reason: 'pause_turn' }
      const [paused] = anthropic.decodeResponse(answer).value.candidates
      const resumed = anthropic.encodeRequest({ ...request, messages: [user('Hi'), paused ?? user('')] })
      expect(resumed.losses).toEqual([])
      expect(resumed.value.messages.at(-1)).toEqual({ role: 'assistant', content: blocks })
    }
    // Only the provider that ran the tool can continue from this message.
    const ended = { ...assistant('Searching'), finish: { reason: 'pause' } } as const
    const asks = anthropic.encodeRequest({ ...request, messages: [user('Hi'), ended] })
    expect(asks.losses.map(({ rule }) => rule)).toEqual(['model-prefill'])
    const calling = assistant([toolCall({ name: 'weather', arguments: {} })])
    const waiting = anthropic.encodeRequest({ ...request, messages: [user('Hi'), calling] })
    expect(waiting.losses.map(({ rule }) => rule)).not.toContain('model-prefill')
    const older = { ...request, model: 'claude-sonnet-4-5' }
    expect(anthropic.encodeRequest(older).losses).toEqual([])
    const thinking = anthropic.encodeRequest({ ...older, reasoning: { enabled: true, budgetTokens: 1024 } })
    expect(thinking.losses.map(({ rule }) => rule)).toEqual(['model-prefill'])
  })

  test('trailing messages without content are ignored', () => {
    const messages = [user('Hi'), assistant('The answer is'), user('  ')]
    const { value } = dialects.anthropic.encodeRequest({ ...asked, model: 'claude-opus-4-8', messages })
    expect(value.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
  })
})

describe.each(subjects)('$name', ({ dialect }) => {
  test('applies the capabilities that the caller passes', () => {
    const capabilities: Capabilities = { refusedSettings: ['stop'], prefill: false }
    const request = { ...asked, model: 'unheard-of', stop: ['x'], messages: [user('Hi'), assistant('So')] }
    const rules = dialect.encodeRequest(request, { capabilities }).losses.map(({ rule }) => rule)
    expect(rules).toEqual(expect.arrayContaining(['model-setting', 'model-prefill']))
    expect(dialect.encodeRequest(request).losses.map(({ rule }) => rule)).not.toContain('model-setting')
  })
})

describe('a received request that violates the facts of its model', () => {
  const body = {
    model: 'claude-opus-4-7',
    max_tokens: 9,
    temperature: 0.5,
    messages: [{ role: 'user', content: 'Hi' }],
  }

  test('is sent as received', () => {
    const { value } = dialects.anthropic.decodeRequest(body)
    expectSame(dialects.anthropic.encodeRequest(value), { value: body, losses: [] })
  })

  test('is adjusted to another model', () => {
    const { value } = dialects.anthropic.decodeRequest(body)
    for (const out of [
      dialects.anthropic.encodeRequest({ ...value, model: 'claude-opus-5' }),
      dialects.anthropic.encodeRequest(value, { model: 'claude-opus-5' }),
    ]) {
      expect(out.value).not.toHaveProperty('temperature')
      expect(out.losses.map(({ rule }) => rule)).toEqual(['model-setting'])
    }
  })
})
