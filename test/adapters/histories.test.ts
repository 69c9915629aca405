import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AIMessage, HumanMessage, mapStoredMessagesToChatMessages } from '@langchain/core/messages'
import { ChatPromptTemplate, MessagesPlaceholder } from '@langchain/core/prompts'
import { RunnableWithMessageHistory } from '@langchain/core/runnables'
import { convertToModelMessages, streamText, type UIMessage } from 'ai'
import fc from 'fast-check'
import { assistant, type ChatRequest, type JsonObject, textOf, toolCall, toolResult, user } from 'interlingua'
import { toLanguageModel, uiMessageHistory } from 'interlingua/adapters/ai-sdk'
import { toChatModel, toMessageHistory } from 'interlingua/adapters/langchain'
import { scripted } from 'interlingua/providers'
import { type ConversationStorage, memoryStorage } from 'interlingua/stores'
import { jsonlStorage } from 'interlingua/stores/jsonl'
import { sqliteStorage } from 'interlingua/stores/sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RUNS } from '../arbitraries.ts'
import { again, expectSame } from '../law-assertions.ts'
import { anyLangChainMessages } from '../formats/messages/langchain-arbitrary.ts'
import { anyUIMessages } from '../formats/messages/ui-message-arbitrary.ts'

let folder = ''
const storages: Record<string, ConversationStorage> = {}
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'interlingua-histories-'))
  storages['memory'] = memoryStorage()
  storages['jsonl'] = await jsonlStorage(join(folder, 'a.jsonl'))
  storages['sqlite'] = await sqliteStorage(join(folder, 'a.db'))
})
afterAll(async () => {
  for (const storage of Object.values(storages)) await storage.close()
  await rm(folder, { recursive: true })
})

const BACKENDS = ['memory', 'jsonl', 'sqlite'] as const
const open = (backend: string) => storages[backend] as ConversationStorage
const NUM_RUNS = RUNS / 10

/** Removes messages whose id occurs twice, which no storage accepts. */
const withUniqueIds = (messages: readonly JsonObject[], idOf: (message: JsonObject) => unknown) => {
  const seen = new Set<unknown>()
  return messages.filter((message) => {
    const id = idOf(message)
    if (typeof id !== 'string' || id === '' || seen.has(id)) return false
    seen.add(id)
    return true
  })
}

describe.each(BACKENDS)('a message history of LangChain in %s', (backend) => {
  test('keeps messages, in order, until it is cleared', async () => {
    const history = await toMessageHistory(open(backend), 'chat')
    expect(await history.getMessages()).toEqual([])
    await history.addUserMessage('Hi')
    await history.addMessages([new AIMessage({ content: 'Hello', id: 'a1' }), new HumanMessage('Weather?')])
    await history.addMessages([])
    const messages = await (await toMessageHistory(open(backend), 'chat')).getMessages()
    expect(messages.map(({ type, text }) => `${type} ${text}`)).toEqual([
      'human Hi',
      'ai Hello',
      'human Weather?',
    ])
    expect(messages[1]).toMatchObject({ id: 'a1' })
    await history.clear()
    expect(await history.getMessages()).toEqual([])
    await history.addAIMessage('Again')
    expect(await history.getMessages()).toHaveLength(1)
  })

  test('reads what an agent of this library stored', async () => {
    const storage = open(backend)
    await storage.createSession({ id: 'own' })
    const call = toolCall({ id: 'c1', name: 'weather', arguments: { city: 'Oslo' } })
    await storage.append('own', [user('Weather?'), assistant([call]), toolResult(call, 'Snow')])
    const messages = await (await toMessageHistory(storage, 'own')).getMessages()
    expect(messages.map(({ type }) => type)).toEqual(['human', 'ai', 'tool'])
    expect(messages[1]).toMatchObject({ tool_calls: [{ name: 'weather', args: { city: 'Oslo' } }] })
  })

  test('is the memory of a chain', async () => {
    const inner = scripted(['Hello Ada', 'Ada'])
    const prompt = ChatPromptTemplate.fromMessages([new MessagesPlaceholder('history'), ['human', '{input}']])
    const chain = new RunnableWithMessageHistory({
      runnable: prompt.pipe(await toChatModel(inner)),
      getMessageHistory: (sessionId: string) => toMessageHistory(open(backend), sessionId),
      inputMessagesKey: 'input',
      historyMessagesKey: 'history',
    })
    const config = { configurable: { sessionId: 'ada' } }
    await chain.invoke({ input: 'I am Ada' }, config)
    await chain.invoke({ input: 'Who am I?' }, config)
    const sent = inner.requests[1] as ChatRequest
    expect([...sent.messages].map((message) => textOf(message))).toEqual([
      'I am Ada',
      'Hello Ada',
      'Who am I?',
    ])
    expect((await open(backend).messages('ada')).toArray()).toHaveLength(4)
  })
})

test('a message history returns every message of LangChain unchanged', async () => {
  const storage = memoryStorage()
  let count = 0
  const property = fc.asyncProperty(anyLangChainMessages, async (wire) => {
    // The library assigns the key `__proto__`, which changes the prototype of its own objects.
    const safe = JSON.parse(JSON.stringify(wire).replaceAll('__proto__', 'proto')) as JsonObject[]
    const stored = safe.filter(
      ({ type, data }) => type !== 'remove' && data !== undefined && type !== 'constructor',
    )
    const unique = withUniqueIds(stored, ({ data }) => (data as JsonObject)['id'])
    const live = mapStoredMessagesToChatMessages(unique as never)
    const history = await toMessageHistory(storage, `chat ${count++}`)
    await history.addMessages(live)
    const dicts = (await history.getMessages()).map((message) => message.toDict())
    expectSame(again(dicts), again(live.map((message) => message.toDict())))
  })
  await fc.assert(property, { numRuns: NUM_RUNS })
})

describe.each(BACKENDS)('the messages of a chat of the AI SDK in %s', (backend) => {
  const message = (id: string, role: 'user' | 'assistant', text: string): UIMessage => ({
    id,
    role,
    parts: [{ type: 'text', text }],
  })

  test('are saved as a list: grown, edited, cut and cleared', async () => {
    const history = uiMessageHistory(open(backend), 'ui')
    expect(await history.load()).toEqual([])
    const [first, second] = [message('u1', 'user', 'Hi'), message('a1', 'assistant', 'Hello')]
    const lists = [
      [first],
      [first, second],
      [first, { ...second, parts: [...second.parts, { type: 'text', text: 'More' }] }],
      [message('u1', 'user', 'Edited'), second, message('u2', 'user', 'Next')],
      [message('u1', 'user', 'Edited')],
      [],
    ]
    for (const list of lists) {
      await history.save(list)
      expect(await uiMessageHistory(open(backend), 'ui').load()).toEqual(list)
    }
    await history.save([first])
    await history.clear()
    expect(await history.load()).toEqual([])
  })

  test('are not saved over a message that was stored meanwhile', async () => {
    const storage = open(backend)
    const interrupted = {
      ...storage,
      loadStore: async (id: string) => {
        const loaded = await storage.loadStore(id)
        await storage.append(id, user('Meanwhile'))
        return loaded
      },
    }
    const saved = uiMessageHistory(interrupted, 'busy').save([message('u1', 'user', 'Hi')])
    await expect(saved).rejects.toMatchObject({ code: 'conflict' })
    expect((await storage.messages('busy')).toArray().map((each) => textOf(each))).toEqual(['Meanwhile'])
  })

  test('are the history of streamText', async () => {
    const history = uiMessageHistory(open(backend), 'stream')
    const model = toLanguageModel(scripted(['Hello Ada']))
    const messages = [...((await history.load()) as UIMessage[]), message('u1', 'user', 'I am Ada')]
    const result = streamText({ model, messages: await convertToModelMessages(messages), maxRetries: 0 })
    const saved = new Promise<void>((resolve, reject) => {
      const response = result.toUIMessageStreamResponse({
        originalMessages: messages,
        generateMessageId: () => 'a1',
        onFinish: ({ messages: all }) => void history.save(all).then(resolve, reject),
      })
      void response.text().catch(reject)
    })
    await saved
    const loaded = await history.load()
    expect(loaded.map(({ id, role }) => `${id} ${role}`)).toEqual(['u1 user', 'a1 assistant'])
    const stored = (await open(backend).messages('stream')).toArray()
    expect(stored.map((each) => textOf(each))).toEqual(['I am Ada', 'Hello Ada'])
  })
})

test('every chat of the AI SDK is loaded as it was saved', async () => {
  const storage = memoryStorage()
  let count = 0
  const property = fc.asyncProperty(anyUIMessages, anyUIMessages, async (first, second) => {
    const history = uiMessageHistory(storage, `chat ${count++}`)
    for (const list of [first, second].map((each) => withUniqueIds(each, ({ id }) => id))) {
      await history.save(list)
      expectSame(again(await history.load()), again(list))
    }
  })
  await fc.assert(property, { numRuns: NUM_RUNS })
})
