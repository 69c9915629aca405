import { setTimeout } from 'node:timers/promises'
import { type InterlinguaError, validate } from 'interlingua'
import { Conversation, type ConversationStorage, RunTakenOverError } from 'interlingua/stores'
import { describe, expect, test } from 'vitest'
import { createEndingProcess, createStorageWithClock } from './crashing-process.ts'
import { createSlowTool, expectComplete, setUp } from './slow-conversation.ts'

/** Returns the error of a taken-over run, or the first cause that is one. */
function findCause(error: unknown): unknown {
  return error instanceof Error && !(error instanceof RunTakenOverError) ? findCause(error.cause) : error
}

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
