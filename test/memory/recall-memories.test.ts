import {
  assistant,
  dialects,
  image,
  type Message,
  Messages,
  system,
  textOf,
  toolCall,
  user,
} from 'interlingua'
import { Agent, tool } from 'interlingua/agent'
import { inProcessMemory, type MemoryStore, recallMemories } from 'interlingua/memory'
import { scripted } from 'interlingua/providers'
import {
  type ContextReport,
  chainStrategies,
  Conversation,
  keepLast,
  memoryStorage,
} from 'interlingua/stores'
import { describe, expect, test } from 'vitest'

const tenant = 'ada'

const FACTS = [
  { key: 'units', text: 'Ada prefers metric units', metadata: { topic: 'habits' } },
  { key: 'city', text: 'Ada lives in Oslo', metadata: { topic: 'home' } },
  { key: 'dog', text: 'Ada has a dog in Oslo', metadata: { topic: 'home' } },
]

async function createMemory(): Promise<MemoryStore> {
  const memory = inProcessMemory({ now: () => Date.UTC(2026, 0) })
  await memory.putAll({ tenant, memories: FACTS })
  return memory
}

/** Counts the searches of a memory store. */
function countSearches(memory: MemoryStore): { readonly memory: MemoryStore; readonly queries: string[] } {
  const queries: string[] = []
  const search: MemoryStore['search'] = (call) => {
    queries.push(call.text ?? '')
    return memory.search(call)
  }
  return { memory: { ...memory, search }, queries }
}

describe('the strategy', () => {
  test('adds what matches before the newest user message, and reports it', async () => {
    const messages = [system('S'), user('Hello'), assistant('Hi'), user('How far is it in Oslo?')]
    const result = await recallMemories(await createMemory(), { tenant })(messages)
    const [added] = result.added ?? []
    expect(added).toMatchObject({ kind: 'memories', included: ['city', 'dog'], omitted: [] })
    expect(result.messages.map(({ id }) => id)).toEqual(
      [messages[0], messages[1], messages[2], { id: added?.message }, messages[3]].map((each) => each?.id),
    )
    expect(result.trimmed).toEqual([])
  })

  test('is bounded in number and tokens, and reports what does not fit', async () => {
    const memory = await createMemory()
    const recall = async (options: object): Promise<unknown> => {
      const { added = [], messages } = await recallMemories(memory, { tenant, ...options })([
        user('Ada in Oslo'),
      ])
      return [messages.length, added.map(({ included, omitted }) => [included, omitted])]
    }
    expect(await recall({ maxMemories: 1 })).toEqual([2, [[['city'], []]]])
    expect(await recall({ maxTokens: 90 })).toEqual([2, [[['city'], ['dog', 'units']]]])
    expect(await recall({ maxTokens: 1 })).toEqual([1, [[[], ['city', 'dog', 'units']]]])
    expect(await recall({ filter: { topic: 'habits' } })).toEqual([2, [[['units'], []]]])
    expect(await recall({ minScore: 0.99 })).toEqual([2, [[['city', 'dog'], []]]])
    expect(await recall({ tenant: 'other' })).toEqual([1, []])
  })

  test('changes nothing without a text to search for', async () => {
    const strategy = recallMemories(await createMemory(), { tenant })
    for (const messages of [[], [system('Oslo')], [user([image('https://example.com/a.png')])], [user('?')]])
      expect(await strategy(messages)).toEqual({ messages, trimmed: [] })
    const long = [user('x'.repeat(100_000))]
    expect((await strategy(long)).messages).toEqual(long)
  })

  test('reports a search that failed, and the conversation continues', async () => {
    const memory = await createMemory()
    await memory.close()
    const messages = [user('Oslo')]
    const result = await recallMemories(memory, { tenant })(messages)
    expect(result.messages).toEqual(messages)
    expect(result.added).toEqual([
      {
        kind: 'memories',
        included: [],
        omitted: [],
        reason: expect.stringContaining('storage-closed') as string,
      },
    ])
  })

  test('refuses wrong options', async () => {
    const memory = await createMemory()
    const wrong = [
      {},
      { tenant: '' },
      { tenant, maxTokens: 0 },
      { tenant, maxMemory: 1 },
      { tenant, filter: 1 },
    ]
    for (const options of wrong)
      expect(() => recallMemories(memory, options as never)).toThrow(/tenant|maxTokens|maxMemory|filter/)
  })

  test('leaves what precedes the newest user message byte for byte as it was, for provider caches', async () => {
    const strategy = recallMemories(await createMemory(), { tenant })
    const history = [system('S'), user('First question about Oslo'), assistant('Answer')]
    const encode = (messages: Iterable<Message>): string =>
      dialects.anthropic.encodeRequestText({
        model: 'claude-opus-4-6',
        maxOutputTokens: 9,
        messages: Messages.from(messages),
      }).value
    const [prefix = ''] = encode([...history, user('MARK')]).split(/(?<="Answer")/)
    expect(prefix).toContain('First question')
    for (const question of ['Where does Ada live?', 'Which units?', 'Nothing']) {
      const { messages } = await strategy([...history, user(question)])
      expect(encode(messages).slice(0, prefix.length)).toBe(prefix)
    }
  })
})

describe('in a conversation', () => {
  test('every round of a run sends the same memories, the next run its own, and nothing is stored', async () => {
    const { memory, queries } = countSearches(await createMemory())
    const requests: string[][] = []
    const model = scripted(({ messages }) => {
      requests.push(Array.from(messages, (message) => textOf(message)))
      return requests.length === 1 ? toolCall({ name: 'note' }) : 'Done.'
    })
    const note = tool({
      name: 'note',
      run: () => memory.put({ tenant, text: 'Ada left Oslo in spring' }).then(() => 'noted'),
    })
    const storage = memoryStorage()
    const { id: session } = await storage.createSession()
    const reports: ContextReport[] = []
    const conversation = new Conversation({
      agent: new Agent({ model, tools: [note], system: 'Be brief.' }),
      storage,
      session,
      context: chainStrategies(keepLast(40), recallMemories(memory, { tenant })),
      onContext: (report) => void reports.push(report),
    })
    await conversation.send('Where in Oslo?')
    expect(queries).toEqual(['Where in Oslo?'])
    expect(requests).toHaveLength(2)
    expect(requests[1]?.slice(0, requests[0]?.length)).toEqual(requests[0])
    expect(requests[0]?.map((text) => text.includes('<memories>'))).toEqual([false, true, false])
    expect(reports.map(({ added }) => added[0]?.included)).toEqual([
      ['city', 'dog'],
      ['city', 'dog'],
    ])
    await conversation.send('What happened in spring?')
    expect(requests[2]?.filter((text) => text.includes('<memories>'))).toHaveLength(1)
    expect(requests[2]?.at(-2)).toContain('Ada left Oslo in spring')
    const stored = await storage.messages(session)
    expect(Array.from(stored, (message) => textOf(message)).join()).not.toContain('<memories>')
  })
})
