import {
  assistant,
  type ChatRequest,
  type ChatResponse,
  type DecodeOptions,
  dialects,
  file,
  image,
  type Json,
  type JsonObject,
  reasoning,
  text,
  toolCall,
  toolResult,
  toolResults,
  user,
} from 'interlingua'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { expectSame, rulesAndPaths } from '../../law-assertions.ts'
import { validator } from '../../wire-validators.ts'
import { requests } from '../bodies/ollama-requests.ts'
import { oddResponses, responses } from '../bodies/ollama-responses.ts'

const { ollama } = dialects

const asked = (fields: Partial<ChatRequest>): ChatRequest => ({
  model: 'm',
  stream: false,
  messages: [user('Hi')],
  ...fields,
})

const weather = { type: 'function', name: 'weather', input: { type: 'object' } } as const
const time = { type: 'function', name: 'time', input: { type: 'object' } } as const

describe('ollama: a request', () => {
  test('is streamed by default, so the encoder always writes `stream`', () => {
    const { messages, model } = requests['streamed'] ?? {}
    expect(ollama.decodeRequest({ model, messages }).value.stream).toBe(true)
    expect(ollama.decodeRequest({ model, messages, stream: null }).value.stream).toBe(true)
    expect(ollama.decodeRequest({ model, messages, stream: false }).value.stream).toBe(false)
    const { stream: _stream, ...open } = asked({})
    expect(ollama.encodeRequest(open).value.stream).toBe(false)
    expect(rulesAndPaths(ollama.encodeRequest(open))).toEqual([])
    for (const stream of [true, false]) {
      const out = ollama.encodeRequest({ ...open, stream })
      expect([out.value.stream, out.losses]).toEqual([stream, []])
    }
    const { value } = ollama.decodeRequest({ model, messages })
    expect(ollama.encodeRequest({ ...value, stream: false }).value.stream).toBe(false)
  })

  test('keeps unknown options when other options change', () => {
    const { value } = ollama.decodeRequest(requests['json'])
    const out = ollama.encodeRequest({ ...value, temperature: 0.5 })
    expect(out.value.options).toEqual({ num_ctx: 4096, temperature: 0.5 })
  })

  test.each([
    [{ enabled: true }, true, []],
    [{ enabled: false, effort: 'high' }, false, ['effort-approximated /reasoning/effort']],
    [{ enabled: true, effort: 'high' }, 'high', []],
    [{ effort: 'none' }, false, ['effort-approximated /reasoning/effort']],
    [{ effort: 'minimal' }, 'low', ['effort-approximated /reasoning/effort']],
    [{ effort: 'xhigh' }, 'high', ['effort-approximated /reasoning/effort']],
    [{ effort: 'max' }, 'max', []],
    [{ budgetTokens: 9 }, 'low', ['budget-as-effort /reasoning/budgetTokens']],
  ] as const)('thinks: %j is %j', (settings, think, lost) => {
    const out = ollama.encodeRequest(asked({ reasoning: settings }))
    expect([out.value.think, rulesAndPaths(out)]).toEqual([think, lost])
  })

  test.each([
    ['auto', ['weather', 'time'], []],
    ['none', undefined, ['allowed-tools /tools/0', 'allowed-tools /tools/1', 'allowed-tools /toolChoice']],
    ['required', ['weather', 'time'], ['no-field /toolChoice']],
    [{ name: 'time' }, ['weather', 'time'], ['no-field /toolChoice']],
    [{ allowed: ['time'], mode: 'auto' }, ['time'], ['allowed-tools /tools/0', 'allowed-tools /toolChoice']],
    [{ allowed: ['time'], mode: 'required' }, ['time'], ['allowed-tools /tools/0', 'no-field /toolChoice']],
  ] as const)('expresses the tool choice by the tools that it sends: %j', (toolChoice, sent, lost) => {
    const out = ollama.encodeRequest(asked({ tools: [weather, time], toolChoice }))
    expect(out.value.tools?.map((tool) => tool.function.name)).toEqual(sent)
    expect(rulesAndPaths(out)).toEqual(lost)
  })

  test('writes schemas as objects, since the server reads no other schemas', () => {
    const input = { properties: { a: true, b: { anyOf: [false, { type: 'string' }] } } }
    const out = ollama.encodeRequest(asked({ tools: [{ type: 'function', name: 'f', input }] }))
    expect(out.value.tools?.[0]?.function.parameters).toEqual({
      type: 'object',
      properties: { a: {}, b: { type: 'string' } },
    })
    expect(rulesAndPaths(out)).toEqual(['schema-root /tools/0/input'])
    expect(validator('ollama-request')(out.value)).toEqual([])
  })
})

describe('ollama: calls and results', () => {
  const calls = (city: string): JsonObject => ({
    role: 'assistant',
    content: '',
    tool_calls: [{ function: { name: 'weather', arguments: { city } } }],
  })
  const idsOf = (messages: readonly Json[]): readonly string[] =>
    [...ollama.decodeRequest({ model: 'm', messages }).value.messages].flatMap(({ content }) =>
      content.flatMap((part) => (part.type === 'tool-call' ? [part.id] : [])),
    )

  test('calls without an id get a stable one, and two turns never share one', () => {
    const history = [calls('Oslo'), { role: 'tool', content: 'Cold' }, calls('Oslo')]
    const ids = idsOf(history)
    expect(new Set(ids).size).toBe(2)
    expect(idsOf(history)).toEqual(ids)
    expect(idsOf([...history, { role: 'tool', content: 'Cold' }, calls('Rome')]).slice(0, 2)).toEqual(ids)
  })

  test('a result belongs to the call with its id, else to the oldest call of its name, else to the oldest call', () => {
    const { value } = ollama.decodeRequest(requests['loop'])
    const messages = [...value.messages]
    const called = messages.map(({ content }) =>
      content.flatMap((part) => (part.type === 'tool-call' ? [part.id] : [])),
    )
    const answered = messages.map(({ content }) =>
      content.flatMap((part) => (part.type === 'tool-result' ? [part.callId] : [])),
    )
    const [oslo, rome, noon] = called[1] ?? []
    expect(answered[2]).toEqual([noon, oslo, rome])
    expect(answered[4]).toEqual(['call_2', 'call_1'])
  })

  test('results of other dialects get the name of their tool', () => {
    const call = toolCall({ id: 'call_1', name: 'weather', arguments: { city: 'Oslo' } })
    const { name: _name, ...result } = toolResult(call, 'Cold', { isError: true })
    const out = ollama.encodeRequest(asked({ messages: [assistant(call), toolResults([result])] }))
    expect(out.value.messages).toEqual([
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'call_1', function: { name: 'weather', arguments: { city: 'Oslo' } } }],
      },
      { role: 'tool', content: '{"error":"Cold"}', tool_name: 'weather', tool_call_id: 'call_1' },
    ])
    expect(rulesAndPaths(out)).toEqual(['error-as-text /messages/1/content/0'])
  })

  test('arguments are an object', () => {
    const call = toolCall({ id: 'call_1', name: 'weather', arguments: '{"city": ' })
    const messages = [assistant(call), toolResults([toolResult(call, 'Where?')])]
    const out = ollama.encodeRequest(asked({ messages }))
    expect(rulesAndPaths(out)).toEqual(['invalid-arguments /messages/0/content/0/invalidArguments'])
    expect(validator('ollama-request')(out.value)).toEqual([])
  })
})

describe('ollama: the content of a message', () => {
  const png = 'iVBORw0KGgoAAAANSUhEUg=='

  test('the type of an image is detected from its bytes', () => {
    const [message] = ollama.decodeRequest(requests['seen']).value.messages
    expect(message?.content).toMatchObject([
      { type: 'image', source: { kind: 'base64', data: png, mediaType: 'image/png' } },
      { type: 'image', source: { kind: 'base64', mediaType: 'image/jpeg' } },
      { type: 'text', text: 'What are these?' },
    ])
  })

  test('media other than image bytes are described or omitted', () => {
    const seen = user([
      text('Look'),
      image({ data: png, mediaType: 'image/webp' }),
      image('https://example.org/a.png'),
      file({ id: 'file_1', provider: 'openai' }),
    ])
    const out = ollama.encodeRequest(asked({ messages: [seen] }))
    expect(out.value.messages).toEqual([
      {
        role: 'user',
        content: 'Look\n[image, https://example.org/a.png]\n[file, openai file file_1]',
        images: [png],
      },
    ])
    expect(rulesAndPaths(out)).toEqual([
      'order-lost /messages/0/content/1',
      'media-type /messages/0/content/1/source/mediaType',
      'unsupported-media /messages/0/content/2',
      'foreign-file /messages/0/content/3',
      'texts-joined /messages/0/content',
    ])
    const dropped = ollama.encodeRequest(asked({ messages: [seen] }), { unsupported: { media: 'drop' } })
    expect(dropped.value.messages).toEqual([{ role: 'user', content: 'Look', images: [png] }])
  })

  test('reasoning of this dialect is sent back, foreign reasoning is not', () => {
    const own = ollama.decodeResponse(responses['thoughts']).value.candidates
    const replay = ollama.encodeRequest(asked({ messages: own }))
    expect(replay.value.messages).toEqual([
      { role: 'assistant', content: 'Done thinking', thinking: 'Let me think' },
    ])
    expectSame(replay.losses, [])
    const messages = [assistant([reasoning('Hm.'), 'Hello'])]
    expect(rulesAndPaths(ollama.encodeRequest(asked({ messages })))).toEqual([
      'foreign-reasoning /messages/0/content/0',
    ])
    expect(ollama.encodeRequest(asked({ messages }), { foreignReasoning: 'text' }).value.messages).toEqual([
      { role: 'assistant', content: '<thinking>\nHm.\n</thinking>Hello' },
    ])
  })
})

describe('ollama: a response', () => {
  afterEach(() => vi.useRealTimers())

  test('tool calls determine the finish reason', () => {
    const [candidate] = ollama.decodeResponse(responses['calls']).value.candidates
    expect(candidate?.finish).toEqual({ reason: 'tool-calls' })
    const [loaded] = ollama.decodeResponse(oddResponses['loaded']).value.candidates
    expect(loaded?.finish).toEqual({ reason: 'other', raw: 'load' })
  })

  const decodeNameless = (options: DecodeOptions = {}): ChatResponse =>
    ollama.decodeResponse(responses['nameless'], options).value
  const callIds = ({ candidates }: ChatResponse): readonly string[] =>
    candidates.flatMap(({ content }) =>
      content.flatMap((part) => (part.type === 'tool-call' ? [part.id] : [])),
    )

  test('two responses have different ids, and so have their calls, even if model, time and content are equal', () => {
    const decoded = [decodeNameless(), decodeNameless()]
    expect(new Set(decoded.map(({ id }) => id)).size).toBe(2)
    expect(new Set(decoded.flatMap(callIds)).size).toBe(6)
    for (const { id, candidates } of decoded) expect(candidates[0]?.origin?.responseId).toBe(id)
  })

  test('the id of a response and the ids of its calls are repeatable with an own source of ids', () => {
    const newId = (prefix: string): string => `${prefix}_1`
    expect(decodeNameless({ newId })).toEqual(decodeNameless({ newId }))
  })

  test.each([
    [responses['measured'], 'logprobs', 'stale-logprobs'],
    [oddResponses['completion'], 'context', 'stale-context'],
  ] as const)('fields that are bound to the text are removed when it is edited: %#', (body, key, rule) => {
    const { value } = ollama.decodeResponse(body)
    const candidates = value.candidates.map((each) => ({ ...each, content: [text('Other words')] }))
    const out = ollama.encodeResponse({ ...value, candidates })
    expect(out.losses.map((loss) => loss.rule)).toEqual([rule])
    expect(out.value).not.toHaveProperty(key)
    expect(JSON.stringify(out.value)).toContain('Other words')
  })

  test.each([{}, { created_at: null }, { created_at: 'soon' }])(
    'a response with the date %j keeps it, whatever the current time is',
    (date) => {
      const { created_at: _created, ...rest } = responses['plain'] ?? {}
      const body = { ...rest, ...date }
      vi.useFakeTimers({ now: 1_000_000_000_000 })
      const { value } = ollama.decodeResponse(body)
      vi.setSystemTime(2_000_000_000_000)
      expectSame(ollama.encodeResponse(value), { value: body, losses: [] })
    },
  )

  test('a response of another dialect gets the current time', () => {
    const { value } = ollama.encodeResponse({ candidates: [] }, { now: () => 5000 })
    expect(value.created_at).toBe('1970-01-01T00:00:05.000Z')
    expect(validator('ollama-response')(value)).toEqual([])
  })
})
