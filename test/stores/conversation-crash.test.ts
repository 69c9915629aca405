import { type Message, textOf, toolCall, toolResultsOf, validate } from 'interlingua'
import { Agent, tool } from 'interlingua/agent'
import { scripted } from 'interlingua/providers'
import { Conversation, type ConversationStorage } from 'interlingua/stores'
import { describe, expect, test } from 'vitest'
import { createStorageWithClock } from './crashing-process.ts'

/** The same storage for a number of calls; all later calls fail as in a dead process. */
function dyingAfter(storage: ConversationStorage, calls: number, effective: boolean): ConversationStorage {
  let left = calls
  const guarded = (name: string, value: unknown): unknown => {
    if (typeof value !== 'function' || name === 'close') return value
    return async (...words: readonly unknown[]) => {
      left -= 1
      if (left < -1) throw new Error('dead')
      // The last write may have succeeded without an acknowledgement.
      if (left === -1 && !effective) throw new Error('dies before')
      const result: unknown = await (value as (...given: readonly unknown[]) => unknown)(...words)
      if (left === -1) throw new Error('dies after')
      return result
    }
  }
  const entries = Object.entries(storage).map(([name, value]) => [name, guarded(name, value)])
  return Object.fromEntries(entries) as ConversationStorage
}

const rounds = (messages: Iterable<Message>): number =>
  [...messages].filter(({ role }) => role === 'tool').length

/** Two rounds of tool calls, then a response; every run of a tool is recorded. */
function agentWith(ran: string[]): Agent {
  const noting = (name: string, idempotent: boolean): ReturnType<typeof tool> =>
    tool({
      name,
      idempotent,
      run: (_input, { call }) => {
        ran.push(call.id)
        return `${name} is done`
      },
    })
  const model = scripted(({ messages }) => {
    const count = rounds(messages)
    if (count === 0) return toolCall({ id: 'c1', name: 'careful' })
    if (count > 1) return 'All is done.'
    return [toolCall({ id: 'c2', name: 'careful' }), toolCall({ id: 'c3', name: 'repeatable' })]
  })
  return new Agent({ model, tools: [noting('careful', false), noting('repeatable', true)] })
}

/**
 * Continues the conversation in one process after another, each of which dies after some calls, until it is
 * complete.
 */
async function hold(
  { storage, expireLeases }: ReturnType<typeof createStorageWithClock>,
  deaths: readonly (readonly [number, boolean])[],
): Promise<string[]> {
  const ran: string[] = []
  const agent = agentWith(ran)
  for (const [calls, effective] of deaths) {
    const dying = dyingAfter(storage, calls, effective)
    await goOn(new Conversation({ agent, storage: dying, session: 's' })).catch(() => undefined)
    expireLeases()
  }
  await goOn(new Conversation({ agent, storage, session: 's' }))
  return ran
}

async function goOn(conversation: Conversation): Promise<void> {
  if ((await conversation.messages()).size === 0) await conversation.send('Do it.')
  else await conversation.resume()
}

async function expectComplete(storage: ConversationStorage, ran: readonly string[]): Promise<void> {
  const line = [...(await storage.messages('s'))]
  expect(line.map(({ role }) => role).join(' ')).toBe('user assistant tool assistant tool assistant')
  expect(textOf(line.at(-1) as Message)).toBe('All is done.')
  expect(validate(line)).toEqual([])
  expect(await storage.verify()).toEqual([])
  for (const id of ['c1', 'c2']) expect(ran.filter((each) => each === id).length).toBeLessThanOrEqual(1)
  // A call without an interrupted result has run exactly once.
  const results = line.flatMap((message) => toolResultsOf(message))
  for (const { callId, isError } of results)
    if (callId !== 'c3') expect([callId, isError === true || ran.includes(callId)]).toEqual([callId, true])
  expect(results.find(({ callId }) => callId === 'c3')?.isError).toBeUndefined()
}

describe('a conversation whose process dies', () => {
  // A run without a crash makes fewer calls than this.
  const moments = Array.from({ length: 24 }, (_, index) => index)

  test.each([true, false])(
    'at each call to the storage is completed by the next one (in effect: %s)',
    async (effective) => {
      for (const calls of moments) {
        const clocked = createStorageWithClock()
        await clocked.storage.createSession({ id: 's' })
        await expectComplete(clocked.storage, await hold(clocked, [[calls, effective]]))
      }
    },
  )

  test('repeatedly still makes progress', async () => {
    for (const first of moments) {
      const clocked = createStorageWithClock()
      await clocked.storage.createSession({ id: 's' })
      const deaths = [first, 6, 9, 4, 11].map((calls, index) => [calls, (index + first) % 2 === 0] as const)
      await expectComplete(clocked.storage, await hold(clocked, deaths))
    }
  })

  test('each of these calls is within a run', async () => {
    let calls = 0
    for (const alive of moments) {
      const { storage: fresh } = createStorageWithClock()
      await fresh.createSession({ id: 's' })
      const conversation = new Conversation({
        agent: agentWith([]),
        storage: dyingAfter(fresh, alive, true),
        session: 's',
      })
      const died = await goOn(conversation).then(
        () => false,
        () => true,
      )
      if (died) calls = alive
    }
    expect(calls).toBeGreaterThan(10)
    expect(calls).toBeLessThan(moments.length - 1)
  })
})
