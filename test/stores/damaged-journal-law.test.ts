import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assistant, InterlinguaError } from 'interlingua'
import {
  type ConversationStorage,
  createStorage,
  type IntegrityIssue,
  memoryStorage,
  type MessageRow,
} from 'interlingua/stores'
import { jsonlStorage } from 'interlingua/stores/jsonl'
import { beforeAll, describe, expect, test } from 'vitest'
import { splitLine } from '../../src/stores/jsonl/journal-line.ts'
import { readJournal } from '../../src/stores/jsonl/read-journal.ts'
import { InMemoryRowStore } from '../../src/stores/in-memory/memory-storage.ts'
import { InMemoryTables } from '../../src/stores/in-memory/in-memory-tables.ts'

/** Distances between damaged bits, cuts and pairs of lines. Primes, so that every bit of a byte and every field is hit. */
const [BIT_STRIDE, CUT_STRIDE, PAIR_STRIDE] = process.env['SOAK'] ? [1, 1, 1] : [599, 601, 29]

/** A small journal with branches, a fork, labels, changed and removed messages and a removed session. */
async function writeSample(isRewritten: boolean): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'interlingua-law-'))
  const storage = await jsonlStorage(join(folder, 'a.jsonl'))
  await storage.createSession({ id: 's', parameters: { interlingua: '{ "interlingua-journal": "' } })
  await storage.append('s', ['One', 'Two'])
  const { head } = await storage.append('s', assistant('Three', { id: 'm3' }))
  await storage.fork('s', { id: 'fork' })
  await storage.append('fork', 'Own ü')
  await storage.replace('s', head ?? '', assistant('Changed'))
  await storage.append('s', 'Four')
  await storage.remove('s', 'm3')
  await storage.append('s', 'Five')
  await storage.setHead('s', null)
  await storage.append('s', 'Another start')
  await storage.label('s', (await storage.head('s')) ?? '', 'good')
  await storage.createSession({ id: 'gone' })
  await storage.deleteSession('gone')
  if (isRewritten) await storage.rewrite()
  await storage.close()
  const bytes = await readFile(join(folder, 'a.jsonl'))
  await rm(folder, { recursive: true })
  return bytes
}

interface JournalState {
  /** All lines of the exports of all sessions. */
  readonly exported: string
  readonly issues: readonly IntegrityIssue[]
  readonly tables: InMemoryTables
}

/** Reads a journal completely: every session is exported, and every export is imported again. */
async function readState(bytes: Buffer): Promise<JournalState> {
  const tables = new InMemoryTables()
  const { issues } = await readJournal([bytes], tables)
  const storage = createStorage(new InMemoryRowStore(tables))
  const exported: string[] = []
  for (const { id } of (await storage.sessions()).sessions) {
    const lines = await exportLines(storage, id)
    await memoryStorage().importSession(lines)
    await storage.messages(id)
    exported.push(...lines)
  }
  return { tables, exported: exported.join('\n'), issues: [...issues, ...(await storage.verify())] }
}

async function exportLines(storage: ConversationStorage, id: string): Promise<readonly string[]> {
  const lines: string[] = []
  for await (const line of storage.exportSession(id)) lines.push(line)
  return lines
}

const splitLines = (bytes: Buffer): Buffer[] => {
  const lines = bytes.toString('latin1').split('\n').slice(0, -1)
  return lines.map((line) => Buffer.from(line, 'latin1'))
}

const joinLines = (lines: readonly Buffer[]): Buffer =>
  Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')]))

/** The messages that a line writes. */
function readMessageRows(line: Buffer): readonly MessageRow[] {
  return [...splitLine(line)].flatMap((part) =>
    'entry' in part
      ? part.entry.changes.flatMap(([kind, , row]) => (kind === 'message' && row !== null ? [row] : []))
      : [],
  )
}

describe.each([
  ['a journal', false],
  ['a rewritten journal', true],
])('%s', (_name, isRewritten) => {
  let bytes: Buffer
  let original: JournalState
  beforeAll(async () => {
    bytes = await writeSample(isRewritten)
    original = await readState(bytes)
    expect(original.issues).toEqual([])
  })

  /** Checks one damaged file; `mayBeUnnoticed` if nothing shows that there was more. */
  async function checkDamaged(damaged: Buffer, what: string, mayBeUnnoticed = false): Promise<void> {
    const state = await readState(damaged)
    for (const line of splitLines(bytes)) {
      if (!damaged.includes(line)) continue
      const kept = readMessageRows(line).filter(({ key }) => original.tables.message.has(key))
      const lost = kept.filter(({ id }) => !state.exported.includes(id))
      expect(lost, what).toEqual([])
    }
    if (state.exported !== original.exported && !mayBeUnnoticed) expect(state.issues, what).not.toEqual([])
  }

  test('with a flipped bit keeps every intact line, and reports what changed', async () => {
    const checked = new Set<string>()
    for (let bit = 0; bit < bytes.length * 8; bit += BIT_STRIDE) {
      const damaged = Buffer.from(bytes)
      const index = Math.floor(bit / 8)
      damaged[index] = (damaged[index] ?? 0) ^ (1 << (bit % 8))
      // Most bits of a line have the same effect, which is checked once.
      const tables = new InMemoryTables()
      const { issues, entryCount } = await readJournal([damaged], tables)
      const effect = JSON.stringify([issues, entryCount, tables.message.size])
      if (!checked.has(effect)) await checkDamaged(damaged, `bit ${bit}`)
      checked.add(effect)
    }
  })

  test('with a damaged line end keeps the lines on both sides', async () => {
    for (let end = bytes.indexOf('\n'); end !== -1; end = bytes.indexOf('\n', end + 1)) {
      for (let bit = 0; bit < 8; bit += process.env['SOAK'] ? 1 : 5) {
        const damaged = Buffer.from(bytes)
        damaged[end] = 0x0a ^ (1 << bit)
        expect((await readState(damaged)).exported).toBe(original.exported)
      }
    }
  })

  test('that is cut off keeps every complete line', async () => {
    for (let length = 0; length < bytes.length; length += CUT_STRIDE)
      await checkDamaged(bytes.subarray(0, length), `length ${length}`, true)
  })

  test('whose lines are missing, repeated or swapped is read in the order of its entries', async () => {
    const lines = splitLines(bytes)
    for (const [index, line] of lines.entries()) {
      await checkDamaged(joinLines(lines.toSpliced(index, 1)), `without line ${index + 1}`)
      for (const [other, second] of lines.entries()) {
        if ((index * lines.length + other) % PAIR_STRIDE !== 0) continue
        const repeated = await readState(joinLines(lines.toSpliced(other, 0, line)))
        expect(repeated.exported).toBe(original.exported)
        expect(repeated.issues.map(({ reason }) => reason).join()).toMatch(/Line \d+: repeats entry \d+/)
        if (other <= index) continue
        const swapped = await readState(joinLines(lines.with(index, second).with(other, line)))
        expect(swapped.exported).toBe(original.exported)
        expect(swapped.issues.map(({ reason }) => reason).join()).toMatch(
          /^Line \d+: entry \d+ is out of order/,
        )
      }
    }
  })

  test('in any combination of bytes is read, or refused with a typed error', async () => {
    for (let start = 0; start < bytes.length; start += CUT_STRIDE * 7) {
      const damaged = Buffer.concat([bytes.subarray(start), bytes.subarray(0, start)])
      await readState(damaged).catch((error: unknown) => expect(error).toBeInstanceOf(InterlinguaError))
    }
  })
})
