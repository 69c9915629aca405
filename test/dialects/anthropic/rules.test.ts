import {
  assistant,
  type ChatRequest,
  developer,
  dialects,
  type FinishReason,
  image,
  type JsonObject,
  type Message,
  reasoning,
  system,
  text,
  toolCall,
  toolResult,
  toolResults,
  user,
} from 'interlingua'
import { attachSignature } from 'interlingua/content'
import { describe, expect, test } from 'vitest'
import { requests } from '../bodies/anthropic-requests.ts'
import { responses } from '../bodies/anthropic-responses.ts'

const { anthropic } = dialects

function body(...messages: readonly Message[]): JsonObject {
  return anthropic.encodeRequest({ model: 'm', maxOutputTokens: 9, messages }).value
}

const textBlock = (text: string): JsonObject => ({ type: 'text', text })
const call = toolCall({ id: 'toolu_1', name: 'weather', arguments: { city: 'Oslo' } })
const other = toolCall({ id: 'toolu_2', name: 'weather' })
const use = { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Oslo' } }
const useOther = { type: 'tool_use', id: 'toolu_2', name: 'weather', input: {} }
const answered = (id: string, text: string): JsonObject => {
  return { type: 'tool_result', tool_use_id: id, content: [textBlock(text)] }
}
const asked = user('Weather?')
const askedOut = { role: 'user', content: [textBlock('Weather?')] }

describe('turns', () => {
  test('[r52] [r197] leading system and developer text becomes `system`, which is omitted without such text', () => {
    const { system: instructions, messages } = body(system('Be brief.'), developer('Be kind.'), asked)
    expect(instructions).toEqual([textBlock('Be brief.'), textBlock('Be kind.')])
    expect(messages).toEqual([askedOut])
    expect(body(asked)).not.toHaveProperty('system')
  })

  test('[r53] content is a list of blocks, also in responses', () => {
    const { messages } = body(user('Hi'), assistant('Hello'))
    expect(messages).toEqual([
      { role: 'user', content: [textBlock('Hi')] },
      { role: 'assistant', content: [textBlock('Hello')] },
    ])
  })

  test('[r55] [r212] [r174] [C1] calls become tool_use with an object, and their results share one user turn', () => {
    const round = toolResults([toolResult(call, 'Snow'), toolResult(other, 'Sun')])
    expect(body(asked, assistant([call, other]), round)['messages']).toEqual([
      askedOut,
      { role: 'assistant', content: [use, useOther] },
      { role: 'user', content: [answered('toolu_1', 'Snow'), answered('toolu_2', 'Sun')] },
    ])
  })

  test('[r197] [r174] results of several tool messages share a turn with the next user message', () => {
    const rounds = [toolResults([toolResult(call, 'Snow')]), toolResults([toolResult(other, 'Sun')])]
    const { messages } = body(asked, assistant([call, other]), ...rounds, user('And tomorrow?'))
    expect(messages).toEqual([
      askedOut,
      { role: 'assistant', content: [use, useOther] },
      {
        role: 'user',
        content: [answered('toolu_1', 'Snow'), answered('toolu_2', 'Sun'), textBlock('And tomorrow?')],
      },
    ])
  })

  test('[r199] consecutive messages of one role are one turn, also with an empty message between them', () => {
    const silent = { id: 'msg_1', role: 'assistant', content: [] } as const
    const { messages } = body(user('a'), user('b'), silent, user('c'), assistant('d'), assistant('e'))
    expect(messages).toEqual([
      { role: 'user', content: [textBlock('a'), textBlock('b'), textBlock('c')] },
      { role: 'assistant', content: [textBlock('d'), textBlock('e')] },
    ])
  })

  test('[r211] text is sent before the calls and each call as one block, in the order of the parts', () => {
    const { value } = anthropic.encodeMessage(assistant([text('Let me see'), call, other]))
    expect(value).toEqual([{ role: 'assistant', content: [textBlock('Let me see'), use, useOther] }])
  })

  test('[r215] a call without arguments is sent with an empty object', () => {
    const request: ChatRequest = { messages: [asked, assistant([other])] }
    expect(anthropic.encodeRequest(request).value.messages[1]?.content).toEqual([useOther])
  })

  test('[r198] thinking and redacted thinking become reasoning parts and are sent back in order', () => {
    const [, thought] = [...anthropic.decodeRequest(requests['loop']).value.messages]
    expect(thought?.content.slice(0, 3)).toMatchObject([
      {
        type: 'reasoning',
        text: 'Two calls are needed',
        signature: { vendor: 'anthropic', value: 'c2lnbmF0dXJl' },
      },
      { type: 'reasoning', text: '', redacted: true, signature: { value: 'aGlkZGVu' } },
      { type: 'text', text: 'Let me look' },
    ])
    const signed = attachSignature(reasoning('Hm'), { vendor: 'anthropic', value: 'c2ln' })
    const hidden = attachSignature(
      { ...reasoning(''), redacted: true as const },
      { vendor: 'anthropic', value: 'aGlk' },
    )
    expect(anthropic.encodeMessage(assistant([signed, text('So'), hidden, call])).value).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm', signature: 'c2ln' },
          textBlock('So'),
          { type: 'redacted_thinking', data: 'aGlk' },
          use,
        ],
      },
    ])
  })
})

test.each([
  ['m', 40_000, 'guessed-max-tokens', 'loss'],
  ['claude-sonnet-4-5', 64_000, 'default-max-tokens', 'note'],
  ['claude-opus-4-1', 32_000, 'default-max-tokens', 'note'],
] as const)(
  'the default of max_tokens for %s is %i, which leaves room for the thinking budget',
  (model, limit, rule, severity) => {
    const settings = { reasoning: { enabled: true, budgetTokens: 8000 } }
    const { value, losses } = anthropic.encodeRequest({ model, messages: [asked], ...settings })
    expect(value).toMatchObject({ max_tokens: limit, thinking: { type: 'enabled', budget_tokens: 8000 } })
    expect(losses.map((loss) => [loss.rule, loss.severity])).toEqual([[rule, severity]])
  },
)

describe('media and tools', () => {
  const sources: readonly (readonly [string, Message['content'][number], JsonObject])[] = [
    [
      '[r54] an image by URL',
      image('https://example.org/a.png'),
      { type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } },
    ],
    [
      '[r210] an image in base64',
      { type: 'image', source: { kind: 'base64', data: 'AAAA', mediaType: 'image/png' } },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
    ],
    [
      '[r210] a document by file id',
      { type: 'file', source: { kind: 'id', id: 'file_1', provider: 'anthropic' } },
      { type: 'document', source: { type: 'file', file_id: 'file_1' } },
    ],
    [
      '[C26] an image by file id',
      { type: 'image', source: { kind: 'id', id: 'file_1', provider: 'anthropic' } },
      { type: 'image', source: { type: 'file', file_id: 'file_1' } },
    ],
  ]
  test.each(sources)('%s is sent as a source of that kind', (_, part, block) => {
    const message = { id: 'msg_1', role: 'user', content: [part] } as Message
    expect(body(message)['messages']).toEqual([{ role: 'user', content: [block] }])
  })

  test("[r56] a tool's schema is sent as input_schema", () => {
    const input = { type: 'object', properties: { city: { type: 'string' } } }
    const tools = [{ type: 'function', name: 'weather', description: 'Weather now', input }] as const
    expect(anthropic.encodeRequest({ model: 'm', messages: [asked], tools }).value.tools).toEqual([
      { name: 'weather', description: 'Weather now', input_schema: input },
    ])
  })
})

describe('responses', () => {
  test('[r57] the total is the sum of input and output tokens', () => {
    const usage = { input_tokens: 100, output_tokens: 50 }
    expect(anthropic.decodeResponse({ ...responses['plain'], usage }).value.usage).toMatchObject({
      inputTokens: 100,
      outputTokens: 50,
      totalTokens: 150,
    })
  })

  test('[r58] tool_use blocks become calls and text blocks become text, in their order', () => {
    const content = [{ ...use, caller: null }, textBlock('After the call'), useOther]
    const [answer] = anthropic.decodeResponse({ ...responses['plain'], content }).value.candidates
    expect(answer?.content).toMatchObject([
      { type: 'tool-call', id: 'toolu_1', name: 'weather', arguments: { city: 'Oslo' } },
      { type: 'text', text: 'After the call' },
      { type: 'tool-call', id: 'toolu_2', name: 'weather', arguments: {} },
    ])
  })

  const reasons: readonly (readonly [string, FinishReason])[] = [
    ['end_turn', 'stop'],
    ['tool_use', 'tool-calls'],
    ['max_tokens', 'length'],
    ['stop_sequence', 'stop'],
    ['refusal', 'refusal'],
    ['pause_turn', 'pause'],
  ]
  test.each(reasons)('[r59] %s means %s', (word, reason) => {
    const [answer] = anthropic.decodeResponse({ ...responses['plain'], stop_reason: word }).value.candidates
    expect(answer?.finish?.reason).toBe(reason)
  })
})
