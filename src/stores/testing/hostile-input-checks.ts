import { assert } from './assertions.ts'
import { assistant, user } from '../../canonical/build/messages.ts'
import { text } from '../../canonical/build/parts.ts'
import type { ConversationStorage } from '../conversation-storage.ts'
import {
  type ConformanceChecks,
  createTenantName,
  expectError,
  exportLines,
  listSessionIds,
  listMessageTexts,
} from './check-helpers.ts'

/** Texts that break naive string concatenation. */
const HOSTILE_TEXTS: readonly string[] = [
  "'; drop table interlingua_messages; --",
  '" or ""="',
  '$1 ? :name @p1',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  '{"$gt":""}',
  '%_\\',
  'a\nb\r\tc',
  'Ünïcödé 🦜 \u202e\ufeff',
  '\u00e9 is not e\u0301',
]

async function callEveryMethod(storage: ConversationStorage, id: string): Promise<void> {
  await storage.createSession({ id, title: id, labels: [id], parameters: { [id]: id } })
  await storage.append(id, user(id, { id, name: id, metadata: { [id]: id } }), { section: id })
  await storage.append(id, assistant(id), { section: id, expectedHead: id })
  await storage.label(id, id, id)
  assert.deepEqual([...(await storage.labels(id))], [[id, [id]]])
  assert.deepEqual(listMessageTexts(await storage.messages(id, { section: id, to: id })), [id])
  assert.deepEqual((await storage.get(id, id))?.metadata, { [id]: id })
  assert.deepEqual((await storage.session(id))?.parameters, { [id]: id })
  assert.deepEqual(await listSessionIds(storage, { label: id }), [id])
  assert.deepEqual(await listSessionIds(storage, { search: id }), [id])
  await storage.fork(id, { id: `${id} fork`, at: id })
  assert.deepEqual(listMessageTexts(await storage.messages(`${id} fork`, { section: id })), [id])
  assert.deepEqual(await storage.usage({ session: id }), [])
  await storage.deleteSession(`${id} fork`)
}

const MEGABYTES = 10

/** Checks of tenants, hostile texts, size and concurrency. */
export const hostileInputStorageChecks: ConformanceChecks = {
  'data of one tenant is invisible to another': async (storage) => {
    await storage.createSession({ id: 'mine', title: 'Secret' })
    const { head } = await storage.append(
      'mine',
      assistant('Secret', { usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 } }),
    )
    const other = storage.forTenant(createTenantName())
    assert.equal(await other.session('mine'), undefined)
    assert.deepEqual((await other.sessions({ search: 'Secret' })).sessions, [])
    assert.equal(await other.deleteSession('mine'), false)
    assert.deepEqual(await other.usage(), [])
    for (const act of [
      () => other.messages('mine'),
      () => other.get('mine', head ?? ''),
      () => other.fork('mine'),
      () => other.append('mine', 'Hello'),
      () => other.syncHistory('mine', assistant('Secret')),
      () => other.replace('mine', head ?? '', 'Hello'),
      () => other.remove('mine', head ?? ''),
      () => other.updateSession('mine', { title: '' }),
      () => other.setHead('mine', head ?? ''),
      () => other.label('mine', head ?? '', 'x'),
      () => other.loadStore('mine'),
      () => other.verify('mine'),
      () => exportLines(other, 'mine'),
    ])
      await expectError('unknown-session', act)
    await other.createSession({ id: 'mine' })
    await expectError('unknown-id', () => other.fork('mine', { at: head ?? '' }))
    await expectError('unknown-id', () => other.setHead('mine', head ?? ''))
    assert.deepEqual(listMessageTexts(await storage.messages('mine')), ['Secret'])
  },
  ...Object.fromEntries(
    HOSTILE_TEXTS.map((name) => [
      `any text can be a name: ${JSON.stringify(name)}`,
      async (storage: ConversationStorage) => {
        await callEveryMethod(storage, name)
        await callEveryMethod(storage.forTenant(`${createTenantName()} ${name}`), name)
        assert.deepEqual(await storage.verify(), [])
        assert.deepEqual(await listSessionIds(storage), [name])
      },
    ]),
  ),
  'names that some backend could not store are refused': async (storage) => {
    for (const id of ['', 'a\u0000b', '\ud800', 'x'.repeat(257)]) {
      await expectError('invalid-value', () => storage.createSession({ id }))
      await expectError('invalid-value', async () => storage.forTenant(id).session('x'))
    }
  },
  'messages may contain any text': async (storage) => {
    const { id } = await storage.createSession()
    const texts = ['\u0000', '\ud800 alone', '🦜'.repeat(100), '\u2028\u2029', '{"interlingua":1}', '\\u0000']
    await storage.append(id, texts)
    assert.deepEqual(listMessageTexts(await storage.messages(id)), texts)
    assert.deepEqual(await storage.verify(id), [])
  },
  [`a message of ${MEGABYTES} MB`]: async (storage) => {
    const { id } = await storage.createSession()
    const large = text('0123456789abcdef'.repeat(MEGABYTES * 65_536))
    await storage.append(id, user(large))
    const [only] = await storage.messages(id)
    assert.ok(only?.content[0]?.type === 'text' && only.content[0].text === large.text)
  },
  'a very long session': async (storage, { messageCount = 100_000 }) => {
    const { id } = await storage.createSession()
    for (let start = 0; start < messageCount; start += 5_000) {
      const count = Math.min(5_000, messageCount - start)
      const messages = Array.from({ length: count }, (_, index) => user(`Message ${start + index}`))
      await storage.append(id, messages)
    }
    const all = await storage.messages(id)
    assert.equal(all.size, messageCount)
    assert.deepEqual(listMessageTexts(all.slice(-1)), [`Message ${messageCount - 1}`])
    assert.deepEqual(listMessageTexts(await storage.messages(id, { last: 1 })), [
      `Message ${messageCount - 1}`,
    ])
    const { id: fork } = await storage.fork(id, { at: all.at(-2)?.id ?? '' })
    await storage.append(fork, 'Elsewhere')
    assert.equal((await storage.messages(fork)).size, messageCount)
    assert.deepEqual(await storage.verify(fork), [])
  },
  'concurrent writers lose nothing, and of those with the same expected head one wins': async (
    storage,
    subject,
  ) => {
    const { id } = await storage.createSession()
    const second = subject.supportsSharing === true ? await subject.open() : undefined
    try {
      const other = second?.forTenant(storage.tenant) ?? storage
      const acts = Array.from({ length: 40 }, (_, index) =>
        (index % 2 === 0 ? storage : other).append(id, `Message ${index}`),
      )
      await Promise.all(acts)
      const all = await storage.messages(id)
      assert.deepEqual(new Set(listMessageTexts(all)), new Set(acts.map((_, index) => `Message ${index}`)))
      assert.equal(all.size, 40)
      const expectedHead = all.at(-1)?.id ?? null
      const writers = [storage, other, storage, other, storage, other]
      const race = await Promise.allSettled(
        writers.map((writer) => writer.append(id, 'Mine', { expectedHead })),
      )
      assert.equal(race.filter(({ status }) => status === 'fulfilled').length, 1)
      assert.equal((await storage.messages(id)).size, 41)
      assert.deepEqual(await storage.verify(id), [])
    } finally {
      await second?.close()
    }
  },
}
