import { setTimeout } from 'node:timers/promises'
import { type Message, textOf } from 'interlingua'
import { type ConversationStorage, type Keyring, memoryStorage, replicated } from 'interlingua/stores'
import { describe, expect, test } from 'vitest'

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
  // The second change copied the session; the third failed again.
  expect(errors).toHaveLength(2)
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

describe('after a restart', () => {
  /** Two storages with the same session, and a new combination of them. */
  async function restart(
    change: (second: ConversationStorage, first: ConversationStorage) => Promise<unknown>,
  ) {
    const [first, second] = [memoryStorage(), memoryStorage()]
    const before = replicated([first, second])
    await before.createSession({ id: 's', title: 'T' })
    const { added } = await before.append('s', ['One', 'Two', 'Three'])
    await before.label('s', added[0]?.id ?? '', 'good')
    await change(second, first)
    const errors: unknown[] = []
    const both = replicated([first, second], { onError: (error) => errors.push(error) })
    return { first, second, both, errors, added }
  }

  /** Writes to one storage that the other one missed. */
  const missed: Readonly<Record<string, (storage: ConversationStorage) => Promise<unknown>>> = {
    'a title': (storage) => storage.updateSession('s', { title: 'Old' }),
    'a label of the session': (storage) => storage.updateSession('s', { labels: ['x'] }),
    'a parameter': (storage) => storage.updateSession('s', { parameters: { n: 1 } }),
    'a label of a message': async (storage) => storage.label('s', (await storage.head('s')) ?? '', 'bad'),
    'a removed label': async (storage) => {
      const [first] = await storage.messages('s')
      await storage.unlabel('s', first?.id ?? '', 'good')
    },
    'an append': (storage) => storage.append('s', 'Missed'),
    'an append to another section': (storage) => storage.append('s', 'Missed', { section: 'notes' }),
    'a moved head': (storage) => storage.setHead('s', null),
    'a removed message': async (storage) => storage.remove('s', (await storage.head('s')) ?? ''),
    'the session itself': (storage) => storage.deleteSession('s'),
  }

  test.each(Object.entries(missed))(
    'a replica that missed %s converges with the next write',
    async (_name, change) => {
      const { first, both, second, errors } = await restart(change)
      const issues = await both.verify()
      expect(issues).not.toEqual([])
      for (const issue of issues) expect(issue).toMatchObject({ session: 's', kind: 'replica' })
      const again = replicated([first, second])
      await again.append('s', 'Next')
      expect(await again.verify()).toEqual([])
      expect(texts(await second.messages('s'))).toEqual(['One', 'Two', 'Three', 'Next'])
      expect(errors).toEqual([])
    },
  )

  test('a changed message is named, and repaired by the next write', async () => {
    const { both, second, added } = await restart((replica) => changeFirst(replica))
    const message = added[0]?.id
    expect(await both.verify('s')).toEqual([
      { session: 's', message, kind: 'replica', reason: 'The message differs (replica 1)' },
    ])
    await both.append('s', 'Next')
    expect(await both.verify()).toEqual([])
    expect(texts(await second.messages('s'))[0]).toBe('One')
  })

  async function changeFirst(storage: ConversationStorage): Promise<void> {
    const [first] = await storage.messages('s')
    await storage.replace('s', first?.id ?? '', 'Changed')
  }

  test('a session that only a replica has is continued by concurrent appends', async () => {
    const { both, first, second, errors } = await restart((_second, primary) => primary.deleteSession('s'))
    await Promise.all(Array.from({ length: 5 }, (_, index) => both.append('s', `Next ${index}`)))
    expect(texts(await first.messages('s')).slice(0, 3)).toEqual(['One', 'Two', 'Three'])
    expect((await first.messages('s')).size).toBe(8)
    expect(await ids(second)).toEqual(await ids(first))
    expect([await both.verify(), errors]).toEqual([[], []])
  })

  test('an id that only a replica has cannot be used for another session', async () => {
    const { both, second } = await restart((_second, primary) => primary.deleteSession('s'))
    const lines: string[] = []
    for await (const line of second.exportSession('s')) lines.push(line)
    await both.createSession({ id: 'other' })
    const uses = [
      () => both.createSession({ id: 's' }),
      () => both.fork('other', { id: 's' }),
      () => both.importSession(lines),
      () => both.importSession(lines, { id: 's' }),
    ]
    for (const use of uses) await expect(use()).rejects.toMatchObject({ code: 'conflict' })
    expect(texts(await both.messages('s'))).toEqual(['One', 'Two', 'Three'])
  })
})

test('a replica that gets appends in another order has the head of the primary', async () => {
  const [first, second] = [memoryStorage(), memoryStorage()]
  await first.createSession({ id: 's' })
  // The first append is acknowledged after the second one, as two connections of a database may do.
  let isFirst = true
  const append: ConversationStorage['append'] = async (...words) => {
    const result = await first.append(...words)
    if (isFirst) {
      isFirst = false
      await setTimeout(20)
    }
    return result
  }
  const both = replicated([{ ...first, append }, second])
  await Promise.all(['One', 'Two', 'Three'].map((text) => both.append('s', text)))
  expect(await ids(second)).toEqual(await ids(first))
  expect(await second.head('s')).toBe(await first.head('s'))
})

test('rotateKeys rotates the keys of every storage that is encrypted', async () => {
  const [k1, k2] = [1, 2].map((value) => new Uint8Array(32).fill(value)) as [Uint8Array, Uint8Array]
  let current = 'k1'
  const keys: Keyring = {
    currentKeyId: () => current,
    key: async (_tenant, id) => (id === 'k1' ? k1 : k2),
  }
  const encrypted = (): ConversationStorage => memoryStorage({ encryption: { keys } })
  const storage = replicated([encrypted(), memoryStorage(), encrypted()])
  await storage.createSession({ id: 's' })
  await storage.append('s', 'Hello')
  current = 'k2'
  expect(await storage.rotateKeys?.()).toBe(2)
  expect(await storage.rotateKeys?.()).toBe(0)
  expect('rotateKeys' in replicated([memoryStorage()])).toBe(false)
})
