import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assistant } from 'interlingua'
import type { ConversationStorage } from 'interlingua/stores'
import { sqliteStorage } from 'interlingua/stores/sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'

const FLIPS = process.env['SOAK'] ? 800 : 6

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'interlingua-flips-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function fill(storage: ConversationStorage): Promise<void> {
  const usage = { inputTokens: 512, outputTokens: 128, totalTokens: 640 }
  for (const id of ['one', 'two', 'three']) {
    await storage.createSession({ id, title: `The title of ${id}`, labels: ['a'], parameters: { id } })
    const answer = assistant(`The answer of ${id}`, { usage, origin: { dialect: 'd', model: 'm' } })
    const { added } = await storage.append(id, ['Hello', answer, 'More', 'And more'])
    await storage.append(id, 'Note', { section: 'notes' })
    await storage.label(id, added[1]?.id ?? '', 'good')
    await storage.fork(id, { id: `fork of ${id}`, at: added[2]?.id ?? '' })
    await storage.append(`fork of ${id}`, 'Another way')
  }
}

/** Everything that can be read, as text; an error counts as a difference. */
async function readEverything(storage: ConversationStorage): Promise<string> {
  const found: unknown[] = [await storage.usage(), (await storage.sessions({ search: 'fork' })).sessions]
  for (const session of (await storage.sessions()).sessions) {
    const lines: string[] = []
    for await (const line of storage.exportSession(session.id)) lines.push(line)
    found.push(session, lines.toSorted(), [...(await storage.labels(session.id))])
    found.push((await storage.messages(session.id)).toArray(), await storage.branches(session.id))
  }
  return JSON.stringify(found)
}

async function inspect(path: string): Promise<{ readonly content: string; readonly issues: number }> {
  try {
    const storage = await sqliteStorage(path)
    const content = await readEverything(storage).catch(String)
    const issues = await storage.verify().then(
      (all) => all.length,
      () => 1,
    )
    await storage.close()
    return { content, issues }
  } catch (error) {
    return { content: String(error), issues: 1 }
  }
}

/** Bits of the bytes that are in use, spread evenly: multiples of the golden ratio fill a range without repetition. */
function* chooseBits(count: number, bytes: Buffer): Generator<number> {
  const used = [...bytes.keys()].filter((offset) => bytes[offset] !== 0)
  for (let index = 1; index <= count; index++) {
    const offset = used[Math.floor(((index * 0.618_033_988_75) % 1) * used.length)] ?? 0
    yield offset * 8 + (index % 8)
  }
}

test('verify() reports every flipped bit of a SQLite file that changes what is read', async () => {
  const path = join(folder, 'a.db')
  const storage = await sqliteStorage(path)
  await fill(storage)
  await storage.close()
  const bytes = await readFile(path)
  const { content, issues } = await inspect(path)
  expect(issues).toBe(0)
  const missed: number[] = []
  let changed = 0
  for (const bit of chooseBits(FLIPS, bytes)) {
    const copy = Buffer.from(bytes)
    copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    const flipped = join(folder, `${bit}.db`)
    await writeFile(flipped, copy)
    const found = await inspect(flipped)
    for (const end of ['', '-wal', '-shm']) await rm(`${flipped}${end}`, { force: true })
    if (found.content === content) continue
    changed += 1
    if (found.issues === 0) missed.push(bit)
  }
  if (process.env['SOAK'])
    console.log(`${FLIPS} flips: ${changed} change what is read, ${missed.length} missed`)
  // Only bytes in use are flipped, and more than half of those are read. The others are in indexes and checksums, which
  // `verify()` checks although reading does not show them.
  expect(changed).toBeGreaterThan(FLIPS / 8)
  expect(missed).toEqual([])
})
