import {
  assistant,
  type ChatRequest,
  dialects,
  updatePart,
  image,
  type Json,
  type JsonObject,
  reasoning,
  refusal,
  system,
  text,
  toolCall,
  toolResult,
  toolResults,
  translateRequest,
  translateResponse,
  user,
} from 'interlingua'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { expectSame, rulesAndPaths } from '../../law-assertions.ts'
import { requests } from '../bodies/openai-responses-requests.ts'
import { responses } from '../bodies/openai-responses-responses.ts'

const responsesApi = dialects['openai-responses']

const asked = (fields: Partial<ChatRequest>): ChatRequest => ({
  model: 'm',
  messages: [user('Hi')],
  ...fields,
})

const inputOf = (request: ChatRequest): readonly JsonObject[] =>
  responsesApi.encodeRequest(request).value['input'] as unknown as readonly JsonObject[]

/** Returns a received conversation with changed messages. */
function edited(body: JsonObject, change: (content: readonly Json[]) => readonly Json[]): ChatRequest {
  const { value } = responsesApi.decodeRequest(body)
  const messages = [...value.messages].map((message) =>
    message.role === 'assistant'
      ? ({ ...message, content: change(message.content as never) } as never)
      : message,
  )
  return { ...value, messages }
}

const reasoningItem = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAA' }
const messageItem = {
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'So it is', annotations: [] }],
}
const called = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'f', arguments: '{}' }
const paired = { model: 'm', input: [{ role: 'user', content: 'Hi' }, reasoningItem, messageItem] }

describe('reasoning and the item after it', () => {
  test('are sent together', () => {
    const { value } = responsesApi.decodeRequest(paired)
    expectSame(responsesApi.encodeRequest(value), { value: paired, losses: [] })
  })

  test('reasoning is omitted without the item that followed it', () => {
    const out = responsesApi.encodeRequest(edited(paired, ([first]) => [first ?? null]))
    expect(rulesAndPaths(out)).toEqual([
      'unpaired-reasoning /messages/1/content/0',
      'empty-message /messages/1',
    ])
    expect(JSON.stringify(out.value)).not.toContain('rs_1')
  })

  test('reasoning is omitted if another item follows', () => {
    const other = { type: 'text', text: 'Something else' }
    const out = responsesApi.encodeRequest(edited(paired, ([first]) => [first ?? null, other]))
    expect(rulesAndPaths(out)).toEqual(['unpaired-reasoning /messages/1/content/0'])
  })

  test('without the reasoning, the item is sent without its id', () => {
    const out = responsesApi.encodeRequest(edited(paired, ([, second]) => [second ?? null]))
    expect(rulesAndPaths(out)).toEqual(['item-id-dropped /messages/1/content/0'])
    expect(out.value).toMatchObject({
      input: [{}, { type: 'message', role: 'assistant', content: 'So it is' }],
    })
    const calling = {
      model: 'm',
      input: [reasoningItem, called, { ...called, type: 'function_call_output', output: 'x' }],
    }
    const withoutReasoning = responsesApi.encodeRequest(edited(calling, ([, second]) => [second ?? null]))
    expect(withoutReasoning.value).toMatchObject({ input: [{ call_id: 'call_1' }, {}] })
    expect(JSON.stringify(withoutReasoning.value)).not.toContain('"rs_1"')
  })

  test('several summaries are several parts, and an edit of one of them invalidates all', () => {
    const { value } = responsesApi.decodeResponse(responses['thinking'])
    const [candidate] = value.candidates
    const texts = candidate?.content.flatMap((part) => (part.type === 'reasoning' ? [part.text] : []))
    expect(texts).toEqual(['', 'In short', 'and shorter', 'At length'])
    const last = candidate?.content[3]
    if (candidate === undefined || last?.type !== 'reasoning') return expect.fail('there is no reasoning')
    const content = candidate.content.with(3, updatePart(last, { text: 'Edited' }))
    const out = responsesApi.encodeResponse({ ...value, candidates: [{ ...candidate, content }] })
    expect(out.losses.map(({ rule }) => rule)).toContain('stale-signature')
    expect(JSON.stringify(out.value)).not.toContain('gAAAA-of-tomorrow')
    expect(JSON.stringify(out.value)).toContain('gAAAA-of-today')
  })

  test('reasoning of another vendor is omitted, or sent as text', () => {
    const request = asked({ messages: [user('Hi'), assistant([reasoning('Hm.'), 'Yes'])] })
    expect(rulesAndPaths(responsesApi.encodeRequest(request))).toEqual([
      'foreign-reasoning /messages/1/content/0',
    ])
    const shown = responsesApi.encodeRequest(request, { foreignReasoning: 'text' })
    expect(JSON.stringify(shown.value)).toContain('Hm.')
  })
})

describe('conversations of other dialects', () => {
  test('[C26] an image by file id is sent with that id', () => {
    const source = { kind: 'id', id: 'file-1', provider: 'openai' } as const
    const content = [{ type: 'input_image', detail: 'auto', file_id: 'file-1' }]
    expectSame(inputOf(asked({ messages: [user([{ type: 'image', source }])] })), [
      { type: 'message', role: 'user', content },
    ])
  })

  test('[r173] instructions stay in place, assistant messages and tool results become items', () => {
    const call = toolCall({ id: 'call_1', name: 'weather', arguments: { city: 'Oslo' } })
    const messages = [
      system('Be brief.'),
      user([text('Look'), image('https://example.org/a.png')]),
      assistant(['Let me see', call]),
      toolResults([toolResult(call, ['Snow', image({ data: 'AAAA', mediaType: 'image/png' })])]),
      assistant('It snows'),
    ]
    expectSame(inputOf(asked({ messages })), [
      { type: 'message', role: 'system', content: [{ type: 'input_text', text: 'Be brief.' }] },
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 'Look' },
          { type: 'input_image', detail: 'auto', image_url: 'https://example.org/a.png' },
        ],
      },
      { type: 'message', role: 'assistant', content: 'Let me see' },
      { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: '{"city":"Oslo"}' },
      {
        type: 'function_call_output',
        call_id: 'call_1',
        output: [
          { type: 'input_text', text: 'Snow' },
          { type: 'input_image', detail: 'auto', image_url: 'data:image/png;base64,AAAA' },
        ],
      },
      { type: 'message', role: 'assistant', content: 'It snows' },
    ])
  })

  test('a refusal is text in a request and a refusal in a response', () => {
    const message = assistant([refusal('No.')], { finish: { reason: 'stop' } })
    const out = responsesApi.encodeRequest(asked({ messages: [user('Hi'), message] }))
    expect(rulesAndPaths(out)).toEqual(['refusal-as-text /messages/1/content/0'])
    const { value } = responsesApi.encodeResponse({ id: 'resp_1', candidates: [message] }, { now: () => 0 })
    expect(value.output).toMatchObject([{ type: 'message', content: [{ type: 'refusal', refusal: 'No.' }] }])
  })

  test('item ids are created in responses only, and are the same each time', () => {
    const response = { id: 'resp_1', candidates: [assistant('Hi', { finish: { reason: 'stop' } })] } as const
    const ids = [1, 2].map(() => responsesApi.encodeResponse(response).value.output[0]?.id)
    expect(ids[0]).toMatch(/^msg_[\da-f]{40}$/)
    expect(ids[0]).toBe(ids[1])
  })

  test('an output limit below the minimum is raised, unless it was received', () => {
    const out = responsesApi.encodeRequest(asked({ maxOutputTokens: 5 }))
    expect(rulesAndPaths(out)).toEqual(['output-limit /maxOutputTokens'])
    expect(out.value.max_output_tokens).toBe(16)
    const { value } = responsesApi.decodeRequest({ model: 'm', input: 'Hi', max_output_tokens: 5 })
    expect(responsesApi.encodeRequest({ ...value, maxOutputTokens: 7 }).value.max_output_tokens).toBe(7)
  })

  test('content that only the server stores is reported', () => {
    const out = translateRequest(requests['kept'], { from: 'openai-responses', to: 'openai-chat' })
    expect(rulesAndPaths(out)).toContain('foreign-residue /extra/openai-responses/previous_response_id')
    expect(() =>
      translateRequest(requests['kept'], { from: 'openai-responses', to: 'openai-chat', onLoss: 'error' }),
    ).toThrow()
  })
})

describe('provider tools', () => {
  test('a result of the application has the item type that belongs to its call', () => {
    const { value } = responsesApi.decodeRequest(requests['shells'])
    const calls = [...value.messages].flatMap((message) =>
      message.role === 'assistant' ? message.content.filter((part) => part.type === 'tool-call') : [],
    )
    const kinds = calls.map((call) => {
      const messages = [user('Go'), assistant([call]), toolResults([toolResult(call, 'Done')])]
      return inputOf(asked({ messages })).at(-1)?.['type']
    })
    expect(kinds).toEqual([
      'local_shell_call_output',
      'shell_call_output',
      'apply_patch_call_output',
      'function_call_output', // a tool search has no result as text
    ])
  })

  test('a generated image is media, next to its prompt', () => {
    const [candidate] = responsesApi.decodeResponse(responses['hosted']).value.candidates
    const made = candidate?.content.findIndex(
      (part) => part.type === 'tool-call' && part.name === 'image_generation',
    )
    expect(candidate?.content.slice(made, (made ?? 0) + 2)).toMatchObject([
      { executedBy: 'provider', arguments: { revised_prompt: 'A cat in the snow' } },
      { callId: 'ig_1', content: [{ type: 'image', source: { kind: 'base64', mediaType: 'image/webp' } }] },
    ])
  })

  test('they are chosen by their type', () => {
    const { value } = responsesApi.decodeRequest(requests['hosted'])
    expect(value.toolChoice).toEqual({ name: 'file_search' })
    const changed = responsesApi.encodeRequest({ ...value, toolChoice: { name: 'code_interpreter' } }).value
    expect(changed.tool_choice).toEqual({ type: 'code_interpreter' })
  })
})

describe('answers', () => {
  afterEach(() => vi.useRealTimers())

  test.each([{}, { created_at: null }, { created_at: 'soon' }, { created_at: 0 }, { created_at: 1.5 }])(
    'with the date %j are sent with it, at any time',
    (date) => {
      const { created_at: _created, ...rest } = responses['plain'] ?? {}
      const body = { ...rest, ...date }
      vi.useFakeTimers({ now: 1_000_000_000_000 })
      const { value } = responsesApi.decodeResponse(body)
      vi.setSystemTime(2_000_000_000_000)
      expectSame(responsesApi.encodeResponse(value), { value: body, losses: [] })
    },
  )

  test('repeat the known settings of their request', () => {
    const request = responsesApi.decodeRequest(requests['settings']).value
    const { value } = responsesApi.encodeResponse(
      { candidates: [assistant('Hi')] },
      { request, now: () => 5000 },
    )
    expect(value).toMatchObject({
      created_at: 5,
      temperature: 0.5,
      max_output_tokens: 999,
      parallel_tool_calls: false,
      metadata: { purpose: 'a test' },
      truncation: 'auto',
      tools: requests['settings']?.['tools'],
      reasoning: { effort: 'high', summary: 'detailed' },
    })
  })

  test.each([
    ['calls', 'tool-calls'],
    ['short', 'length'],
    ['filtered', 'content-filter'],
    ['failed', 'error'],
    ['cancelled', 'aborted'],
    ['refused', 'stop'],
    ['queued', undefined],
  ])('%s: the finish reason is %s', (name, reason) => {
    const [candidate] = responsesApi.decodeResponse(responses[name]).value.candidates
    expect(candidate?.finish?.reason).toBe(reason)
  })

  test('log probabilities are removed when their text is edited', () => {
    const { value } = responsesApi.decodeResponse(responses['measured'])
    const [candidate] = value.candidates
    const [part] = candidate?.content ?? []
    if (candidate === undefined || part?.type !== 'text') return expect.fail('there is a text')
    const content = [updatePart(part, { text: 'Something else' })]
    const out = responsesApi.encodeResponse({ ...value, candidates: [{ ...candidate, content }] })
    expect(out.losses.map(({ rule }) => rule)).toEqual(['stale-logprobs'])
    expect(JSON.stringify(out.value.output)).toContain('"logprobs":[]')
  })

  test('citations are translated to annotations', () => {
    const chat = translateResponse(responses['cited'], { from: 'openai-responses', to: 'openai-chat' })
    expect(JSON.stringify(chat.value)).toContain('https://example.org/snow')
    const back = translateResponse(chat.value, { from: 'openai-chat', to: 'openai-responses' })
    expect(back.value.output).toMatchObject([
      {
        content: [
          { annotations: [{ type: 'url_citation', title: 'Snow in Oslo', start_index: 3, end_index: 8 }] },
        ],
      },
    ])
  })
})
