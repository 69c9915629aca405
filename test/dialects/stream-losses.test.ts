import {
  assistant,
  type ChatEvent,
  dialects,
  emit,
  image,
  type JsonObject,
  reasoning,
  toolCall,
  toolResult,
  translateStream,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import { payloads } from './stream-codecs.ts'

const search = toolCall({
  id: 'srv_1',
  name: 'web_search',
  arguments: { query: 'x' },
  executedBy: 'provider',
})

/** An answer with everything that one format or the other cannot stream. */
const answer = assistant(
  [
    reasoning('Hm.'),
    search,
    toolResult(search, { hits: 1 }),
    'Hello',
    image('https://example.com/a.png'),
    toolCall({ id: 'c', name: 'f' }),
  ],
  { finish: { reason: 'tool-calls' }, origin: { dialect: 'gemini' } },
)

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
    const blocks = (await written('anthropic', emit({ candidates: [answer] }))).filter(
      ({ type }) => type === 'content_block_start',
    )
    expect(blocks.map(({ index, content_block: block }) => [index, (block as JsonObject)['type']])).toEqual([
      [0, 'text'],
      [1, 'text'],
      [2, 'tool_use'],
    ])
  })

  test('is never offered to a client as a call of its own', async () => {
    const text = JSON.stringify(await written('openai-chat', emit({ candidates: [answer] })))
    expect(text).not.toContain('web_search')
    expect(text).not.toContain('Hm.')
    expect(text).toContain('"id":"c"')
  })

  test('is reported', async () => {
    const source = dialects.anthropic.encodeStream([
      { type: 'start', id: 'r', origin: { dialect: 'anthropic' } },
      { type: 'part-start', index: 0, part: { type: 'reasoning', text: '' } },
      { type: 'reasoning-delta', index: 0, text: 'Hm.' },
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
})
