import { setTimeout } from 'node:timers/promises'
import { type Message, textOf } from 'interlingua'
import { type ConversationStorage, replicated, memoryStorage } from 'interlingua/stores'
import { expect, test } from 'vitest'

const texts = (messages: Iterable<Message>): string[] => Array.from(messages, (message) => textOf(message))

const ids = async (storage: ConversationStorage): Promise<string[]> =>
  Array.from(await storage.messages('s'), ({ id }) => id)

test('writes reach all storages under the same ids; reads use the first one that has the session', async () => {
  const [first, second] = [memoryStorage(), memoryStorage()]
  const both = replicated([first, second])
  await both.createSession({ id: 's', title: 'T' })
  await both.append('s', ['One', 'Two'])
  await both.syncHistory('s', ['One', 'Two', 'Three'])
  await both.fork('s', { id: 'fork' })
  expect(await ids(second)).toEqual(await ids(first))
  await first.deleteSession('s')
  expect(texts(await both.messages('s'))).toEqual(['One', 'Two', 'Three'])
  expect((await both.session('s'))?.title).toBe('T')
  await both.append('s', 'Four')
  expect(texts(await first.messages('s'))).toEqual(['One', 'Two', 'Three', 'Four'])
  expect(await ids(second)).toEqual(await ids(first))
  expect((await both.session('fork'))?.id).toBe('fork')
})

test('a replica that is behind catches up; a failing one does not fail the write', async () => {
  const [first, second] = [memoryStorage(), memoryStorage()]
  await first.createSession({ id: 's' })
  await first.append('s', 'One')
  const errors: unknown[] = []
  const both = replicated([first, second], { onError: (error) => errors.push(error) })
  await both.append('s', 'Two')
  expect(await ids(second)).toEqual(await ids(first))
  await second.remove('s', (await ids(first)).at(-1) ?? '')
  await both.append('s', 'Three')
  expect(await ids(second)).toEqual(await ids(first))
  expect(errors).toEqual([])
  await second.close()
  await both.append('s', 'Four')
  expect([texts(await both.messages('s')).length, errors.length]).toEqual([4, 1])
})

/** A storage whose listed methods fail while `down` returns true. */
function failing(storage: ConversationStorage, calls: readonly (keyof ConversationStorage)[]): Failing {
  const state: { down: boolean } = { down: false }
  const proxy = new Proxy(
    { ...storage },
    {
      get: (target, name: keyof ConversationStorage) => {
        if (!state.down || !calls.includes(name)) return target[name]
        return () => Promise.reject(new Error(`${name} is down`))
      },
    },
  )
  return { storage: proxy, state }
}

interface Failing {
  readonly storage: ConversationStorage
  readonly state: { down: boolean }
}

test('concurrent writes leave all storages identical', async () => {
  const [first, second, third] = [memoryStorage(), memoryStorage(), memoryStorage()]
  /** A storage with random delays. */
  const append: ConversationStorage['append'] = async (...words) => {
    await setTimeout(Math.random() * 3)
    return third.append(...words)
  }
  const all = replicated([first, second, { ...third, append }])
  await all.createSession({ id: 's' })
  await Promise.all(Array.from({ length: 30 }, (_, index) => all.append('s', `Message ${index}`)))
  expect(await ids(first)).toHaveLength(30)
  for (const each of [second, third]) expect(await ids(each)).toEqual(await ids(first))
})

test('a replica that missed a change gets it with the next one', async () => {
  const first = memoryStorage()
  const { storage: second, state } = failing(memoryStorage(), ['replace', 'remove', 'updateSession'])
  const errors: unknown[] = []
  const both = replicated([first, second], { onError: (error) => errors.push(error) })
  await both.createSession({ id: 's' })
  const { added } = await both.append('s', ['One', 'Two', 'Three'])
  state.down = true
  await both.replace('s', added[0]?.id ?? '', 'Changed')
  await both.remove('s', added[1]?.id ?? '')
  await both.updateSession('s', { title: 'New' })
  expect(errors).toHaveLength(3)
  state.down = false
  await both.forTenant(both.tenant).append('s', 'Four')
  expect(texts(await second.messages('s'))).toEqual(['Changed', 'Three', 'Four'])
  expect((await second.session('s'))?.title).toBe('New')
  expect(await second.verify()).toEqual([])
})

test('a session is deleted everywhere, or the call fails', async () => {
  const first = memoryStorage()
  const { storage: second, state } = failing(memoryStorage(), ['deleteSession'])
  const both = replicated([first, second])
  await both.createSession({ id: 's' })
  state.down = true
  await expect(both.deleteSession('s')).rejects.toThrow('deleteSession is down')
  state.down = false
  expect([await both.deleteSession('s'), await both.session('s')]).toEqual([true, undefined])
  expect(await both.deleteSession('s')).toBe(false)
})

test('lists contain the sessions of all storages, once each', async () => {
  const [first, second] = [memoryStorage(), memoryStorage()]
  for (const id of ['old 1', 'old 2', 'old 3']) await second.createSession({ id })
  const both = replicated([first, second])
  for (const id of ['new 1', 'new 2', 'new 3']) await both.createSession({ id })
  await both.append('old 2', 'Taken up again')
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = await both.sessions({ limit: 2, ...(cursor !== undefined && { cursor }) })
    expect(page.sessions.length).toBeLessThanOrEqual(2)
    seen.push(...page.sessions.map(({ id }) => id))
    cursor = page.cursor
  } while (cursor !== undefined)
  expect(seen.toSorted()).toEqual(['new 1', 'new 2', 'new 3', 'old 1', 'old 2', 'old 3'])
  expect((await both.sessions({ search: 'OLD 3' })).sessions.map(({ id }) => id)).toEqual(['old 3'])
  await expect(both.sessions({ cursor: '7:x' })).rejects.toMatchObject({ code: 'invalid-value' })
})

test('all storages are closed, even if one fails', async () => {
  const last = memoryStorage()
  const { storage: broken, state } = failing(memoryStorage(), ['close'])
  state.down = true
  await expect(replicated([memoryStorage(), broken, last]).close()).rejects.toThrow('close is down')
  await expect(last.sessions()).rejects.toMatchObject({ code: 'storage-closed' })
})
