import {
  assistant,
  type DialectName,
  dialects,
  type Message,
  Messages,
  toEvents,
  toolCall,
  toolResult,
  toolResults,
  user,
} from 'interlingua'
import { mistral } from 'interlingua/providers'
import { describe, expect, it } from 'vitest'
import { countWork, installCounters, type Work } from './count-work.ts'

// Guards the cost of the hot paths by counting work, which is the same on every machine. The limits are about twice what is
// needed today: a change that encodes, hashes or walks everything once more exceeds them.

installCounters()

const names = Object.keys(dialects) as DialectName[]
const settings = { model: 'm', maxOutputTokens: 100 }
const paragraph = 'The quick brown fox jumps over the lazy dog. '.repeat(10).trim()
const TURNS = 25
const DELTAS = 300

function createTurn(index: number): Message[] {
  const call = toolCall({ id: `call_${index}`, name: 'search', arguments: { query: paragraph, page: index } })
  return [
    assistant(['Let me look.', call]),
    toolResults(toolResult(call, paragraph)),
    assistant(paragraph),
    user(`${index} ${paragraph}`),
  ]
}

const createMessages = (turns: number): Messages =>
  Messages.of(user('Hi')).append(...Array.from({ length: turns }, (_, index) => createTurn(index)).flat())

/** Returns the work of encoding the last turn of a conversation whose other turns were encoded before. */
async function countNextTurn(name: DialectName, turns: number): Promise<Work> {
  let messages = createMessages(turns)
  const encode = (): unknown => dialects[name].encodeRequestText({ ...settings, messages })
  for (let index = 0; index < 3; index++) {
    encode()
    messages = messages.append(...createTurn(turns + index))
  }
  return countWork(encode)
}

/** Returns the chunks of a stream with deltas, one event each. */
async function createStream(name: DialectName): Promise<Uint8Array[]> {
  const answer = { id: 'r', model: 'm', candidates: [assistant('x', { finish: { reason: 'stop' } })] }
  const [start, open, , ...rest] = toEvents(answer)
  const delta = { type: 'text-delta', index: 0, text: 'word ' } as const
  const events = [start, open, ...Array.from({ length: DELTAS }, () => delta), ...rest]
  const chunks: Uint8Array[] = []
  const stream = dialects[name].encodeStream(events.filter((event) => event !== undefined))
  for await (const chunk of stream) chunks.push(chunk)
  return chunks
}

async function* receive(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks
}

async function countStream(name: DialectName, exact: boolean): Promise<Work> {
  const chunks = await createStream(name)
  return countWork(async () => {
    let text = ''
    for await (const event of dialects[name].decodeStream(receive(chunks), { exact }))
      if (event.type === 'text-delta') text += event.text
    expect(text).toBe('word '.repeat(DELTAS))
  })
}

it('counts what is stringified, hashed and walked', async () => {
  const { hash } = (await import('node:crypto')).default
  const work = await countWork(() => [JSON.stringify('four'), hash('sha256', 'four'), Object.keys({})])
  expect(work).toEqual({ stringified: 6, hashed: 4, visits: 1 })
})

it('a call creates the losses of a long conversation when its caller reads them', async () => {
  const answer = dialects.mistral.encodeResponse({ model: 'm', candidates: [assistant('Hi')] }).value
  const model = mistral('m', { apiKey: 'none', fetch: () => Promise.resolve(Response.json(answer)) })
  const reply = await model.generate({ messages: [...createMessages(TURNS)] })
  // Mistral sends each call under another id.
  const { visits } = await countWork(() => reply.losses)
  expect(reply.losses).toHaveLength(TURNS)
  expect(visits).toBeGreaterThan(TURNS)
})

describe.each(names)('%s', (name) => {
  const dialect = dialects[name]
  const text = dialect.encodeRequestText({ ...settings, messages: createMessages(TURNS) }).value
  const count = createMessages(TURNS).size

  it('a long conversation is written once and not hashed', async () => {
    const messages = createMessages(TURNS)
    const { hashed, stringified, visits } = await countWork(() =>
      dialect.encodeRequestText({ ...settings, messages }),
    )
    // Arguments that are a text in the body are written twice.
    expect(stringified / text.length).toBeLessThan(1.6)
    expect(hashed / text.length).toBeLessThan(0.05)
    expect(visits / count).toBeLessThan(20)
  })

  it('the next turn does the same work whatever precedes it', async () => {
    const [short, long] = [await countNextTurn(name, 3), await countNextTurn(name, 60)]
    expect(short.stringified).toBeGreaterThan(1000)
    expect(long.stringified / short.stringified).toBeLessThan(1.2)
    expect(long.visits).toBeLessThanOrEqual(1.2 * short.visits)
    expect(long.hashed).toBeLessThanOrEqual(short.hashed + 100)
  })

  it.each([true, false])(
    'decoding a request hashes nothing and writes no part (exact: %s)',
    async (exact) => {
      const { hashed, stringified, visits } = await countWork(() =>
        dialect.decodeRequest(JSON.parse(text), { exact }),
      )
      expect(hashed / text.length).toBeLessThan(0.02)
      // Arguments that are a text in the body are written to compare them.
      expect(stringified / text.length).toBeLessThan(0.5)
      expect(visits / count).toBeLessThan(40)
    },
  )

  it.each([true, false])('an event of a stream is neither hashed nor written (exact: %s)', async (exact) => {
    const { hashed, stringified, visits } = await countStream(name, exact)
    expect(hashed / DELTAS).toBeLessThan(1)
    expect(stringified / DELTAS).toBeLessThan(5)
    expect(visits / DELTAS).toBeLessThan(exact ? 25 : 20)
  })
})
