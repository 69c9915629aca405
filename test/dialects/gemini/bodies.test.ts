import {
  accumulate,
  assistant,
  type ChatRequest,
  dialects,
  updatePart,
  type Json,
  type JsonObject,
  type Message,
  repair,
  text,
  toolCall,
  toolResult,
  toolResults,
  translateRequest,
  translateResponse,
  user,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import { anyRequest } from '../../arbitraries.ts'
import { expectSame, law, rulesAndPaths } from '../../law-assertions.ts'
import { requests } from '../bodies/gemini-requests.ts'
import { oddRequests } from '../bodies/gemini-unusual-requests.ts'
import { responses } from '../bodies/gemini-responses.ts'
import { bare } from '../json-leaves.ts'

const { gemini } = dialects

type Contents = readonly { readonly role?: string; readonly parts: readonly JsonObject[] }[]
const contentsOf = (value: JsonObject): Contents => value['contents'] as never
const asked = (messages: readonly Message[], more: Partial<ChatRequest> = {}): ChatRequest => ({
  model: 'gemini-3-pro',
  messages,
  ...more,
})
const messagesOf = (body: JsonObject | undefined): readonly Message[] => [
  ...gemini.decodeRequest(body).value.messages,
]
const oslo = toolCall({ id: 'call_1', name: 'weather', arguments: { city: 'Oslo' } })

describe('contents', () => {
  test('function responses become a tool message, and text beside them is joined with them again', () => {
    const messages = messagesOf(requests['results and words'])
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user'])
    const body = requests['results and words'] ?? {}
    expectSame(gemini.encodeRequest({ messages }).value, body)
  })

  test('consecutive contents of function responses become one message and are restored as separate contents', () => {
    const messages = messagesOf(oddRequests['results apart'])
    expect(messages.map(({ role, content }) => [role, content.length])).toEqual([
      ['user', 1],
      ['assistant', 2],
      ['tool', 2],
      ['assistant', 1],
      ['assistant', 1],
      ['user', 1],
      ['user', 1],
    ])
  })

  test('[r48, C18] calls without ids get the same ids each time, and two turns never share one', () => {
    const ids = (): readonly string[] =>
      messagesOf(requests['without ids']).flatMap(({ content }) =>
        content.flatMap((part) =>
          part.type === 'tool-call' ? [part.id] : part.type === 'tool-result' ? [`for ${part.callId}`] : [],
        ),
      )
    const [first, second, third] = ids().filter((id) => !id.startsWith('for'))
    expect(new Set([first, second, third]).size).toBe(3)
    expect(ids()).toEqual([first, second, `for ${first}`, `for ${second}`, third, `for ${third}`])
    expect(ids()).toEqual(ids())
  })

  test('the wrapper of a response determines the result', () => {
    const results = messagesOf(requests['without ids']).flatMap(({ role, content }) =>
      role === 'tool' ? content : [],
    )
    expect(results).toMatchObject([
      { content: [{ type: 'json', value: { celsius: -4, sky: 'Snow' } }] },
      { content: [{ type: 'text', text: 'No such city' }], isError: true },
      { content: [{ type: 'text', text: 'Snow again' }] },
    ])
  })

  test('[C27] results of other dialects get the object that the API requires', () => {
    const given: readonly Json[] = ['Snow', { sky: 'Sun' }, { output: 'odd' }, [1, 2], 5, null]
    for (const value of given) {
      const round = toolResults([toolResult(oslo, value)])
      const { value: body } = gemini.encodeRequest(asked([user('Hi'), assistant([oslo]), round]))
      const [part] = contentsOf(body)[2]?.parts ?? []
      const { response } = (part?.['functionResponse'] ?? {}) as JsonObject
      expect(response).toEqual(
        typeof value === 'object' && value !== null && 'sky' in value ? value : { result: value },
      )
      const [, , back] = messagesOf(body)
      expect(back?.content).toMatchObject([
        { content: round.content[0]?.type === 'tool-result' ? round.content[0].content : [] },
      ])
    }
  })
})

describe('responses', () => {
  test('supports become citations with character offsets', () => {
    const [message] = gemini.decodeResponse(responses['grounded']).value.candidates
    const [part] = message?.content ?? []
    const cited = part?.type === 'text' ? (part.citations ?? []) : []
    expect(cited).toMatchObject([
      { url: 'https://example.org/snow', title: 'Snow in Oslo', start: 0, end: 23 },
      { url: 'https://example.org/sun', title: 'Sun in Rome', start: 24, end: 49 },
      { url: 'https://example.org/snow', start: 24, end: 49 },
    ])
    const { value } = translateResponse(responses['grounded'], { from: 'gemini', to: 'openai-chat' })
    expect(value.choices[0]?.message.annotations?.[0]?.url_citation).toMatchObject({
      start_index: 0,
      end_index: 23,
    })
  })

  test('other grounding fields are removed when the text is edited, and a loss reports it', () => {
    const { value } = gemini.decodeResponse(responses['grounded'])
    const [message] = value.candidates
    const [part] = message?.content ?? []
    if (message === undefined || part?.type !== 'text') return expect.fail('there is a text')
    const edited = {
      ...message,
      content: [updatePart(part, { text: 'Über Oslo fällt Regen!! In Rom scheint die Sonne.' })],
    }
    const out = gemini.encodeResponse({ ...value, candidates: [edited] })
    const sent = JSON.stringify(out.value)
    expect(rulesAndPaths(out)).toEqual(['stale-grounding /candidates/0/extra/gemini~1grounding'])
    expect(sent).not.toContain('Schnee')
    expect(sent).not.toContain('0.75')
    expect(sent).toContain('Regen!!"')
  })

  test('log probabilities are removed when their text is edited', () => {
    const { value } = gemini.decodeResponse(responses['measured'])
    const [message] = value.candidates
    if (message === undefined) return expect.fail('there is an answer')
    const out = gemini.encodeResponse({
      ...value,
      candidates: [{ ...message, content: [text('Other words')] }],
    })
    expect(out.value.candidates?.[0]).not.toHaveProperty('logprobsResult')
    expect(out.losses.map(({ rule }) => rule)).toEqual(['stale-logprobs', 'stale-logprobs', 'stale-logprobs'])
  })

  test('[r47] token counters are added up, and separated again', () => {
    const { value } = gemini.decodeResponse(responses['calls'])
    expect(value.usage).toMatchObject({
      inputTokens: 17,
      outputTokens: 39,
      totalTokens: 56,
      cachedInputTokens: 4,
      reasoningTokens: 5,
    })
    const usage = { inputTokens: 20, outputTokens: 9, totalTokens: 29, reasoningTokens: 4 }
    expect(gemini.encodeResponse({ candidates: [], usage }).value.usageMetadata).toEqual({
      promptTokenCount: 20,
      candidatesTokenCount: 5,
      thoughtsTokenCount: 4,
      totalTokenCount: 29,
    })
  })

  test('a blocked prompt becomes a message with the finish reason content-filter', () => {
    const { candidates } = gemini.decodeResponse(responses['blocked']).value
    expect(candidates).toMatchObject([{ content: [], finish: { reason: 'content-filter' } }])
    const { value } = translateResponse(responses['blocked'], { from: 'gemini', to: 'openai-chat' })
    expect(value.choices[0]?.finish_reason).toBe('content_filter')
  })

  test('[r51] tool calls determine the finish reason', () => {
    expect(gemini.decodeResponse(responses['calls']).value.candidates[0]?.finish).toEqual({
      reason: 'tool-calls',
    })
    expect(gemini.decodeResponse(responses['recited']).value.candidates[0]?.finish).toEqual({
      reason: 'content-filter',
      raw: 'RECITATION',
    })
  })
})

test('the schema of a request is decoded as JSON Schema, in any style of type names', () => {
  const { tools = [], output } = gemini.decodeRequest({
    ...requests['tools'],
    ...requests['json, in its own schema'],
  }).value
  expect(tools[1]).toMatchObject({
    input: { type: 'object', properties: { parts: { items: { type: 'string' } } } },
  })
  expect(JSON.stringify(tools[1])).toContain('"HOUR"')
  expect(output?.schema).toMatchObject({ type: 'object', properties: { answer: { type: 'string' } } })
  const { value } = translateRequest(requests['json, in its own schema'], {
    from: 'gemini',
    to: 'openai-chat',
  })
  expect(JSON.stringify(value)).not.toContain('OBJECT')
})

/** Returns the violations that the API rejects although its types allow them. */
function findViolations(contents: Contents): readonly string[] {
  return contents.flatMap(({ role, parts }, index) => {
    const kinds = parts.map((part) => Object.keys(part)[0])
    const before = contents[index - 1]
    const calls = before?.parts.filter((part) => 'functionCall' in part).length ?? 0
    const results = parts.filter((part) => 'functionResponse' in part).length
    return [
      ...(index === 0 && role !== 'user' ? ['the first turn is not the user turn'] : []),
      ...(parts.length === 0 ? [`${index} is empty`] : []),
      ...(role === 'model' && before?.role === 'model' ? [`${index} follows another model turn`] : []),
      ...(parts.some((part) => part['text'] === '' && part['thoughtSignature'] === undefined)
        ? [`${index} has an empty text`]
        : []),
      ...(calls !== results ? [`${index} has ${results} results for ${calls} calls`] : []),
      ...(results > 0 && kinds.some((kind) => kind !== 'functionResponse') ? [`${index} mixes results`] : []),
    ]
  })
}

test('every encoded request follows the rules of turns and ends with a user turn', () => {
  law(anyRequest, (request) => {
    const messages = repair(bare([...request.messages]))
    const { value } = gemini.encodeRequest({ ...bare(request), model: 'gemini-3.8-flash', messages })
    const contents = contentsOf(value)
    expect(findViolations(contents)).toEqual([])
    const last = messages.at(-1)
    const end = last?.content.at(-1)
    // An assistant message that its provider paused is continued.
    const paused = last?.role === 'assistant' && last.finish?.reason === 'pause'
    if (end?.type === 'text' && end.text !== '' && !paused) expect(contents.at(-1)?.role).toBe('user')
  })
})

test('a complete response as the only chunk of a stream has the same content', async () => {
  for (const [name, body] of Object.entries(responses)) {
    const identity = { newId: (prefix: string) => `${prefix}_1` }
    async function* source(): AsyncGenerator<string> {
      yield `data: ${JSON.stringify(body)}\n\n`
    }
    const streamed = await accumulate(gemini.decodeStream(source()), identity)
    const complete = gemini.decodeResponse(body, identity).value
    expect(bare(streamed), name).toEqual(bare(complete))
  }
})
