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
import { searched, source, streamNames, type StreamName, told } from './stream-responses.ts'
import { payloads } from './stream-payloads.ts'

/** An answer with everything that one format or the other cannot stream. */
const answer = assistant(
  [...searched, 'Hello', image('https://example.com/a.png'), toolCall({ id: 'c', name: 'f' })],
  { finish: { reason: 'tool-calls' }, origin: { dialect: 'gemini' } },
)

/** The formats that can show an image of which the address is known, and those that take any thoughts. */
const shows: ReadonlySet<StreamName> = new Set(['gemini'])
const thinks: ReadonlySet<StreamName> = new Set(['gemini'])

async function written(
  name: 'anthropic' | 'openai-chat',
  events: readonly ChatEvent[],
): Promise<JsonObject[]> {
  let text = ''
  for await (const bytes of dialects[name].encodeStream(events)) text += new TextDecoder().decode(bytes)
  return payloads(text) as JsonObject[]
}

describe('what cannot be streamed to another format', () => {
  test('leaves no gap between the blocks of anthropic', async () => {
    const blocks = (await written('anthropic', toEvents({ candidates: [answer] }))).filter(
      ({ type }) => type === 'content_block_start',
    )
    expect(blocks.map(({ index, content_block: block }) => [index, (block as JsonObject)['type']])).toEqual([
      [0, 'text'],
      [1, 'text'],
      [2, 'text'],
      [3, 'text'],
      [4, 'tool_use'],
    ])
  })

  test.each(streamNames)('is told in the words of the whole answer to %s', async (name) => {
    const spoken = async (options: EncodeOptions): Promise<string> => {
      const { text: bytes } = await told(name, toEvents({ candidates: [answer] }), options)
      const words = await toText(dialects[name].decodeStream(source(bytes)))
      const whole = dialects[name].encodeResponse({ candidates: [answer] }, options).value
      const [message] = dialects[name].decodeResponse(whole).value.candidates
      expect(words).toBe(message && textOf(message))
      return words
    }
    const called = '[web_search ran with {"query":"x"}][web_search: {"hits":1}]'
    const seen = shows.has(name) ? '' : '[image, https://example.com/a.png]'
    const thought = thinks.has(name) ? '' : '<thinking>\nHm.\n</thinking>'
    expect(await spoken({})).toBe(`${called}Hello${seen}`)
    expect(await spoken({ foreignReasoning: 'text', unsupported: 'drop' })).toBe(`${thought}${called}Hello`)
  })

  test('is never offered to a client as a call of its own', async () => {
    const { text: bytes } = await told('openai-chat', toEvents({ candidates: [answer] }))
    const calls = [...bytes.matchAll(/"tool_calls":\[(.*?)\]/g)].map(([, call]) => call).join('')
    expect(calls).not.toContain('web_search')
    expect(calls).toContain('"id":"c"')
    expect(bytes).not.toContain('Hm.')
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
    const { body, losses } = translateStream(source, { from: 'anthropic', to: 'openai-chat' })
    for await (const _bytes of body);
    expect(await losses).toMatchObject([
      { rule: 'foreign-reasoning', path: '/candidates/0/content/0', severity: 'loss' },
    ])
  })

  test('citations go out one by one to anthropic, and are reported to openai-chat', async () => {
    const quote = (document: number): Citation => ({
      type: 'source',
      quote: 'q',
      document,
      location: { unit: 'page', start: 1, end: 2 },
    })
    const cited = assistant(
      text('Hello', { citations: [quote(0), quote(1), { type: 'source', url: 'https://example.com' }] }),
    )
    const sent = await written('anthropic', toEvents({ candidates: [cited] }))
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

  test('a signature goes out with the words that it vouches for, and with no others', async () => {
    const signed = reasoning('Hm.', { signature: { vendor: 'anthropic', value: 'sig' } })
    const origin = { dialect: 'anthropic' }
    const tokens = async (part: typeof signed): Promise<unknown[]> => {
      const sent = await written('anthropic', toEvents({ candidates: [assistant([part, 'Hi'], { origin })] }))
      return sent.flatMap(({ delta }) => (delta as JsonObject | undefined)?.['signature'] ?? [])
    }
    expect(await tokens(signed)).toEqual(['sig'])
    expect(await tokens(updatePart(signed, { text: 'Edited.' }))).toEqual([])
  })
})
