import {
  assistant,
  type ChatRequest,
  type DialectName,
  dialects,
  type EncodeOptions,
  type JsonObject,
  type Message,
  Messages,
  reasoning,
  system,
  text,
  type Tool,
  toolCall,
  toolResult,
  toolResults,
  user,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import { anyRequest, RUNS } from '../arbitraries.ts'
import { expectSame, law } from '../law-assertions.ts'
import { validator } from '../wire-validators.ts'

type Target = readonly [name: string, dialect: DialectName, options: EncodeOptions]

/** The hosts that cache only what is marked. */
const marked: readonly Target[] = [
  ['anthropic', 'anthropic', {}],
  ['anthropic on Bedrock', 'anthropic', { flavor: 'bedrock', model: 'anthropic.claude-sonnet-5-v1:0' }],
  ['anthropic on Vertex', 'anthropic', { flavor: 'vertex', model: 'claude-sonnet-5' }],
  ['Claude on OpenRouter', 'openai-chat', { flavor: 'openrouter', model: 'anthropic/claude-sonnet-5' }],
]

/** Hosts that cache by themselves, or refuse markers. */
const unmarked: readonly Target[] = [
  ['openai-chat', 'openai-chat', { model: 'gpt-6-sol' }],
  ['a Claude behind an unknown host', 'openai-chat', { model: 'claude-sonnet-5' }],
  ['another model on OpenRouter', 'openai-chat', { flavor: 'openrouter', model: 'openai/gpt-6-sol' }],
  ['groq', 'openai-chat', { flavor: 'groq' }],
  ['openai-responses', 'openai-responses', {}],
  ['gemini', 'gemini', {}],
  ['ollama', 'ollama', {}],
]

const encode = (request: ChatRequest, [, dialect, options]: Target, promptCaching: boolean): JsonObject =>
  JSON.parse(JSON.stringify(dialects[dialect].encodeRequest(request, { ...options, promptCaching }).value))

/** Returns the JSON pointers of the markers in a body. */
function markersOf(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, each]) =>
    key === 'cache_control' ? [path] : markersOf(each, `${path}/${key}`),
  )
}

/** Returns a body without markers, in which content that is one text is a string. */
function withoutMarkers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMarkers)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).flatMap(([key, each]) =>
    key === 'cache_control' ? [] : [[key, withoutMarkers(each)] as const],
  )
  return Object.fromEntries(
    entries.map(([key, each]) => [key, isSingleText(key, each) ? each[0]?.text : each]),
  )
}

function isSingleText(key: string, value: unknown): value is { text: string }[] {
  if (!['content', 'system'].includes(key) || !Array.isArray(value) || value.length !== 1) return false
  const keys = Object.keys(value[0] ?? {}).toSorted()
  return keys.join() === 'text,type' && value[0].type === 'text'
}

const hasHints = (request: ChatRequest): boolean => JSON.stringify(request).includes('"cache')

describe.each(marked)('%s', (...target) => {
  test('markers change nothing else, and there are at most four', () => {
    law(
      anyRequest,
      (request) => {
        const plain = encode(request, target, false)
        const cached = encode(request, target, true)
        if (hasHints(request)) return
        expectSame(withoutMarkers(cached), withoutMarkers(plain))
        expect(markersOf(cached).length).toBeLessThanOrEqual(4)
      },
      RUNS / 4,
    )
  })

  test('a request with a cache hint of its own is not changed', () => {
    const hint = { cache: {} }
    const requests: readonly ChatRequest[] = [
      { messages: [user([{ ...text('Hi'), ...hint }])] },
      { messages: [user('Hi')], tools: [{ type: 'function', name: 'a', input: {}, ...hint }] },
      { messages: [system([{ ...text('Be brief.'), cache: { ttl: 'long' } }]), user('Hi')] },
      { messages: [user('Hi')], extra: { [target[1]]: { cache_control: { type: 'ephemeral' } } } },
    ]
    for (const request of requests) expectSame(encode(request, target, true), encode(request, target, false))
  })
})

test.each(unmarked)('%s gets no markers', (...target) => {
  law(
    anyRequest,
    (request) => expectSame(encode(request, target, true), encode(request, target, false)),
    RUNS / 10,
  )
})

const tools: readonly Tool[] = ['read', 'write'].map((name) => ({
  type: 'function',
  name,
  input: { type: 'object' },
}))

/** A run of an agent with some rounds of tools. */
function conversationOf(rounds: number): readonly Message[] {
  const messages: Message[] = [system('You are careful.'), system('Be brief.'), user('Go')]
  for (let round = 0; round < rounds; round++) {
    const calls = [0, 1].map((each) => toolCall({ id: `call_${round}_${each}`, name: 'read' }))
    messages.push(assistant(calls), toolResults(calls.map((each) => toolResult(each, 'done'))))
  }
  return messages
}

describe('the places of markers', () => {
  test.each([
    [0, ['/messages/0/content/0']],
    [1, ['/messages/0/content/0', '/messages/2/content/1']],
    [3, ['/messages/4/content/1', '/messages/6/content/1']],
    [30, ['/messages/58/content/1', '/messages/60/content/1']],
  ])('Claude after %d rounds of tools', (rounds, turns) => {
    const request = { messages: conversationOf(rounds), tools, model: 'claude-sonnet-5' }
    const body = encode(request, ['', 'anthropic', {}], true)
    expect(markersOf(body).toSorted()).toEqual([...turns, '/system/1', '/tools/1'].toSorted())
    expect(validator('anthropic-request')(body)).toEqual([])
  })

  test.each([
    [0, ['/messages/2/content/0']],
    [1, ['/messages/2/content/0', '/messages/5']],
    [30, ['/messages/89', '/messages/92']],
  ])('Claude on OpenRouter after %d rounds of tools', (rounds, turns) => {
    const body = encode({ messages: conversationOf(rounds), tools }, marked[3] ?? expect.fail(), true)
    expect(markersOf(body).toSorted()).toEqual(['/messages/1/content/0', ...turns].toSorted())
  })

  test('neither reasoning, nor empty text, nor a tool that is loaded later has a marker', () => {
    const later = {
      type: 'function',
      name: 'later',
      input: {},
      extra: { anthropic: { defer_loading: true } },
    } as const
    const messages = [
      user(['Look:', text('')]),
      assistant([reasoning('Hm.'), 'Yes?']),
      user(['And?', text(' ')]),
    ]
    const body = encode({ messages, tools: [...tools, later] }, ['', 'anthropic', {}], true)
    expect(body['tools']).toMatchObject([{}, { cache_control: {} }, { defer_loading: true }])
    expect(markersOf(body)).toEqual(['/messages/0/content/0', '/messages/2/content/0', '/tools/1'])
  })
})

test.each(marked)(
  '%s: the text of a growing conversation has the same markers',
  (...[, dialect, options]) => {
    let messages = Messages.of()
    for (const message of conversationOf(30)) {
      messages = messages.append(message)
      const request = { messages, tools }
      const all = { ...options, promptCaching: true }
      const { value } = dialects[dialect].encodeRequestText(request, all)
      const whole = dialects[dialect].encodeRequest({ ...request, messages: messages.toArray() }, all)
      expectSame(JSON.parse(value), JSON.parse(JSON.stringify(whole.value)))
    }
  },
)
