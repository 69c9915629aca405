import {
  assistant,
  type ChatEvent,
  dialects,
  toEvents,
  image,
  type JsonObject,
  text,
  toolCall,
  translateStream,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import { validator } from '../../wire-validators.ts'
import { searched } from '../stream-responses.ts'
import { payloads } from '../stream-payloads.ts'

/** A response with every kind of content that cannot be streamed to openai-responses. */
const answer = assistant(
  [
    ...searched,
    text('Hello', {
      cache: {},
      citations: [
        { type: 'source', url: 'https://example.org/a' },
        { type: 'source', quote: 'nowhere' },
      ],
    }),
    image('https://example.org/a.png'),
    toolCall({ id: 'c', name: 'a name', arguments: { a: 1 } }),
  ],
  { finish: { reason: 'pause', raw: 'pause_turn' }, origin: { dialect: 'anthropic' } },
)

async function written(events: readonly ChatEvent[]): Promise<{ wire: JsonObject[]; losses: string[] }> {
  const stream = dialects['openai-responses'].encodeStream(events, { now: () => 0 })
  let said = ''
  for await (const bytes of stream) said += new TextDecoder().decode(bytes)
  const losses = (await stream.losses).map(({ rule, path }) => `${rule} ${path}`)
  return { wire: payloads(said) as JsonObject[], losses }
}

describe('content that cannot be streamed to openai-responses', () => {
  test('is omitted and reported, leaves no gap, and the rest is valid', async () => {
    const { wire, losses } = await written(toEvents({ id: 'r', candidates: [answer, answer] }))
    expect(losses).toEqual([
      'dropped-provider-call /candidates/0/content/1',
      'dropped-provider-call /candidates/0/content/2',
      'cache-hint /candidates/0/content/3/cache',
      'citation-range /candidates/0/content/3/citations/0',
      'citations-dropped /candidates/0/content/3/citations/1',
      'dropped-media /candidates/0/content/4',
      'name-changed /candidates/0/content/5/name',
      'candidates-dropped /candidates/1',
      'finish-approximated /candidates/0/finish/raw',
      'finish-approximated /candidates/0/finish/reason',
    ])
    expect(wire.flatMap((event) => validator('openai-responses-stream-event')(event))).toEqual([])
    const items = wire.filter(({ type }) => type === 'response.output_item.done')
    expect(items.map(({ output_index: index, item }) => [index, (item as JsonObject)['type']])).toEqual([
      [0, 'reasoning'],
      [1, 'message'],
      [2, 'function_call'],
    ])
    expect(JSON.stringify(wire)).not.toContain('web_search_call')
  })

  test('a failed stream ends with an error event', async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      for await (const bytes of dialects.anthropic.encodeStream(
        toEvents({ candidates: [answer] }).slice(0, -3),
      )) {
        if (!new TextDecoder().decode(bytes).includes('message_stop')) yield bytes
      }
    }
    const { body } = translateStream(broken(), { from: 'anthropic', to: 'openai-responses' })
    let said = ''
    for await (const bytes of body) said += new TextDecoder().decode(bytes)
    expect((payloads(said) as JsonObject[]).at(-1)).toMatchObject({ type: 'error', code: 'network_error' })
  })

  test('the events have names, and nothing follows the last one', async () => {
    let said = ''
    for await (const bytes of dialects['openai-responses'].encodeStream(
      toEvents({ candidates: [assistant('Hi', { finish: { reason: 'stop' } })] }),
    ))
      said += new TextDecoder().decode(bytes)
    expect(said.startsWith('event: response.created\ndata: {"type":"response.created"')).toBe(true)
    expect(said).not.toContain('[DONE]')
    async function* source(): AsyncGenerator<string> {
      yield `${said}data: [DONE]\n\n`
    }
    const types: string[] = []
    for await (const { type } of dialects['openai-responses'].decodeStream(source())) types.push(type)
    expect(types.at(-1)).toBe('finish')
  })
})
