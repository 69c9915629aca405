import {
  type ChatRequest,
  type DialectName,
  dialects,
  type ReasoningSettings,
  translateRequest,
  user,
} from 'interlingua'
import { modelFamilies } from 'interlingua/models'
import { describe, expect, test } from 'vitest'
import { EFFORTS } from '../../src/canonical/model/request.ts'
import { readWireView } from './wire-views.ts'

type Sent = readonly [effort?: string | undefined, thinking?: string, budgetTokens?: number]

function send(
  dialect: DialectName,
  model: string,
  reasoning: ReasoningSettings,
  more: Partial<ChatRequest> = {},
) {
  const { value, losses } = dialects[dialect].encodeRequest({
    model,
    messages: [user('Hi')],
    reasoning,
    ...more,
  })
  const { effort, thinking, budgetTokens } = readWireView(dialect, value)
  return { value, sent: [effort, thinking, budgetTokens], rules: losses.map(({ rule }) => rule) }
}

/** A model, what it is asked for, and what it is sent: the effort, the mode and the budget. */
const rows: readonly (readonly [DialectName, string, ReasoningSettings, Sent])[] = [
  // Claude with adaptive thinking.
  ['anthropic', 'claude-opus-4-8', { effort: 'high' }, ['high', 'adaptive']],
  ['anthropic', 'claude-opus-4-8', { effort: 'minimal' }, ['low', 'adaptive']],
  ['anthropic', 'claude-opus-5', { effort: 'max' }, ['max']],
  ['anthropic', 'claude-opus-5', { budgetTokens: 8000 }, ['medium', 'adaptive']],
  ['anthropic', 'claude-opus-5', { effort: 'none' }, [undefined, 'off']],
  ['anthropic', 'claude-opus-5-5', { enabled: false }, ['low']],
  ['anthropic', 'claude-opus-5-5', { effort: 'none' }, ['low']],
  ['anthropic', 'claude-sonnet-5-5', { enabled: false }, [undefined, 'between-tools']],
  ['anthropic', 'claude-opus-4-6', { effort: 'xhigh' }, ['high', 'adaptive']],
  ['anthropic', 'claude-opus-4-6', { enabled: true, budgetTokens: 9000 }, [undefined, 'budget', 9000]],
  // Claude with a budget.
  ['anthropic', 'claude-haiku-4-5', { effort: 'high' }, [undefined, 'budget', 24_576]],
  ['anthropic', 'claude-haiku-4-5', { effort: 'max' }, [undefined, 'budget', 32_000]],
  ['anthropic', 'claude-sonnet-4-5', { enabled: true }, [undefined, 'budget', 24_576]],
  ['anthropic', 'claude-sonnet-4-5', { summary: 'auto' }, [undefined, 'budget', 24_576]],
  ['anthropic', 'claude-opus-4-5', { effort: 'max' }, ['high', 'budget', 32_000]],
  ['anthropic', 'claude-opus-4-1', { effort: 'low' }, [undefined, 'budget', 1024]],
  ['anthropic', 'claude-3-7-sonnet', { budgetTokens: 8000 }, [undefined, 'budget', 8000]],
  ['anthropic', 'claude-3-5-haiku', { effort: 'high', include: true }, []],
  // OpenAI.
  ['openai-chat', 'gpt-5.2', { budgetTokens: 8000 }, ['medium']],
  ['openai-chat', 'gpt-5.2', { enabled: false }, ['none']],
  ['openai-chat', 'gpt-5.2', { enabled: true }, ['medium']],
  ['openai-chat', 'gpt-5.2', { effort: 'max' }, ['xhigh']],
  ['openai-chat', 'gpt-5', { effort: 'none' }, ['minimal']],
  ['openai-responses', 'gpt-6.1-sol', { effort: 'none' }, ['low']],
  ['openai-chat', 'gpt-6-astra', { effort: 'max' }, ['xhigh']],
  ['openai-responses', 'gpt-6-astra', { effort: 'max' }, ['max']],
  ['openai-responses', 'gpt-5-pro', { effort: 'low' }, ['high']],
  ['openai-chat', 'gpt-4.1', { effort: 'high' }, []],
  ['openai-responses', 'gpt-4.1', { enabled: false }, []],
  ['openai-chat', 'deepseek-v4-pro', { effort: 'medium' }, ['medium']],
  ['openai-chat', 'unheard-of', { budgetTokens: 100_000 }, ['max']],
  // Gemini.
  ['gemini', 'gemini-2.5-pro', { enabled: false }, [undefined, 'budget', 128]],
  ['gemini', 'gemini-2.5-pro', { effort: 'max' }, [undefined, 'budget', 32_768]],
  ['gemini', 'gemini-2.5-flash', { effort: 'none' }, [undefined, 'off']],
  ['gemini', 'gemini-2.5-flash', { budgetTokens: 60_000 }, [undefined, 'budget', 24_576]],
  ['gemini', 'gemini-2.5-flash-lite', { effort: 'minimal' }, [undefined, 'budget', 512]],
  ['gemini', 'gemini-2.5-flash', { enabled: true }, [undefined, 'adaptive']],
  ['gemini', 'gemini-3-pro-preview', { effort: 'medium' }, ['low']],
  ['gemini', 'gemini-3-pro-preview', { enabled: false }, ['low']],
  ['gemini', 'gemini-3-flash-preview', { enabled: false }, ['minimal']],
  ['gemini', 'gemini-4-argon', { effort: 'minimal' }, ['low']],
  ['gemini', 'gemini-4-argon', { budgetTokens: 50_000 }, ['high']],
  ['gemini', 'gemma-4-31b-it', { effort: 'medium' }, ['minimal']],
  ['gemini', 'gemma-4-31b-it', { budgetTokens: 20_000 }, ['high']],
  ['gemini', 'gemma-3-27b-it', { effort: 'high', include: true }, []],
  ['gemini', 'gemini-2.0-flash', { effort: 'high' }, []],
  // Mistral, which also serves GLM.
  ['mistral', 'zai-glm-5-3', { effort: 'medium' }, ['low']],
  ['mistral', 'zai-glm-5-3', { effort: 'max' }, ['max']],
  ['mistral', 'zai-glm-latest', { effort: 'none' }, ['low']],
  ['mistral', 'mistral-medium-3.5', { effort: 'max' }, ['high']],
  // Ollama.
  ['ollama', 'qwen3', { effort: 'minimal' }, ['low']],
  ['ollama', 'qwen3', { budgetTokens: 8000 }, ['medium']],
  ['ollama', 'gpt-oss:20b', { effort: 'max' }, ['high']],
  ['ollama', 'gpt-oss:20b', { enabled: false }, ['low']],
]

describe('reasoning settings', () => {
  test.each(rows)(
    '%s %s: %j is sent as %j',
    (dialect, model, reasoning, [effort, thinking, budgetTokens]) => {
      const { sent, rules } = send(dialect, model, reasoning)
      expect(sent).toEqual([effort, thinking, budgetTokens])
      expect(rules).not.toContain('no-field')
    },
  )

  test('a model without a level gets the budget of each effort, and the level is found again', () => {
    for (const effort of ['low', 'medium', 'high'] as const) {
      const { value } = send('gemini', 'gemini-2.5-pro', { effort })
      const back = translateRequest(value, { from: 'gemini', to: 'openai-chat', model: 'gpt-5' }).value
      expect(back).toMatchObject({ reasoning_effort: effort })
    }
  })

  test('half of the output limit is left for the answer', () => {
    expect(
      send('anthropic', 'claude-haiku-4-5', { effort: 'high' }, { maxOutputTokens: 10_000 }).sent[2],
    ).toBe(5000)
    expect(send('anthropic', 'claude-haiku-4-5', { effort: 'high' }, { maxOutputTokens: 1000 }).sent[1]).toBe(
      'off',
    )
  })

  test('a summary asks for readable reasoning', () => {
    expect(send('gemini', 'gemini-3.8-flash', { summary: 'auto' }).value).toMatchObject({
      generationConfig: { thinkingConfig: { includeThoughts: true } },
    })
    expect(send('anthropic', 'claude-opus-5', { summary: 'detailed', effort: 'low' }).value).toMatchObject({
      thinking: { type: 'adaptive', display: 'summarized' },
      output_config: { effort: 'low' },
    })
  })

  test.each(['gpt-5.4', 'claude-haiku-4-5', 'claude-opus-4-8'])(
    '%s: to show reasoning turns it on, so that settings which thinking excludes are omitted',
    (model) => {
      const given = { messages: [user('Hi')], topP: 0.5 }
      const encode = (reasoning: ReasoningSettings): object =>
        dialects.anthropic.encodeRequest({ ...given, reasoning }, { model, apiVersion: '2023-06-01' }).value
      for (const shown of [{ include: true }, { summary: 'auto' }] as const) {
        expect(readWireView('anthropic', encode(shown)).thinking).toBeDefined()
        expect(encode(shown)).not.toHaveProperty('top_p')
      }
      // Not to show it turns nothing on.
      expect(readWireView('anthropic', encode({ include: false })).thinking).toBeUndefined()
    },
  )

  test.each(modelFamilies.map((family) => [family.names[0] ?? '', family] as const))(
    '%s: a higher effort is never sent as less reasoning',
    (name, { vendor }) => {
      const dialect =
        ({ anthropic: 'anthropic', google: 'gemini' } as const)[vendor as 'google'] ?? 'openai-responses'
      const amounts = EFFORTS.filter((effort) => effort !== 'none').map((effort) => {
        const [sent, , budget] = send(dialect, name.replace('*', 'x'), { effort }).sent
        return typeof budget === 'number' ? budget : EFFORTS.indexOf(sent as 'low')
      })
      expect(amounts).toEqual(amounts.toSorted((a, b) => a - b))
    },
  )
})

test.each([
  ['qwen/qwen3-32b', 'high', 'default'],
  ['qwen/qwen3.6-27b', 'low', 'default'],
  ['qwen/qwen3.6-27b', 'none', 'none'],
  ['qwen/qwen3.8-27b', 'max', 'high'],
  ['openai/gpt-oss-120b', 'medium', 'medium'],
] as const)('groq: %s with the effort %s is sent %s', (model, effort, sent) => {
  const request = { messages: [user('Hi')], reasoning: { effort } }
  const flavor = 'groq'
  expect(dialects['openai-chat'].encodeRequest(request, { flavor, model }).value.reasoning_effort).toBe(sent)
  const named = { ...request, model }
  expect(dialects['openai-chat'].encodeRequest(named, { flavor }).value.reasoning_effort).toBe(sent)
})

describe('tools in Chat Completions', () => {
  const tools = [{ type: 'function', name: 'weather', input: { type: 'object' } }] as const

  test.each([
    ['gpt-6.1-sol', {}, { hasTools: false, effort: undefined }],
    ['gpt-6-sol', { effort: 'high' }, { hasTools: true, effort: 'none' }],
    ['gpt-5.6', {}, { hasTools: true, effort: 'none' }],
    ['gpt-5.2', { effort: 'high' }, { hasTools: true, effort: 'high' }],
  ] as const)('%s with %j', (model, reasoning, { hasTools, effort }) => {
    const request = { model, messages: [user('Hi')], tools, reasoning }
    const { value, losses } = dialects['openai-chat'].encodeRequest(request)
    expect('tools' in value).toBe(hasTools)
    expect(value.reasoning_effort).toBe(effort)
    const isChanged = losses.some(
      ({ rule, severity }) => rule.startsWith('chat-tools') && severity === 'loss',
    )
    expect(isChanged).toBe(model !== 'gpt-5.2')
    // Another host, and the other API, accept both.
    const elsewhere = dialects['openai-chat'].encodeRequest(request, { flavor: 'openrouter' })
    expect(elsewhere.losses.map(({ rule }) => rule)).not.toContain('chat-tools-effort')
    expect('tools' in dialects['openai-responses'].encodeRequest(request).value).toBe(true)
  })
})
