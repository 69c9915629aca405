import { type Message, MessageStore, toolCall, toolResultsOf, validate } from 'interlingua'
import { Agent, tool } from 'interlingua/agent'
import { scripted } from 'interlingua/providers'
import { Conversation, type ConversationStorage, memoryStorage, replicated } from 'interlingua/stores'
import { describe, expect, test } from 'vitest'
import { createEndingProcess, createStorageWithClock } from './crashing-process.ts'

const SESSION = 's'

interface Setup {
  readonly ran: string[]
  readonly agent: Agent
}

/** An agent whose tools need approval: one is idempotent, one contains an agent that waits for approval. */
function setUp(hangs = false): Setup {
  const ran: string[] = []
  const needing = (name: string, idempotent: boolean): ReturnType<typeof tool> =>
    tool({
      name,
      idempotent,
      needsApproval: true,
      run: (input) => {
        ran.push(`${name} ${JSON.stringify(input)}`)
        return hangs ? new Promise(() => {}) : 'done'
      },
    })
  const calls = ['pay', 'mail'].map((name) => toolCall({ id: name, name, arguments: { to: 'Ada' } }))
  const model = scripted(({ messages }) => ([...messages].at(-1)?.role === 'tool' ? 'Fine.' : calls))
  return { ran, agent: new Agent({ model, tools: [needing('pay', false), needing('mail', true)] }) }
}

async function exportLines(storage: ConversationStorage): Promise<string[]> {
  const lines: string[] = []
  for await (const line of storage.exportSession(SESSION)) lines.push(line)
  return lines
}

/** A session whose process ended while both tools, which had been approved, were running. */
async function exportRunningCalls(): Promise<string[]> {
  const { storage, expireLeases } = createStorageWithClock()
  await storage.createSession({ id: SESSION })
  const { agent, ran } = setUp(true)
  const process = createEndingProcess(storage)
  const conversation = new Conversation({ agent, storage: process.storage, session: SESSION })
  await conversation.send('Go')
  void conversation.resume({ pay: 'approve', mail: 'approve' })
  while (ran.length < 2) await new Promise((resolve) => setTimeout(resolve, 1))
  process.end()
  expireLeases()
  return exportLines(storage)
}

const isErrorOf = (messages: Iterable<Message>): Readonly<Record<string, boolean>> =>
  Object.fromEntries(
    [...messages].flatMap(toolResultsOf).map(({ callId, isError }) => [callId, isError === true]),
  )

describe('an imported session', () => {
  test('cannot approve calls: they wait for approval, and what may have run does not run again', async () => {
    const lines = await exportRunningCalls()
    expect(lines.join('\n')).toContain('startedCall')
    const storage = memoryStorage()
    const imported = await storage.importSession(lines)
    expect(imported.untrustedLogEntries).toBe(2)
    const { agent, ran } = setUp()
    const conversation = new Conversation({ agent, storage, session: SESSION })
    const waiting = await conversation.resume()
    expect([waiting?.paused?.pending.map(({ call }) => call.id), ran]).toEqual([['pay', 'mail'], []])
    const result = await conversation.resume({ pay: 'approve', mail: 'approve' })
    expect([result?.text, ran]).toEqual(['Fine.', ['mail {"to":"Ada"}']])
    const messages = await conversation.messages()
    expect([isErrorOf(messages), validate(messages)]).toEqual([{ pay: true, mail: false }, []])
    expect(await storage.verify()).toEqual([])
  })

  test('can be exported and imported again', async () => {
    const storage = memoryStorage()
    await storage.importSession(await exportRunningCalls())
    const again = memoryStorage()
    expect((await again.importSession(await exportLines(storage))).untrustedLogEntries).toBe(2)
    expect(await again.verify()).toEqual([])
  })

  test('keeps its log if the caller trusts the lines, as a replica does', async () => {
    const lines = await exportRunningCalls()
    const storage = memoryStorage()
    const options = { trustToolCallLog: true }
    expect((await storage.importSession(lines, options)).untrustedLogEntries).toBe(0)
    const { agent, ran } = setUp()
    const primary = memoryStorage()
    // The primary copies the session from the replica.
    const both = replicated([primary, storage])
    const result = await new Conversation({ agent, storage: both, session: SESSION }).resume()
    expect([result?.text, ran]).toEqual(['Fine.', ['mail {"to":"Ada"}']])
  })

  test('cannot contain log entries in another section', async () => {
    const lines = await exportRunningCalls()
    const moved = lines.map((line) =>
      line.replace('"section":"~tool-calls"', '"section":"notes"').replace('"~tool-calls"', '"notes"'),
    )
    const storage = memoryStorage()
    expect((await storage.importSession(moved)).untrustedLogEntries).toBe(0)
    const { agent, ran } = setUp()
    const waiting = await new Conversation({ agent, storage, session: SESSION }).resume()
    expect([waiting?.finish.reason, ran]).toEqual(['approval', []])
  })
})

test.each(['~tool-calls', '~context-notes'])('a message store cannot write the section %s', async (name) => {
  const storage = memoryStorage()
  const store = MessageStore.of().withSection(name)
  await expect(storage.saveStore(SESSION, store)).rejects.toMatchObject({
    code: 'invalid-value',
    path: '/store',
  })
  expect(await storage.session(SESSION)).toBeUndefined()
})
