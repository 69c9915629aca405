import { execFile, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type Message, textOf, toolCall, toolResultsOf, validate } from 'interlingua'
import { Agent, tool } from 'interlingua/agent'
import { scripted } from 'interlingua/providers'
import { Conversation, type ConversationStorage, keepLast, memoryStorage } from 'interlingua/stores'
import { sqliteStorage } from 'interlingua/stores/sqlite'
import { describe, expect, test } from 'vitest'
import { TOOL_CALL_LOG_SECTION } from '../../src/stores/internal-sections.ts'
import { builtFolder } from './built-package.ts'
import { createEndingProcess, createStorageWithClock } from './crashing-process.ts'

const texts = (messages: Iterable<Message>): string[] => Array.from(messages, (message) => textOf(message))

/** Creates a conversation with a new storage. */
async function begin(options: ConstructorParameters<typeof Agent>[0]): Promise<Conversation> {
  const storage = memoryStorage()
  const { id } = await storage.createSession()
  return new Conversation({ agent: new Agent(options), storage, session: id })
}

/** Opens the same conversation as another process would. */
function reopened({ options }: Conversation, agent: ConstructorParameters<typeof Agent>[0]): Conversation {
  return new Conversation({ ...options, agent: new Agent(agent) })
}

describe('a conversation', () => {
  test('[C21] stores messages, and sends them with the next one', async () => {
    const model = scripted(['Hi!', 'Ada.'])
    const conversation = await begin({ model, system: 'Be brief.' })
    await conversation.send('I am Ada.')
    const { text, messages } = await conversation.send('Who am I?')
    expect([text, messages.length]).toEqual(['Ada.', 2])
    expect(texts(await conversation.messages())).toEqual(['I am Ada.', 'Hi!', 'Who am I?', 'Ada.'])
    expect(texts(model.requests[1]?.messages ?? [])).toEqual(['Be brief.', 'I am Ada.', 'Hi!', 'Who am I?'])
    expect(await conversation.resume()).toBeUndefined()
  })

  test('stores each message before the next step starts', async () => {
    const seen: string[][] = []
    const look = async (): Promise<void> => void seen.push(texts(await conversation.messages()))
    const model = scripted([
      () => look().then(() => toolCall({ name: 'look' })),
      () => look().then(() => 'Done.'),
    ])
    const conversation = await begin({ model, tools: [tool({ name: 'look', run: look })] })
    await conversation.send('Go')
    expect(seen).toEqual([['Go'], ['Go', ''], ['Go', '', 'null']])
  })

  test('streams and stores', async () => {
    const conversation = await begin({ model: scripted(['Hello there']) })
    let streamed = ''
    for await (const { text } of await conversation.stream('Hi')) streamed += text
    expect([streamed, texts(await conversation.messages())]).toEqual(['Hello there', ['Hi', 'Hello there']])
  })

  test('[r153] regenerates a response, and keeps the old one as a branch', async () => {
    const conversation = await begin({ model: scripted(['One', 'Two']) })
    await conversation.send('Pick')
    const [asked, old] = await conversation.messages()
    expect((await conversation.regenerate()).text).toBe('Two')
    expect(texts(await conversation.messages())).toEqual(['Pick', 'Two'])
    const { storage, session } = conversation.options
    expect((await storage.branches(session)).map(({ length }) => length)).toEqual([2, 2])
    const answers = [old, (await conversation.messages()).last()]
    expect(answers.map((answer) => answer?.parentId)).toEqual([asked?.id, asked?.id])
    expect(texts(await storage.messages(session, { to: old?.id ?? '' }))).toEqual(['Pick', 'One'])
  })

  test('[r153] edits an earlier message, and continues from it', async () => {
    const conversation = await begin({ model: scripted(['A1', 'A2', 'B1']) })
    await conversation.send('Q1')
    await conversation.send('Q2')
    const [first] = await conversation.messages()
    expect((await conversation.edit(first?.id ?? '', 'P1')).text).toBe('B1')
    expect(texts(await conversation.messages())).toEqual(['P1', 'B1'])
    await expect(conversation.edit('msg_none', 'x')).rejects.toMatchObject({ code: 'unknown-id' })
  })

  test('can be forked at any message', async () => {
    const conversation = await begin({ model: scripted(['A1', 'A2', 'A3']) })
    await conversation.send('Q1')
    const { messages } = await conversation.send('Q2')
    const fork = await conversation.fork({ at: messages[0]?.id ?? '' })
    await fork.resume()
    expect(texts(await fork.messages())).toEqual(['Q1', 'A1', 'Q2', 'A3'])
    expect(texts(await conversation.messages())).toEqual(['Q1', 'A1', 'Q2', 'A2'])
  })

  test('sends the context that the strategy selects, and stores everything', async () => {
    const model = scripted(() => 'Yes')
    const { options } = await begin({ model, system: 'S' })
    const cut: string[][] = []
    const conversation = new Conversation({
      ...options,
      context: keepLast(1),
      onContext: (report) => void cut.push(report.trimmed.flatMap(({ messages }) => messages)),
    })
    for (const word of ['1', '2', '3']) await conversation.send(word)
    expect(texts(model.requests.at(-1)?.messages ?? [])).toEqual(['S', '3'])
    expect((await conversation.messages()).size).toBe(6)
    expect(cut.map((ids) => ids.length)).toEqual([2, 4])
  })

  test('of two concurrent continuations one gets a conflict, and nothing is stored twice', async () => {
    const conversation = await begin({ model: scripted(() => 'Yes') })
    const both = await Promise.allSettled([conversation.send('A'), conversation.send('B')])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect((await conversation.messages()).size).toBe(2)
  })
})

/** Returns the number of tool calls whose results are logged, so that a crash does not repeat them. */
async function countLoggedResults(storage: ConversationStorage, session: string): Promise<number> {
  const log = await storage.messages(session, { section: TOOL_CALL_LOG_SECTION })
  return [...log].filter((entry) => JSON.stringify(entry).includes('"result"')).length
}

describe('after a crash', () => {
  const calls = [toolCall({ id: 'c1', name: 'quick' }), toolCall({ id: 'c2', name: 'slow' })]

  /** Starts a run whose process ends while a tool works, and returns the storage after its lease has expired. */
  async function crash(
    options: ConstructorParameters<typeof Agent>[0],
    isReached: () => boolean,
  ): Promise<Conversation> {
    const { storage, expireLeases } = createStorageWithClock()
    const { id: session } = await storage.createSession()
    const process = createEndingProcess(storage)
    const agent = new Agent(options)
    void new Conversation({ agent, storage: process.storage, session }).send('Go')
    while (!isReached() || (await countLoggedResults(storage, session)) === 0) await setTimeout(1)
    process.end()
    expireLeases()
    return new Conversation({ agent, storage, session })
  }

  test.each([true, false])(
    'finished tools are not run again; an interrupted one only if idempotent: %s',
    async (idempotent) => {
      const ran: string[] = []
      const quick = tool({ name: 'quick', run: () => void ran.push('quick') })
      const hangs = tool({ name: 'slow', idempotent, run: () => new Promise(() => ran.push('slow')) })
      const conversation = await crash(
        { model: scripted([calls]), tools: [quick, hangs] },
        () => ran.length === 2,
      )
      const runs = tool({
        name: 'slow',
        idempotent,
        run: (_input, { call }) => void ran.push(`slow ${call.id}`),
      })
      const later = reopened(conversation, { model: scripted(['Done.']), tools: [quick, runs] })
      expect((await later.resume())?.text).toBe('Done.')
      expect(ran).toEqual(idempotent ? ['quick', 'slow', 'slow c2'] : ['quick', 'slow'])
      const line = await later.messages()
      expect(line.size).toBe(4)
      expect(validate(line)).toEqual([])
      const results = [...line].flatMap((message) => toolResultsOf(message))
      expect(results.map(({ callId, isError }) => [callId, isError ?? false])).toEqual([
        ['c1', false],
        ['c2', !idempotent],
      ])
      expect(await later.options.storage.verify()).toEqual([])
    },
  )

  test('a new message without resuming completes the open calls first', async () => {
    const ran: string[] = []
    const quick = tool({ name: 'quick', run: () => void ran.push('quick') })
    const hangs = tool({ name: 'slow', run: () => new Promise(() => ran.push('slow')) })
    const conversation = await crash(
      { model: scripted([calls]), tools: [quick, hangs] },
      () => ran.length === 2,
    )
    const model = scripted(['Fine.'])
    const later = reopened(conversation, { model, tools: [quick, hangs] })
    expect((await later.send('Never mind.')).text).toBe('Fine.')
    const line = await later.messages()
    expect(validate(line)).toEqual([])
    expect(Array.from(line, ({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user', 'assistant'])
    const [done, open] = toolResultsOf(line.at(2) as Message)
    expect([done?.isError, open?.isError]).toEqual([undefined, true])
    expect(ran).toEqual(['quick', 'slow'])
  })

  test('a run that waits for a decision continues in another process', async () => {
    let ran = 0
    const asks = tool({ name: 'slow', needsApproval: true, run: () => void (ran += 1) })
    const quick = tool({ name: 'quick', run: () => void (ran += 10) })
    const conversation = await begin({ model: scripted([calls]), tools: [quick, asks] })
    expect((await conversation.send('Go')).finish.reason).toBe('approval')
    const later = reopened(conversation, { model: scripted(['Done.']), tools: [quick, asks] })
    expect((await later.resume())?.finish.reason).toBe('approval')
    expect(ran).toBe(10)
    expect((await later.resume({ c2: 'approve' }))?.text).toBe('Done.')
    expect(ran).toBe(11)
  })

  describe('an agent used as a tool that waits for a decision', () => {
    const helped = (
      says: Parameters<typeof scripted>[0],
      done: string[],
    ): ConstructorParameters<typeof Agent>[0] => {
      const inner = new Agent({
        model: scripted((_, { index }) =>
          index === 0 && done.length === 0 ? toolCall({ id: 'x', name: 'buy' }) : 'Bought.',
        ),
        tools: [tool({ name: 'buy', needsApproval: true, run: () => void done.push('bought') })],
      })
      return { model: scripted(says), tools: [inner.asTool({ name: 'shopper', description: 'Buys.' })] }
    }
    const ask = toolCall({ id: 'a', name: 'shopper', arguments: { prompt: 'Milk' } })

    test('continues in another process', async () => {
      const done: string[] = []
      const conversation = await begin(helped([ask], done))
      const { paused } = await conversation.send('Go')
      expect(paused?.pending.map(({ call }) => call.id)).toEqual(['a/x'])
      const waiting = await reopened(conversation, helped([], done)).resume()
      expect(waiting?.paused?.pending.map(({ call }) => call.id)).toEqual(['a/x'])
      const result = await reopened(conversation, helped(['Fine.'], done)).resume({ 'a/x': 'approve' })
      expect([result?.text, done]).toEqual(['Fine.', ['bought']])
      expect(validate(await conversation.messages())).toEqual([])
    })

    test('gets a result if the conversation continues without it', async () => {
      const done: string[] = []
      const conversation = await begin(helped([ask], done))
      await conversation.send('Go')
      const { text } = await reopened(conversation, helped(['As you like.'], done)).send('Never mind')
      expect([text, done]).toEqual(['As you like.', []])
      const messages = await conversation.messages()
      expect(validate(messages)).toEqual([])
      expect(messages.toArray().flatMap((message) => toolResultsOf(message))).toMatchObject([
        { isError: true },
      ])
    })
  })

  test('a process killed within a round is followed by one that completes it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'interlingua-crash-'))
    try {
      const [at, effects] = [join(folder, 'a.db'), join(folder, 'effects')]
      const args = [join(import.meta.dirname, 'children/conversation.js'), await builtFolder(), at, effects]
      const noted = (): string[] =>
        existsSync(effects) ? readFileSync(effects, 'utf8').split('\n').slice(0, -1) : []
      const count = (word: string): number => noted().filter((line) => line.startsWith(word)).length
      const child = spawn(process.execPath, [...args, 'slow'], { stdio: 'ignore' })
      const ended = new Promise((resolve) => child.on('close', resolve))
      while (count('quick') < 2 || count('careful') < 1 || count('repeatable') < 1) await setTimeout(10)
      const observer = await sqliteStorage(at)
      while ((await countLoggedResults(observer, 'session')) < 2) await setTimeout(10)
      await observer.close()
      child.kill('SIGKILL')
      await ended
      const { stdout } = await promisify(execFile)(process.execPath, args)
      expect(stdout.trim()).toBe('All is done.')
      // Two rounds call the quick tool once each; only an idempotent tool runs twice, under the same id.
      expect(
        ['quick c1', 'quick c2', 'careful', 'repeatable c4', 'asked 0', 'asked 1', 'asked 2'].map(count),
      ).toEqual([1, 1, 1, 2, 1, 1, 1])
      const storage = await sqliteStorage(at)
      expect(validate(await storage.messages('session'))).toEqual([])
      expect(await storage.verify()).toEqual([])
      await storage.close()
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
