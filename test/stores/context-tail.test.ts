import { createRequire } from 'node:module'
import fc from 'fast-check'
import { assistant, type Message, system, textOf, toolCall, toolResult, toolResults, user } from 'interlingua'
import { Agent } from 'interlingua/agent'
import { scripted } from 'interlingua/providers'
import {
  chainStrategies,
  type ContextStrategy,
  Conversation,
  type ConversationStorage,
  dropToolTraffic,
  keepLast,
  memoryStorage,
  tokenBudget,
} from 'interlingua/stores'
import { type SqliteDatabase, sqliteStorage } from 'interlingua/stores/sqlite'
import { describe, expect, test } from 'vitest'
import { observeStatements } from './observe-statements.ts'

const SOAK = process.env['SOAK'] !== undefined

/** One turn: a prompt, rounds of calls, a response; some have a system message or report usage. */
const turnArbitrary = fc.record({
  rounds: fc.integer({ min: 0, max: 4 }),
  callsPerRound: fc.integer({ min: 1, max: 3 }),
  isSystem: fc.boolean(),
  hasUser: fc.boolean(),
  usage: fc.option(fc.integer({ min: 1, max: 500 })),
  length: fc.integer({ min: 0, max: 60 }),
})

type Turn = typeof turnArbitrary extends fc.Arbitrary<infer T> ? T : never

function toTurnMessages(
  { rounds, callsPerRound, isSystem, hasUser, usage, length }: Turn,
  turn: number,
): Message[] {
  const messages: Message[] = isSystem && turn % 7 === 0 ? [system(`Rule ${turn}`)] : []
  if (hasUser || turn === 0) messages.push(user(`Prompt ${turn} ${'x'.repeat(length)}`))
  for (let round = 0; round < rounds; round++) {
    const calls = Array.from({ length: callsPerRound }, (_, index) =>
      toolCall({ id: `c${turn}.${round}.${index}`, name: 'look' }),
    )
    messages.push(assistant(calls), toolResults(calls.map((call) => toolResult(call, 'found'))))
  }
  const tokens = usage ?? 0
  messages.push({
    ...assistant(`Response ${turn} ${'y'.repeat(length)}`),
    ...(usage !== null && {
      usage: { inputTokens: tokens * turn, outputTokens: tokens, totalTokens: tokens * (turn + 1) },
    }),
  })
  return messages
}

/** Sends a prompt, and returns the texts that the model receives. */
async function requestTexts(
  storage: ConversationStorage,
  session: string,
  context: ContextStrategy,
): Promise<string[]> {
  const model = scripted(['Yes'])
  await new Conversation({ agent: new Agent({ model }), storage, session, context }).send('Now')
  return Array.from(model.requests[0]?.messages ?? [], (message) => textOf(message))
}

const strategies: Readonly<Record<string, () => ContextStrategy>> = {
  'keepLast(1)': () => keepLast(1),
  'keepLast(7)': () => keepLast(7),
  'keepLast(40)': () => keepLast(40),
  'a small budget': () => tokenBudget({ tokens: 200 }),
  'a large budget': () => tokenBudget({ tokens: 6_000 }),
  'a chain': () => chainStrategies(keepLast(20), dropToolTraffic(), tokenBudget({ tokens: 500 })),
}

describe('the end of a conversation', () => {
  test.each(Object.entries(strategies))(
    'is enough for %s: the model receives the same',
    async (_name, create) => {
      await fc.assert(
        fc.asyncProperty(fc.array(turnArbitrary, { minLength: 40, maxLength: 90 }), async (turns) => {
          const storage = memoryStorage()
          await storage.createSession({ id: 'tail' })
          await storage.append('tail', turns.flatMap(toTurnMessages))
          await storage.fork('tail', { id: 'all' })
          const strategy = create()
          const fromAll: ContextStrategy = (messages, notes) => strategy(messages, notes)
          expect(await requestTexts(storage, 'tail', strategy)).toEqual(
            await requestTexts(storage, 'all', fromAll),
          )
        }),
        { numRuns: SOAK ? 300 : 4 },
      )
    },
  )

  test('is read alone: the number of messages read does not depend on the length of the conversation', async () => {
    const { DatabaseSync } = createRequire(import.meta.url)('@photostructure/sqlite') as {
      DatabaseSync: new (path: string) => SqliteDatabase
    }
    const database = new DatabaseSync(':memory:')
    let rowsRead = 0
    const observed = observeStatements(database, (_text, execute) => {
      const rows = execute()
      rowsRead += rows.filter((row) => 'body' in (row as object)).length
      return rows
    })
    const storage = await sqliteStorage(observed)
    const countRows = async (length: number): Promise<Readonly<Record<string, number>>> => {
      const session = `of ${length}`
      await storage.createSession({ id: session })
      const messages = Array.from({ length: length / 2 }, (_, index) => [
        user(`Q${index}`),
        assistant(`A${index}`),
      ])
      await storage.append(session, [system('Be brief.'), ...messages.flat()])
      const agent = new Agent({ model: scripted(() => 'Yes') })
      const counts: Record<string, number> = {}
      for (const [name, context] of Object.entries({
        keepLast: keepLast(40),
        budget: tokenBudget({ tokens: 100 }),
      })) {
        const conversation = new Conversation({ agent, storage, session, context })
        const acts = {
          send: () => conversation.send('Now'),
          resume: () => conversation.resume(),
          regenerate: () => conversation.regenerate(),
        }
        for (const [act, run] of Object.entries(acts)) {
          rowsRead = 0
          await run()
          counts[`${name} ${act}`] = rowsRead
        }
      }
      return counts
    }
    const [short, long] = [await countRows(1_000), await countRows(SOAK ? 200_000 : 3_000)]
    expect(long).toEqual(short)
    expect(Math.max(...Object.values(long))).toBeLessThan(250)
    expect(long['keepLast resume']).toBeLessThan(20)
    await storage.close()
  })

  test('includes the system messages before it as they are now, whatever was read before', async () => {
    const storage = await sqliteStorage(':memory:')
    const { id } = await storage.createSession()
    const first = system('First')
    const second = system('Second')
    await storage.append(id, [
      first,
      'a',
      'b',
      second,
      ...Array.from({ length: 10 }, (_, index) => `c${index}`),
    ])
    const read = async (query: { readonly to?: string } = {}): Promise<string[]> => {
      const messages = await storage.messages(id, { ...query, last: 2, includeSystem: true })
      return Array.from(messages, (message) => textOf(message)).slice(0, -2)
    }
    expect([await read(), await read()]).toEqual([
      ['First', 'Second'],
      ['First', 'Second'],
    ])
    await storage.append(id, [system('Third'), 'd', 'e', 'f'])
    expect(await read()).toEqual(['First', 'Second', 'Third'])
    await storage.replace(id, first.id, system('Changed'))
    expect(await read()).toEqual(['Changed', 'Second', 'Third'])
    await storage.replace(id, second.id, { ...second, metadata: { new: true } })
    const [, stored] = (await storage.messages(id, { last: 2, includeSystem: true })).toArray()
    expect(stored?.metadata).toEqual({ new: true })
    const branchPoint = (await storage.messages(id)).toArray()[2]?.id ?? null
    await storage.append(id, ['g', 'h', 'i'], { after: branchPoint })
    expect(await read()).toEqual(['Changed'])
    await storage.remove(id, first.id)
    expect(await read()).toEqual([])
    await storage.close()
  })

  test('includes the system messages before it', async () => {
    const storage = memoryStorage()
    const { id } = await storage.createSession()
    const tricky = assistant([toolCall({ id: 'c', name: 'x', arguments: { role: 'system' } })])
    await storage.append(id, [
      system('First'),
      user('"role":"system"'),
      tricky,
      system('Second'),
      'a',
      'b',
      'c',
      'd',
      'e',
      'f',
    ])
    const messages = await storage.messages(id, { last: 2, includeSystem: true })
    expect(Array.from(messages, (message) => textOf(message))).toEqual(['First', 'Second', 'e', 'f'])
    const all = await storage.messages(id, { last: 100, includeSystem: true })
    expect(all.size).toBe(10)
  })
})
