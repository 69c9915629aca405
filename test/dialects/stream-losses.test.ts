import {
  assistant,
  type Citation,
  updatePart,
  text,
  type ChatEvent,
  dialects,
  toEvents,
  type EncodeOptions,
  image,
  type JsonObject,
  reasoning,
  textOf,
  toolCall,
  toText,
  translateStream,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import { searched, source, streamNames, type StreamName, encodeStreamText } from './stream-responses.ts'
import { payloads } from './stream-payloads.ts'

/** A message with every part that at least one dialect cannot stream. */
const answer = assistant(
  [...searched, 'Hello', image('https://example.com/a.png'), toolCall({ id: 'c', name: 'f' })],
  { finish: { reason: 'tool-calls' }, origin: { dialect: 'gemini' } },
)

/** The dialects that support image URLs. */
const imageUrlDialects: ReadonlySet<StreamName> = new Set(['gemini', 'gemini-interactions'])

async function encodePayloads(
  name: 'anthropic' | 'openai-chat',
  events: readonly ChatEvent[],
): Promise<JsonObject[]> {
  let text = ''
  for await (const bytes of dialects[name].encodeStream(events)) text += new TextDecoder().decode(bytes)
  return payloads(text) as JsonObject[]
}

describe('content that cannot be streamed to another dialect', () => {
  test('leaves no gap between the blocks of anthropic', async () => {
    const blocks = (await encodePayloads('anthropic', toEvents({ candidates: [answer] }))).filter(
      ({ type }) => type === 'content_block_start',
    )
    expect(blocks.map(({ index, content_block: block }) => [index, (block as JsonObject)['type']])).toEqual([
      [0, 'thinking'],
      [1, 'text'],
      [2, 'tool_use'],
    ])
  })

  test.each(streamNames)('is described as in a complete response of %s', async (name) => {
    const getDescription = async (options: EncodeOptions): Promise<string> => {
      const { text: bytes } = await encodeStreamText(name, toEvents({ candidates: [answer] }), options)
      const words = await toText(dialects[name].decodeStream(source(bytes)))
      const complete = dialects[name].encodeResponse({ candidates: [answer] }, options).value
      const [message] = dialects[name].decodeResponse(complete).value.candidates
      expect(words).toBe(message && textOf(message))
      return words
    }
    const called = '[web_search ran with {"query":"x"}][web_search: {"hits":1}]'
    const seen = imageUrlDialects.has(name) ? '' : '[image, https://example.com/a.png]'
    expect(await getDescription({})).toBe('Hello')
    const described: EncodeOptions = { unsupported: { hostedTools: 'text', media: 'text' } }
    expect(await getDescription(described)).toBe(`${called}Hello${seen}`)
    expect(await getDescription({ foreignReasoning: 'text', unsupported: { hostedTools: 'text' } })).toBe(
      `<thinking>\nHm.\n</thinking>${called}Hello`,
    )
  })

  test('never becomes a call that the client has to run', async () => {
    const { text: bytes } = await encodeStreamText('openai-chat', toEvents({ candidates: [answer] }))
    const calls = [...bytes.matchAll(/"tool_calls":\[(.*?)\]/g)].map(([, call]) => call).join('')
    expect(calls).not.toContain('web_search')
    expect(calls).toContain('"id":"c"')
    expect(bytes).toContain('"reasoning_content":"Hm."')
  })

  test('is reported', async () => {
    const source = dialects.anthropic.encodeStream([
      { type: 'start', id: 'r', origin: { dialect: 'anthropic' } },
      { type: 'part-start', index: 0, part: { type: 'reasoning', text: '' } },
      { type: 'reasoning-delta', index: 0, text: 'Hm.' },
      { type: 'part-update', index: 0, signature: { vendor: 'anthropic', value: 'sig' } },
      { type: 'part-end', index: 0 },
      { type: 'part-start', index: 1, part: { type: 'text', text: '' } },
      { type: 'text-delta', index: 1, text: 'Hello' },
      { type: 'part-end', index: 1 },
      { type: 'finish', finish: { reason: 'stop' } },
    ])
    const { body, losses } = translateStream(source, {
      from: 'anthropic',
      to: 'openai-chat',
      foreignReasoning: 'drop',
    })
    for await (const _bytes of body);
    expect(await losses).toMatchObject([
      { rule: 'foreign-reasoning', path: '/candidates/0/content/0', severity: 'loss' },
    ])
  })

  test('citations are streamed one by one to anthropic, and are reported for openai-chat', async () => {
    const quote = (document: number): Citation => ({
      type: 'source',
      quote: 'q',
      document,
      location: { unit: 'page', start: 1, end: 2 },
    })
    const cited = assistant(
      text('Hello', { citations: [quote(0), quote(1), { type: 'source', url: 'https://example.com' }] }),
    )
    const sent = await encodePayloads('anthropic', toEvents({ candidates: [cited] }))
    expect(
      sent.filter(({ delta }) => (delta as JsonObject | undefined)?.['type'] === 'citations_delta'),
    ).toHaveLength(2)
    expect(
      sent.some(({ delta }) => delta !== undefined && Object.keys(delta as JsonObject).length === 0),
    ).toBe(false)
    const source = dialects.anthropic.encodeStream(toEvents({ candidates: [cited] }))
    const { body, losses } = translateStream(source, { from: 'anthropic', to: 'openai-chat' })
    for await (const _bytes of body);
    expect((await losses).map(({ rule, path }) => `${rule} ${path}`)).toContain(
      'citations-dropped /candidates/0/content/0/citations',
    )
  })

  test('a signature is streamed only with the content that it signs', async () => {
    const signed = reasoning('Hm.', { signature: { vendor: 'anthropic', value: 'sig' } })
    const origin = { dialect: 'anthropic' }
    const tokens = async (part: typeof signed): Promise<unknown[]> => {
      const sent = await encodePayloads(
        'anthropic',
        toEvents({ candidates: [assistant([part, 'Hi'], { origin })] }),
      )
      return sent.flatMap(({ delta }) => (delta as JsonObject | undefined)?.['signature'] ?? [])
    }
    expect(await tokens(signed)).toEqual(['sig'])
    expect(await tokens(updatePart(signed, { text: 'Edited.' }))).toEqual([])
  })

  test.each(streamNames)(
    'a part that a restarted stream opens again is no correction for %s',
    async (name) => {
      const once = (words: string): ChatEvent[] => [
        { type: 'start', id: words },
        { type: 'part-start', index: 0, part: { type: 'text', text: '' } },
        { type: 'text-delta', index: 0, text: words },
        { type: 'part-update', index: 0, citations: [] },
        { type: 'part-end', index: 0 },
      ]
      const finish: ChatEvent = { type: 'finish', finish: { reason: 'stop' } }
      const { losses } = await encodeStreamText(name, [...once('First'), ...once('Second'), finish])
      expect(losses.map(({ rule }) => rule)).not.toContain('late-correction')
    },
  )
})
