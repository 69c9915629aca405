import {
  accumulate,
  assistant,
  dialects,
  image,
  json,
  type JsonObject,
  refusal,
  toolCall,
  toolCallsOf,
  toolResult,
  toolResults,
  translateResponse,
  translateStream,
  user,
} from 'interlingua'
import { expect } from 'vitest'
import { expectSame } from '../../law-assertions.ts'
import { faultsOf } from '../dialect-table.ts'
import { answers } from './responses.ts'
import {
  all,
  asking,
  chunk,
  eachIssue,
  events,
  rulesOf,
  sent,
  streamed,
  textIn,
  valuesOf,
} from './public-issues.ts'
import { histories } from './histories.ts'
import { elementsOf, send, subjectOf } from './send.ts'
import { dot } from './ciphertexts.ts'

const { anthropic, 'openai-chat': chat } = dialects

const usage = { input_tokens: 9, output_tokens: 9 }
const claude: readonly JsonObject[] = [
  {
    type: 'message_start',
    message: { ...answers.anthropic, content: [], stop_reason: null, usage },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Let me look' } },
  { type: 'content_block_stop', index: 0 },
  ...['Oslo', 'Rome'].flatMap((city, at) => [
    {
      type: 'content_block_start',
      index: at + 1,
      content_block: { type: 'tool_use', id: `toolu_${at}`, name: 'weather', input: {} },
    },
    {
      type: 'content_block_delta',
      index: at + 1,
      delta: { type: 'input_json_delta', partial_json: `{"city":"${city}"}` },
    },
    { type: 'content_block_stop', index: at + 1 },
  ]),
  { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage },
  { type: 'message_stop' },
]

/** Returns the payloads of a framed stream. */
async function payloads(stream: AsyncIterable<Uint8Array>): Promise<readonly JsonObject[]> {
  const decoder = new TextDecoder()
  let whole = ''
  for await (const bytes of stream) whole += decoder.decode(bytes, { stream: true })
  return whole
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)) as JsonObject)
}

const call = toolCall({ id: 'call_1', name: 'draw', arguments: {} })

eachIssue('text, media, citations and refusals', [
  {
    issue: 'vercel/ai#17379',
    title: 'citations are sent back to their vendor, and reported if they are lost',
    check() {
      const request = anthropic.decodeRequest(histories.anthropic).value
      const { body } = send(request, 'anthropic')
      expectSame(elementsOf('anthropic', body)[3], elementsOf('anthropic', histories.anthropic)[3])
      for (const to of ['openai-chat', 'gemini', 'ollama'] as const)
        expect(rulesOf(send(request, to, 'm'))).toContain('citations-dropped')
    },
  },
  {
    issue: 'vercel/ai#5234',
    title: 'an image in a tool result is sent as an image or described, but its bytes are never sent as text',
    check() {
      const shown = toolResult(call, ['Here', image({ data: dot, mediaType: 'image/png' })])
      for (const to of all) {
        const out = sent(to, user('Draw'), assistant([call]), toolResults([shown]))
        const texts = [...valuesOf(out.body, 'text'), ...valuesOf(out.body, 'content')]
        expect(texts.filter((each) => typeof each === 'string' && each.includes(dot))).toEqual([])
        expect(textIn(out).includes(dot) || rulesOf(out).includes('unsupported-media')).toBe(true)
      }
    },
  },
  {
    issue: 'vercel/ai#14369',
    title: 'a schema with references in a tool result is text for Gemini, which would resolve them',
    check() {
      const schema = { $defs: { city: { type: 'string' } }, properties: { to: { $ref: '#/$defs/city' } } }
      const given = toolResult(call, [json(schema)])
      const out = sent('gemini', user('Describe'), assistant([call]), toolResults([given]))
      expect(valuesOf(out.body, '$ref')).toEqual([])
      expect(valuesOf(out.body, 'response')).toEqual([{ result: JSON.stringify(schema) }])
      expect(rulesOf(out)).toContain('json-as-text')
      const came = {
        contents: [
          { role: 'user', parts: [{ text: 'Draw' }] },
          { role: 'model', parts: [{ functionCall: { name: 'draw', args: {} } }] },
          {
            role: 'user',
            parts: [{ functionResponse: { name: 'draw', response: { output: { $ref: 'a.png' } } } }],
          },
        ],
      }
      const back = dialects.gemini.encodeRequest(dialects.gemini.decodeRequest(came).value)
      expectSame(back, { value: came, losses: [] })
    },
  },
  {
    issue: 'vercel/ai#9789',
    title: 'an output format and tools in one request are both sent, or one of them is reported',
    check() {
      const request = {
        ...asking(user('Weather?')),
        tools: [{ type: 'function', name: 'draw', input: { type: 'object', properties: {} } }],
        output: { type: 'json', schema: { type: 'object', properties: { sky: { type: 'string' } } } },
      } as const
      for (const to of all) {
        const { body, losses } = send(request, to)
        const back = dialects[to].decodeRequest(body).value
        const named = losses.some(({ path }) => path.startsWith('/output') || path.startsWith('/tools'))
        expect([to, (back.tools?.length === 1 && back.output?.schema !== undefined) || named]).toEqual([
          to,
          true,
        ])
      }
    },
  },
  {
    issue: 'Portkey-AI/gateway#950',
    title: 'citations of Claude become annotations of openai-chat, or are reported as lost',
    check() {
      const cited = {
        type: 'text',
        text: 'Much snow',
        citations: valuesOf(histories.anthropic, 'citations')[0],
      }
      const response = { ...answers.anthropic, content: [cited], stop_reason: 'end_turn' } as JsonObject
      const { value, losses } = translateResponse(response, { from: 'anthropic', to: 'openai-chat' })
      const isKept = JSON.stringify(value).includes('https://example.org/snow')
      expect(isKept || losses.some(({ rule }) => rule.startsWith('citation'))).toBe(true)
      expect(JSON.stringify(value)).not.toContain('sealed=')
    },
  },
  {
    issue: 'openai/openai-agents-js#1522',
    title: 'a message that contains only a refusal is sent as one to every model',
    check() {
      const messages = [user('Be rude'), assistant([refusal('That I will not')]), user('Be kind')]
      for (const to of all) expect(textIn(sent(to, ...messages))).toContain('That I will not')
    },
  },
  {
    issue: 'openai/openai-agents-python#3055',
    title: 'a refusal differs from an empty message',
    check() {
      const message = { role: 'assistant', content: null, refusal: 'No' }
      const { value } = chat.decodeResponse({ choices: [{ index: 0, message, finish_reason: 'stop' }] })
      expect(value.candidates[0]).toMatchObject({ content: [{ type: 'refusal', text: 'No' }] })
    },
  },
  {
    issue: 'BerriAI/litellm#18839',
    title: "the results of a provider's search are readable",
    check() {
      const { messages } = anthropic.decodeRequest(histories.anthropic).value
      const results = [...messages].flatMap(({ role, content }) =>
        role === 'assistant' ? content.filter(({ type }) => type === 'tool-result') : [],
      )
      expect(JSON.stringify(results)).toContain('https://example.org/snow')
      expect(results).toMatchObject([{ callId: 'srvtoolu_1' }])
    },
  },
  {
    issue: 'vercel/ai#9731',
    title: 'fields that an application adds for one provider are sent only to that provider',
    check() {
      const marked = { ...user('Hi'), extra: { anthropic: { mood: 'calm' } } }
      for (const to of all)
        expect(textIn({ ...anyway(to, marked) }).includes('calm')).toBe(to === 'anthropic')
    },
  },
])

/** Encodes a request without a check: an application may add unknown fields. */
function anyway(to: (typeof all)[number], message: ReturnType<typeof user>): ReturnType<typeof send> {
  const { value, losses } = subjectOf(to).dialect.encodeRequest(asking(message))
  return { body: value, losses }
}

eachIssue('streams', [
  {
    issue: 'openai/openai-python#3201',
    title: 'an index that occurs twice in the first chunk does not mix up arguments',
    async check() {
      const piece = (index: number, id: string, given: string): JsonObject => ({
        index,
        id,
        type: 'function',
        function: { name: 'weather', arguments: given },
      })
      const response = await streamed('openai-chat', [
        chunk({
          role: 'assistant',
          tool_calls: [piece(0, 'call_a', '{"a":1}'), piece(0, 'call_b', '{"b":2}')],
        }),
        chunk({}, 'tool_calls'),
      ])
      const calls = response.candidates.flatMap(toolCallsOf)
      expect(calls.map((each) => [each.id, each.arguments])).toEqual([
        ['call_a', { a: 1 }],
        ['call_b', { b: 2 }],
      ])
    },
  },
  {
    issue: 'BerriAI/litellm#5231',
    title: 'calls of a Claude stream are numbered from zero in openai-chat chunks',
    async check() {
      const { body } = translateStream(events(claude, true), { from: 'anthropic', to: 'openai-chat' })
      const chunks = await payloads(body)
      const indexes = valuesOf(chunks, 'tool_calls').flatMap((calls) => valuesOf(calls, 'index'))
      expect([...new Set(indexes)]).toEqual([0, 1])
      const back = await streamed('openai-chat', chunks)
      expect(back.candidates.flatMap(toolCallsOf).map((each) => each.arguments)).toEqual([
        { city: 'Oslo' },
        { city: 'Rome' },
      ])
    },
  },
  {
    issue: 'BerriAI/litellm#24176',
    title: 'a stream for clients of Claude has the events and the usage that they require',
    async check() {
      const source = events([
        chunk({ role: 'assistant', content: 'Hi' }),
        chunk({}, 'stop'),
        { ...chunk({}), choices: [], usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 } },
      ])
      const translated = await payloads(
        translateStream(source, { from: 'openai-chat', to: 'anthropic' }).body,
      )
      for (const each of translated) expect(faultsOf(subjectOf('anthropic'), 'event', each)).toEqual([])
      const { usage: counted } = await accumulate(anthropic.decodeStream(events(translated, true)))
      expect(counted).toMatchObject({ outputTokens: 2 })
    },
  },
  {
    issue: 'maximhq/bifrost#6382',
    title: 'a streamed response of the Responses API is sent back in full, not by reference',
    async check() {
      const { body } = translateStream(events(claude, true), { from: 'anthropic', to: 'openai-responses' })
      const response = await streamed('openai-responses', await payloads(body))
      const calls = response.candidates.flatMap(toolCallsOf)
      const results = toolResults(calls.map((each) => toolResult(each, 'Snow')))
      const out = sent('openai-responses', user('Weather?'), ...response.candidates, results)
      expect(valuesOf(out.body, 'type')).not.toContain('item_reference')
      expect(valuesOf(out.body, 'call_id')).toHaveLength(4)
    },
  },
])
