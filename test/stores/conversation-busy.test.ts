import { setTimeout } from 'node:timers/promises'
import { type InterlinguaError, type Message, textOf, toolCall, toolResultsOf, validate } from 'interlingua'
import { Agent, tool } from 'interlingua/agent'
import { scripted } from 'interlingua/providers'
import {
  type BusyOptions,
  Conversation,
  type ConversationStorage,
  memoryStorage,
  RunTakenOverError,
} from 'interlingua/stores'
import { describe, expect, test } from 'vitest'
import { createEndingProcess, createStorageWithClock } from './crashing-process.ts'

const texts = (messages: Iterable<Message>): string[] => Array.from(messages, (message) => textOf(message))

/** A tool that works until `finish` is called or its run is aborted. */
function createSlowTool(): {
  readonly slow: ReturnType<typeof tool>
  readonly started: Promise<void>
  readonly finish: () => void
  readonly runs: string[]
} {
  const runs: string[] = []
  let start = (): void => {}
  let finish = (): void => {}
  const started = new Promise<void>((resolve) => (start = resolve))
  const end = new Promise<string>((resolve) => (finish = () => resolve('worked')))
  const slow = tool({
    name: 'slow',
    needsApproval: ({ ask }: { ask?: boolean }) => ask === true,
    run: (_input, { call }) => {
      runs.push(call.id)
      start()
      return end
    },
  })
  return { slow, started, finish, runs }
}

interface Setup {
  readonly storage: ConversationStorage
  readonly open: (options?: BusyOptions) => Conversation
}

/** Opens the same conversation as often as wanted, as several processes would. */
async function setUp(
  tools: readonly ReturnType<typeof tool>[],
  ask = false,
  storage = memoryStorage(),
): Promise<Setup> {
  const { id: session } = await storage.createSession()
  const model = scripted(({ messages }) => {
    const last = [...messages].at(-1)
    if (last?.role === 'tool') return 'Done.'
    return last !== undefined && textOf(last) === 'Work'
      ? toolCall({ id: 'c1', name: 'slow', arguments: { ask } })
      : `Re: ${last === undefined ? '' : textOf(last)}`
  })
  const agent = new Agent({ model, tools: [...tools] })
  return { storage, open: (options) => new Conversation({ agent, storage, session, ...options }) }
}

/** Returns the error of a taken-over run, or the first cause that is one. */
function findCause(error: unknown): unknown {
  return error instanceof Error && !(error instanceof RunTakenOverError) ? findCause(error.cause) : error
}

async function expectComplete({ open, storage }: Setup, expected: readonly string[]): Promise<void> {
  const messages = await open().messages()
  expect(texts(messages)).toEqual(expected)
  expect(validate(messages)).toEqual([])
  expect(messages.toArray().flatMap(toolResultsOf)).toEqual(
    expect.not.arrayContaining([expect.objectContaining({ isError: true })]),
  )
  expect(await storage.verify()).toEqual([])
  expect(await storage.lease(open().options.session)).toBeUndefined()
}

describe('while a run works on a conversation', () => {
  const newcomers: readonly [string, (conversation: Conversation) => Promise<unknown>][] = [
    ['send', (conversation) => conversation.send('More')],
    ['stream', (conversation) => conversation.stream('More')],
    ['resume', (conversation) => conversation.resume({ c1: 'approve' })],
    ['regenerate', (conversation) => conversation.regenerate()],
    ['edit', (conversation) => conversation.edit('any', 'More')],
    ['setHead', (conversation) => conversation.setHead(null)],
  ]

  test.each(newcomers)('%s is rejected, and the run keeps its result', async (_name, start) => {
    const { slow, started, finish, runs } = createSlowTool()
    const setup = await setUp([slow])
    const since = Date.now()
    const running = setup.open().send('Work')
    await started
    const error: unknown = await start(setup.open()).catch((reason: unknown) => reason)
    expect(error).toMatchObject({
      code: 'conflict',
      retryable: true,
      hint: expect.stringMatching(/whenBusy/),
    })
    const [, at = ''] = /since (\S+)/.exec((error as Error).message) ?? []
    expect(Math.abs(Date.parse(at) - since)).toBeLessThan(60_000)
    finish()
    expect((await running).text).toBe('Done.')
    expect(runs).toEqual(['c1'])
    await expectComplete(setup, ['Work', '', 'worked', 'Done.'])
  })

  test('an approval that is clicked twice runs the tool once', async () => {
    const { slow, started, finish, runs } = createSlowTool()
    const setup = await setUp([slow], true)
    expect((await setup.open().send('Work')).finish.reason).toBe('approval')
    const first = setup.open().resume({ c1: 'approve' })
    await started
    await expect(setup.open().resume({ c1: 'approve' })).rejects.toMatchObject({ code: 'conflict' })
    const waiting = setup.open({ whenBusy: 'enqueue' }).resume({ c1: 'approve' })
    finish()
    expect([(await first)?.text, await waiting, runs]).toEqual(['Done.', undefined, ['c1']])
    await expectComplete(setup, ['Work', '', 'worked', 'Done.'])
  })

  test('runs that are enqueued start in order', async () => {
    const { slow, started, finish } = createSlowTool()
    const setup = await setUp([slow])
    const running = setup.open().send('Work')
    await started
    const waiting = ['One', 'Two', 'Three'].map((text) => setup.open({ whenBusy: 'enqueue' }).send(text))
    finish()
    await Promise.all([running, ...waiting])
    const expected = ['Work', '', 'worked', 'Done.', 'One', 'Re: One', 'Two', 'Re: Two', 'Three', 'Re: Three']
    await expectComplete(setup, expected)
  })

  test('an enqueued run ends with its signal or its limit, and the others continue', async () => {
    const { slow, started, finish } = createSlowTool()
    const setup = await setUp([slow])
    const running = setup.open().send('Work')
    await started
    const first = setup.open({ whenBusy: 'enqueue' }).send('First')
    const signal = AbortSignal.timeout(10)
    const aborted = setup.open({ whenBusy: 'enqueue' }).send('Aborted', { signal })
    await expect(aborted).rejects.toMatchObject({ code: 'aborted' })
    const late = setup.open({ whenBusy: 'enqueue', maxWaitMs: 10 }).send('Late')
    finish()
    await Promise.all([running, first])
    await late.catch((error: unknown) => expect(error).toMatchObject({ code: 'conflict' }))
    const messages = texts(await setup.open().messages())
    expect(messages.slice(0, 6)).toEqual(['Work', '', 'worked', 'Done.', 'First', 'Re: First'])
    expect(messages).not.toContain('Aborted')
  })

  test('an enqueued run gives up after its limit', async () => {
    const { slow, started, finish } = createSlowTool()
    const setup = await setUp([slow])
    const running = setup.open().send('Work')
    await started
    const waiting = setup.open({ whenBusy: 'enqueue', maxWaitMs: 30 }).send('Late')
    await expect(waiting).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(/within 30 ms/),
    })
    finish()
    await running
    await expectComplete(setup, ['Work', '', 'worked', 'Done.'])
  })

  test('a run that is interrupted stores what it has, then the other one starts', async () => {
    const { slow, started, runs } = createSlowTool()
    const setup = await setUp([slow])
    const running = setup.open().send('Work')
    await started
    const next = await setup.open({ whenBusy: 'interrupt' }).send('Other')
    expect([(await running).finish.reason, next.text]).toEqual(['aborted', 'Re: Other'])
    const messages = await setup.open().messages()
    expect(Array.from(messages, ({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'user',
      'assistant',
    ])
    expect([validate(messages), runs]).toEqual([[], ['c1']])
  })

  test('a stream holds the conversation until it has been read', async () => {
    const setup = await setUp([])
    const stream = await setup.open().stream('Hi')
    for await (const _chunk of stream);
    expect((await setup.open().send('Bye')).text).toBe('Re: Bye')
    const left = await setup.open().stream('Left')
    for await (const _chunk of left) break
    expect((await setup.open().send('Again')).text).toBe('Re: Again')
  })

  test.each([
    ['whenBusy', { whenBusy: 'wait' }],
    ['maxWaitMs', { maxWaitMs: Number.NaN }],
    ['leaseMs', { leaseMs: 0 }],
  ])('an invalid %s is reported', async (name, options) => {
    const { open } = await setUp([])
    expect(() => open(options as BusyOptions)).toThrow(expect.objectContaining({ path: `/${name}` }))
  })
})

describe('the lease of a run', () => {
  test('is renewed while it works', async () => {
    const { storage, advanceClock } = createStorageWithClock()
    const { slow, started, finish } = createSlowTool()
    const setup = await setUp([slow], false, storage)
    const { session } = setup.open().options
    const running = setup.open({ leaseMs: 90 }).send('Work')
    await started
    for (let round = 0; round < 3; round++) {
      const { expiresAt = '' } = (await storage.lease(session)) ?? {}
      advanceClock(60)
      while ((await storage.lease(session))?.expiresAt === expiresAt) await setTimeout(5)
    }
    await expect(setup.open().send('More')).rejects.toMatchObject({ code: 'conflict' })
    finish()
    await running
    await expectComplete(setup, ['Work', '', 'worked', 'Done.'])
  })

  test.each([
    ['continues if no other run has taken it', false],
    ['ends with a typed error if another run has taken it', true],
  ])('that expired before a write is renewed first: the run %s', async (_name, isTaken) => {
    const { storage, expireLeases } = createStorageWithClock()
    const { slow, started, finish } = createSlowTool()
    const setup = await setUp([slow], false, storage)
    const { session } = setup.open().options
    const refused: string[] = []
    const slowProcess: ConversationStorage = {
      ...storage,
      // The timer of a process that is too busy does not fire in time.
      lease: () => new Promise(() => {}),
      append: (id, messages, how) =>
        storage.append(id, messages, how).catch((error: unknown) => {
          refused.push((error as InterlinguaError).code)
          throw error
        }),
    }
    const conversation = new Conversation({ ...setup.open().options, storage: slowProcess })
    const running = conversation.send('Work')
    await started
    expireLeases()
    if (isTaken) await storage.acquireLease(session, { token: 'other', durationMs: 1_000 })
    if (isTaken) expireLeases()
    finish()
    if (isTaken) {
      await expect(running).rejects.toMatchObject({ code: 'conflict' })
      expect(new Set(refused)).toEqual(new Set(['conflict']))
      return
    }
    expect((await running).text).toBe('Done.')
    expect(refused).toEqual(['lease-expired'])
    await expectComplete(setup, ['Work', '', 'worked', 'Done.'])
  })

  test('that another run takes between an expired write and its renewal ends the run', async () => {
    const { storage, expireLeases } = createStorageWithClock()
    const { slow, started, finish } = createSlowTool()
    const setup = await setUp([slow], false, storage)
    const overtaken: ConversationStorage = {
      ...storage,
      lease: () => new Promise(() => {}),
      renewLease: async (id, how) => {
        await storage.acquireLease(id, { token: 'other', durationMs: 1_000 })
        return storage.renewLease(id, how)
      },
    }
    const running = new Conversation({ ...setup.open().options, storage: overtaken }).send('Work')
    await started
    expireLeases()
    finish()
    const error: unknown = await running.catch((reason: unknown) => reason)
    expect(findCause(error)).toBeInstanceOf(RunTakenOverError)
    expect((await setup.open().messages()).size).toBe(2)
  })

  test('expires with its process; what the process writes later is refused', async () => {
    const { storage, expireLeases } = createStorageWithClock()
    const { slow, started, finish, runs } = createSlowTool()
    const setup = await setUp([slow], false, storage)
    const process = createEndingProcess(storage)
    const conversation = setup.open()
    const stopped = new Conversation({
      ...conversation.options,
      // Neither renewed nor released, as in a process that is stopped.
      storage: {
        ...storage,
        renewLease: (id, how) => process.storage.renewLease(id, how),
        lease: (id) => process.storage.lease(id),
      },
    })
    const running = stopped.send('Work')
    await started
    process.end()
    await expect(setup.open().resume()).rejects.toMatchObject({ code: 'conflict' })
    expireLeases()
    expect((await setup.open().resume())?.text).toBe('Done.')
    finish()
    await expect(running).rejects.toMatchObject({ code: 'conflict' })
    expect(runs).toEqual(['c1'])
    const messages = await setup.open().messages()
    expect([messages.size, validate(messages), await storage.verify()]).toEqual([4, [], []])
  })
})
