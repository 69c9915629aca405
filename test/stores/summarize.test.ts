import { assistant, type Message, textOf, user } from 'interlingua'
import { Agent } from 'interlingua/agent'
import { scripted } from 'interlingua/providers'
import { Conversation, type ConversationStorage, memoryStorage, summarize } from 'interlingua/stores'
import { describe, expect, test } from 'vitest'

/** A summary writer that records its input. */
function writer(): { readonly agent: Agent; readonly asked: string[] } {
  const asked: string[] = []
  const model = scripted(({ messages }) => {
    asked.push(Array.from(messages, (message) => textOf(message)).join('\n'))
    return `Summary ${asked.length}`
  })
  return { agent: new Agent({ model }), asked }
}

/** Opens a conversation in a process that has only the storage. */
function opened(storage: ConversationStorage, agent: Agent): { chat: Conversation; shown: () => string[] } {
  const model = scripted(() => 'Yes')
  const context = summarize({ agent, maxMessages: 4, keepMessages: 2 })
  const chat = new Conversation({ agent: new Agent({ model }), storage, session: 's', context })
  const lines = (messages: Iterable<Message>): string[] =>
    Array.from(messages, (message) => textOf(message).replace(/^.*\n\n/s, ''))
  return { chat, shown: () => lines(model.requests.at(-1)?.messages ?? []) }
}

const TURNS = [1, 2, 3].flatMap((turn) => [user(`Q${turn}`), assistant(`A${turn}`)])

async function stored(): Promise<ConversationStorage> {
  const storage = memoryStorage()
  await storage.createSession({ id: 's' })
  await storage.append('s', TURNS)
  return storage
}

describe('a summary', () => {
  test('is stored with the conversation: after a restart it is reused and extended', async () => {
    const storage = await stored()
    const { agent, asked } = writer()
    const first = opened(storage, agent)
    await first.chat.send('Q4')
    expect(first.shown()).toEqual(['Summary 1', 'Q4'])
    const second = opened(storage, agent)
    await second.chat.send('Q5')
    expect([asked.length, second.shown()]).toEqual([1, ['Summary 1', 'Q4', 'Yes', 'Q5']])
    const third = opened(storage, agent)
    await third.chat.send('Q6')
    expect(asked).toHaveLength(2)
    expect(asked[1]).toContain('Summary 1')
    expect(asked[1]).not.toContain('Q1')
    // Messages are stored unchanged, and a store contains none of the notes.
    expect((await storage.messages('s')).size).toBe(12)
    expect((await storage.loadStore('s')).sectionNames).toEqual(['messages'])
    expect(await storage.verify()).toEqual([])
  })

  test('belongs to one branch: another branch gets its own, and going back finds the old one', async () => {
    const storage = await stored()
    const { agent, asked } = writer()
    await opened(storage, agent).chat.send('Q4')
    const [line, first] = [await storage.head('s'), (await storage.messages('s')).first()]
    await storage.setHead('s', first?.id ?? null)
    await storage.append(
      's',
      TURNS.map((message) => ({ ...message, id: `other ${message.id}` })),
    )
    const other = opened(storage, agent)
    await other.chat.send('P4')
    expect([asked.length, other.shown()]).toEqual([2, ['Summary 2', 'P4']])
    await storage.setHead('s', line ?? null)
    const back = opened(storage, agent)
    await back.chat.send('Q5')
    expect([asked.length, back.shown()[0]]).toEqual([2, 'Summary 1'])
  })

  test.each([
    ['removed', (storage: ConversationStorage, id: string) => storage.remove('s', id)],
    ['changed', (storage: ConversationStorage, id: string) => storage.replace('s', id, assistant('***'))],
  ])('is not used if a message that it replaces was %s', async (_what, change) => {
    const storage = await stored()
    const { agent, asked } = writer()
    await opened(storage, agent).chat.send('Q4')
    await change(storage, TURNS[1]?.id ?? '')
    await opened(storage, agent).chat.send('Q5')
    expect(asked).toHaveLength(2)
    expect(asked[1]).not.toContain('Summary 1')
  })

  test('survives saving a store over the conversation', async () => {
    const storage = await stored()
    const { agent, asked } = writer()
    await opened(storage, agent).chat.send('Q4')
    await storage.saveStore('s', (await storage.loadStore('s')).parameters.set('tone', 'dry'))
    await opened(storage, agent).chat.send('Q5')
    expect(asked).toHaveLength(1)
  })
})
