import { assert } from './assertions.ts'
import { user } from '../../canonical/build/messages.ts'
import type { ConversationStorage, SearchHit, SearchQuery } from '../conversation-storage.ts'
import {
  type ConformanceChecks,
  createTenantName,
  expectError,
  exportLines,
  forEachAtOnce,
  searchAll,
  searchIds,
} from './check-helpers.ts'
import { listPath, type NaiveSession } from './naive-session.ts'

/** Checks of the pages of a search, and that changes of messages change its hits. */
export const searchHitChecks: ConformanceChecks = {
  'hits are paged, the newest first, while messages are added': async (storage) => {
    const times = Array.from({ length: 25 }, (_, index) =>
      new Date(Date.UTC(2026, 0, 1 + ((index * 7) % 25))).toISOString(),
    )
    for (const id of ['one', 'two']) await storage.createSession({ id })
    for (const [index, createdAt] of times.entries())
      await storage.append(index % 2 === 0 ? 'one' : 'two', user(`needle ${index}`, { createdAt }))
    const seen: SearchHit[] = []
    let cursor: string | undefined
    do {
      const page = await storage.search({
        query: 'needle',
        limit: 4,
        ...(cursor !== undefined && { cursor }),
      })
      assert.ok(page.hits.length <= 4)
      for (const hit of page.hits) seen.push(hit)
      cursor = page.cursor
      await storage.append('one', user('needle of today'))
    } while (cursor !== undefined)
    assert.deepEqual(
      seen.map(({ time }) => time),
      times.toSorted().toReversed(),
    )
    assert.equal((await storage.search({ query: 'needle', limit: 100 })).cursor, undefined)
    const range = { after: '2026-01-05T00:00:00Z', before: new Date('2026-01-08T00:00:00Z') }
    assert.equal((await searchAll(storage, { query: 'needle', ...range, limit: 2 })).length, 3)
    assert.equal(
      (await searchAll(storage, { query: 'needle', ...range, session: 'one' })).length +
        (await searchAll(storage, { query: 'needle', ...range, session: 'two' })).length,
      3,
    )
  },
  'a hit has a snippet with the places of the words, and a score': async (storage) => {
    await storage.createSession({ id: 's' })
    const long = `${'before 😀 '.repeat(30)}needle in a haystack, a Needle${' after'.repeat(50)}`
    await storage.append('s', [user(long, { id: 'long' }), user('one needle', { id: 'short' })])
    const hits = await searchAll(storage, { query: 'needle' })
    const [long_, short] = [
      hits.find(({ message }) => message === 'long'),
      hits.find(({ message }) => message === 'short'),
    ]
    assert.ok(long_ && short && long_.score > short.score)
    const { text, matches } = long_.snippet
    assert.ok(text.length < 200 && text.isWellFormed())
    assert.deepEqual(
      matches.map(([start, end]) => text.slice(start, end)),
      ['needle', 'Needle'],
    )
    assert.deepEqual([short.snippet.text, short.snippet.matches], ['one needle', [[4, 10]]])
    assert.deepEqual(
      [short.session, short.section, short.role, short.isCurrent],
      ['s', 'messages', 'user', true],
    )
  },
  'all branches are searched, and what forks share is found once': async (storage) => {
    await storage.createSession({ id: 's' })
    await storage.append('s', [user('needle shared', { id: 'a' }), user('needle old', { id: 'b' })])
    await storage.append('s', user('needle new', { id: 'c' }), { after: 'a' })
    await storage.fork('s', { id: 'fork', at: 'b' })
    await storage.append('fork', user('needle fork', { id: 'd' }))
    const found = async (filters: Omit<SearchQuery, 'query'>): Promise<readonly string[]> =>
      (await searchAll(storage, { query: 'needle', ...filters }))
        .map(
          ({ session, message, isCurrent }) => `${session} ${message}${isCurrent ? '' : ' (other branch)'}`,
        )
        .toSorted()
    const own = ['s a', 's b (other branch)', 's c']
    const forked = ['fork a', 'fork b', 'fork d']
    assert.deepEqual(await found({}), ['fork d', ...own])
    assert.deepEqual(await found({ session: 's' }), own)
    assert.deepEqual(await found({ session: 'fork' }), forked)
    await storage.deleteSession('s')
    assert.deepEqual(await found({}), forked)
    assert.deepEqual(await storage.verify(), [])
  },
  'changed and deleted text is not found again': async (storage) => {
    await storage.createSession({ id: 's', labels: ['l'] })
    await storage.append('s', [
      user('ghost one', { id: 'a' }),
      user('ghost two', { id: 'b' }),
      user('ghost three', { id: 'c' }),
    ])
    const lines = await exportLines(storage, 's')
    await storage.replace('s', 'a', 'changed')
    assert.deepEqual(
      [await searchIds(storage, 'ghost'), await searchIds(storage, 'changed')],
      [['b', 'c'], ['a']],
    )
    await storage.remove('s', 'b')
    assert.deepEqual(await searchIds(storage, 'ghost'), ['c'])
    await storage.saveStore('s', (await storage.loadStore('s')).section('messages').set('saved'))
    assert.deepEqual([await searchIds(storage, 'ghost'), (await searchIds(storage, 'saved')).length], [[], 1])
    const deletions = [
      () => storage.deleteSession('again'),
      () => storage.prune({ keepLast: 0 }),
      () => storage.forget({ label: 'l' }),
      () => storage.forget({ tenant: storage.tenant }),
    ]
    for (const deleteSessions of deletions) {
      await storage.importSession(lines, { id: 'again' })
      assert.deepEqual(await searchIds(storage, 'ghost'), ['a', 'b', 'c'])
      await deleteSessions()
      assert.deepEqual(await searchIds(storage, 'ghost'), [])
    }
    assert.deepEqual(await storage.verify(), [])
  },
  'a failed write leaves nothing to be found': async (storage) => {
    await storage.createSession({ id: 's' })
    await storage.append('s', user('one', { id: 'a' }))
    await expectError('conflict', () => storage.append('s', user('ghost'), { expectedHead: null }))
    await expectError('conflict', () => storage.append('s', [user('ghost'), user('other', { id: 'a' })]))
    assert.deepEqual(await searchIds(storage, 'ghost'), [])
  },
  'a search finds nothing of other tenants': async (storage) => {
    const other = storage.forTenant(createTenantName())
    for (const each of [storage, other]) {
      await each.createSession({ id: 's' })
      await each.append('s', [user('needle one'), user('needle two'), user('needle three')])
    }
    const { cursor = '' } = await other.search({ query: 'needle', limit: 1 })
    assert.equal((await searchAll(storage, { query: 'needle' })).length, 3)
    await storage.deleteSession('s')
    assert.deepEqual((await storage.search({ query: 'needle', cursor })).hits, [])
    assert.equal((await searchAll(other, { query: 'needle' })).length, 3)
  },
}

/** Checks that a storage without search refuses it. */
export const refusedSearchChecks: ConformanceChecks = {
  'a search is refused': async (storage) => {
    await storage.createSession({ id: 's' })
    await storage.append('s', 'needle')
    await expectError('unsupported', () => storage.search({ query: 'needle' }))
  },
}

/** Compares searches with the messages of a model, in each session and in all of them. */
export async function compareSearches(
  storage: ConversationStorage,
  sessions: ReadonlyMap<string, NaiveSession>,
): Promise<void> {
  for (const word of ['a', 'b']) {
    const known = new Set<string>()
    await forEachAtOnce(sessions, async ([id, session]) => {
      const expected = [...session.sections].flatMap(([section, each]) => {
        const current = new Set(listPath(each).map(([message]) => message))
        const matching = [...each.messages].filter(([, { text }]) => text === word)
        return matching.map(([message]) => `${section} ${message} ${current.has(message)}`)
      })
      const hits = await searchAll(storage, { query: word, session: id, limit: 7 })
      const found = hits.map(({ section, message, isCurrent }) => `${section} ${message} ${isCurrent}`)
      assert.deepEqual(found.toSorted(), expected.toSorted(), `messages of ${id} with the word ${word}`)
      for (const { message } of hits) known.add(message)
    })
    const hits = await searchAll(storage, { query: word, limit: 100 })
    const places = hits.map(({ session, message }) => `${session} ${message}`)
    assert.equal(new Set(places).size, places.length, `messages with the word ${word} that were found twice`)
    assert.deepEqual(new Set(hits.map(({ message }) => message)), known, `messages with the word ${word}`)
  }
}
