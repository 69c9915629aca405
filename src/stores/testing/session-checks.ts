import { assert } from './assertions.ts'
import { type ConformanceChecks, expectError, listSessionIds } from './check-helpers.ts'

/** Checks of creating, listing, updating and deleting sessions. */
export const sessionStorageChecks: ConformanceChecks = {
  'a session is created, found, updated and deleted': async (storage) => {
    const wanted = { id: 'one', title: 'First', labels: ['a', 'b'], parameters: { n: 1 } }
    const made = await storage.createSession({ ...wanted, labels: ['a', 'a', 'b'] })
    const { sections: _sections, createdAt, updatedAt: _updatedAt, ...fields } = made
    assert.deepEqual(fields, wanted)
    assert.deepEqual(await storage.session('one'), made)
    const changed = await storage.updateSession('one', { title: 'Other' })
    assert.deepEqual([changed.title, changed.labels, changed.createdAt], ['Other', ['a', 'b'], createdAt])
    assert.equal(await storage.deleteSession('one'), true)
    assert.equal(await storage.deleteSession('one'), false)
    assert.equal(await storage.session('one'), undefined)
  },
  'a session without an id gets one, and an id can be used once': async (storage) => {
    const { id } = await storage.createSession()
    await expectError('conflict', () => storage.createSession({ id }))
    assert.notEqual((await storage.createSession()).id, id)
  },
  'writing to an unknown session is refused': async (storage) => {
    await expectError('unknown-session', () => storage.append('nowhere', 'Hello'))
    await expectError('unknown-session', () => storage.messages('nowhere'))
    await expectError('unknown-session', () => storage.fork('nowhere'))
  },
  'a deleted session can be created again, and is empty': async (storage) => {
    await storage.createSession({ id: 'again' })
    await storage.append('again', 'Hello')
    await storage.deleteSession('again')
    await storage.createSession({ id: 'again' })
    assert.equal((await storage.messages('again')).size, 0)
  },
  'sessions are listed in pages, the most recently written first': async (storage) => {
    for (let index = 0; index < 7; index++) await storage.createSession({ id: `s${index}` })
    await storage.append('s2', 'Hello')
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await storage.sessions({ limit: 3, ...(cursor !== undefined && { cursor }) })
      assert.ok(page.sessions.length <= 3)
      for (const { id } of page.sessions) seen.push(id)
      cursor = page.cursor
    } while (cursor !== undefined)
    assert.deepEqual(seen.toSorted(), ['s0', 's1', 's2', 's3', 's4', 's5', 's6'])
    assert.equal((await storage.sessions({ limit: 7 })).cursor, undefined)
    await expectError('invalid-value', () => storage.sessions({ limit: 0 }))
    await expectError('invalid-value', () => storage.sessions({ cursor: "' or 1=1" }))
  },
  'pages contain every session that is not written to meanwhile, once': async (storage) => {
    const ids = Array.from({ length: 12 }, (_, index) => `s${index}`)
    for (const id of ids) await storage.createSession({ id })
    const touched = new Set<string>()
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await storage.sessions({ limit: 2, ...(cursor !== undefined && { cursor }) })
      for (const { id } of page.sessions) seen.push(id)
      cursor = page.cursor
      // One that was listed, one that was not, and one of the two that come next.
      for (const id of [seen[0], ids[touched.size], ids.toReversed()[seen.length]]) {
        if (id === undefined) continue
        touched.add(id)
        await storage.append(id, 'Touched')
      }
    } while (cursor !== undefined)
    const untouched = ids.filter((id) => !touched.has(id))
    assert.ok(untouched.length > 0)
    assert.deepEqual(seen.filter((id) => !touched.has(id)).toSorted(), untouched.toSorted())
  },
  'lists can be filtered by label and by search text without wildcards': async (storage) => {
    const titles = ['100% sure', '100 times', 'under_score', 'underscore', 'back\\slash', 'Straße', 'quote"s']
    for (const title of titles)
      await storage.createSession({ id: `id ${title}`, title, labels: [`label ${title}`] })
    const found = async (search: string): Promise<string[]> =>
      (await storage.sessions({ search })).sessions.map(({ title }) => title).toSorted()
    assert.deepEqual(await found('100%'), ['100% sure'])
    assert.deepEqual(await found('r_s'), ['under_score'])
    assert.deepEqual(await found('\\'), ['back\\slash'])
    assert.deepEqual(await found('STRAß'), ['Straße'])
    assert.deepEqual(await found('%'), ['100% sure'])
    assert.deepEqual(await found(''), titles.toSorted())
    assert.deepEqual(await listSessionIds(storage, { label: 'label quote"s' }), ['id quote"s'])
    assert.deepEqual(await listSessionIds(storage, { label: 'label quote' }), [])
    await expectError('invalid-value', () => storage.sessions({ search: '%'.repeat(10_000) }))
  },
}
