import {
  assistant,
  type DialectName,
  dialects,
  InterlinguaError,
  type Json,
  type JsonObject,
  Messages,
  user,
} from 'interlingua'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { hasCorpus } from '../recorded-exchanges.ts'
import { type GrowthCase, listCases } from './cases.ts'
import { knownBodies } from './known-bodies.ts'
import { collectGarbage, findExcessiveGrowth, measureMs } from './measure-growth.ts'
import { operations } from './operations.ts'
import type { Operation } from './operation.ts'

/** One seed repeats a run: `GROWTH_SEED` selects other slots. */
const SEED = Number(process.env['GROWTH_SEED'] ?? 1)

/** The processor time for sampled slots; a soak measures as many as fit. */
const BUDGET_MS = Number(process.env['GROWTH_SECONDS'] ?? (process.env['SOAK'] ? 450 : 2.5)) * 1000
/** The measurements that are made also if they take longer. */
const MIN_MEASURED = 4

/** A short run lists the slots of so many inputs: listing all takes longer than measuring some. */
const MAX_INPUTS = process.env['SOAK'] ? Infinity : 60

/** Larger inputs would fill the memory of a small machine. */
const MAX_CHARS = 6_000_000

const isRefusal = (error: unknown): boolean => error instanceof InterlinguaError && error.code !== 'internal'

function readCpuMs(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

/** Calls work; a typed refusal is an answer too, and any other error fails the test. */
async function runTyped(work: () => unknown): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!isRefusal(error)) throw (error as Error).cause ?? error
  }
}

/** Returns the growth of one function for one slot if it is more than linear. */
async function findSlowSlot(
  { build, dialect }: Pick<GrowthCase, 'build' | 'dialect'>,
  { prepare, title }: Operation,
): Promise<string | undefined> {
  const growth = await findExcessiveGrowth(async (size) => {
    const input = build(size)
    if (countChars(input) > MAX_CHARS) return undefined
    try {
      const work = await prepare(input, dialect)
      return { run: () => runTyped(work), runReference: () => countChars(copy(input)) }
    } catch (error) {
      if (!isRefusal(error)) throw error
      return undefined
    }
  })
  return growth === undefined ? undefined : `${title}: ${growth}`
}

const copy = (value: Json): Json => JSON.parse(JSON.stringify(value)) as Json
const countChars = (value: Json): number => JSON.stringify(value).length

/** The functions that read a body, with which most others begin. */
const FIRST_FUNCTIONS =
  /^(?:decode(?:Request|Response)|encode(?:Request|Response)|translate\w+ 1|detect|repair)$/

const known = Object.entries(knownBodies).flatMap(([dialect, bodies]) =>
  bodies.map((body) => ({ ...body, dialect: dialect as DialectName })),
)

test('[bounded work] quadratic work is found, and linear work is not', async () => {
  const sumRoots = (stepCount: number): number => {
    let sum = 0
    for (let step = 0; step < stepCount; step++) sum += Math.sqrt(step)
    return sum
  }
  // Compiled before: otherwise the smallest size would be as slow as a larger one.
  for (let round = 0; round < 20; round++) sumRoots(1_000_000)
  const measureLoop = (countSteps: (size: number) => number): Promise<string | undefined> =>
    findExcessiveGrowth(async (size) => ({
      run: () => sumRoots(countSteps(size)),
      runReference: () => copy(Array.from({ length: size }, (_, at) => at)),
    }))
  expect(await measureLoop((size) => size * size)).toMatch(/^exponent [12]\.\d\d/)
  expect(await measureLoop((size) => size * Math.sqrt(size) * 30)).toMatch(/^exponent 1\.\d\d/)
  expect(await measureLoop((size) => size * 2000)).toBeUndefined()
})

test('[bounded work] linear work that fills the caches and the heap is not found, but more is', async () => {
  /** Creates a table of objects with new keys, which stay in use to the end. */
  const fillTable = (size: number): number => {
    const table = new Map<string, object>()
    for (let at = 0; at < size; at++) table.set(`key${at}`, { at, list: [at, at] })
    return table.size
  }
  const measureTables = (countTables: (size: number) => number): Promise<string | undefined> =>
    findExcessiveGrowth(async (size) => ({
      run: () => {
        for (let at = 0; at < countTables(size); at++) fillTable(size)
      },
      runReference: () => copy(Array.from({ length: size }, (_, at) => at)),
    }))
  expect(await measureTables(() => 2)).toBeUndefined()
  expect(await measureTables((size) => Math.sqrt(size) / 10)).toMatch(/^exponent 1\.\d\d/)
})

test('[bounded work] growth that is steep from the first size on is found', async () => {
  let now = 0
  const clock = vi
    .spyOn(process, 'cpuUsage')
    .mockImplementation((since) => ({ user: now - (since?.user ?? 0), system: 0 }))
  const measureCost = (countMicroseconds: (size: number) => number): Promise<string | undefined> =>
    findExcessiveGrowth(async (size) => ({
      run: () => void (now += countMicroseconds(size)),
      runReference: () => void (now += size),
    }))
  try {
    expect(await measureCost((size) => size * size * 0.4)).toMatch(/^exponent 2\.00/)
    expect(await measureCost((size) => size * Math.sqrt(size) * 13)).toMatch(/^exponent 1\.50/)
    expect(await measureCost((size) => size * 400)).toBeUndefined()
  } finally {
    clock.mockRestore()
  }
})

describe('[bounded work] bodies whose time was quadratic once', () => {
  test.each(known)('$dialect: $name', async ({ dialect, direction, build }) => {
    // The first one that is slow ends the test: measuring the others could take minutes.
    for (const operation of operations[direction].filter(({ title }) => FIRST_FUNCTIONS.test(title)))
      expect(await findSlowSlot({ dialect, build }, operation)).toBeUndefined()
  })
})

test('[bounded work] calls of hosted tools in a UI, whose time was quadratic once', async () => {
  const item = { type: 'image_generation_call', status: 'completed', result: 'aGk=' }
  const build = (size: number): Json => ({
    id: 'r',
    object: 'response',
    status: 'completed',
    output: Array.from({ length: size }, (_, at) => ({ ...item, id: `ig_${at}` })),
  })
  for (const operation of operations.response.filter(({ title }) =>
    /^to(?:UIMessageStream|AgUi)$/.test(title),
  ))
    expect(await findSlowSlot({ dialect: 'openai-responses', build }, operation)).toBeUndefined()
})

/** A conversation with tools, in which every kind of message is repeated. */
const longConversation = (size: number): Json => ({
  model: 'm',
  messages: Array.from({ length: Math.ceil(size / 4) }, (_, turn) => [
    { role: 'user', content: `Question ${turn}` },
    {
      role: 'assistant',
      tool_calls: [
        { id: `call_${turn}`, type: 'function', function: { name: 'look', arguments: '{"a":1}' } },
      ],
    },
    { role: 'tool', tool_call_id: `call_${turn}`, content: `Result ${turn}` },
    { role: 'assistant', content: `Answer ${turn}` },
  ]).flat(),
})

describe.runIf(process.env['SOAK'])('[bounded work] a long conversation', () => {
  test.each(operations.request)('$title', async (operation) => {
    const found = await findSlowSlot({ dialect: 'openai-chat', build: longConversation }, operation)
    expect(found).toBeUndefined()
  })
})

describe('[bounded work] a turn that grows message by message, whose time was quadratic once', () => {
  // A test of the text counts the written characters for all dialects.
  const names: DialectName[] = process.env['SOAK'] ? (Object.keys(dialects) as DialectName[]) : ['anthropic']
  test.each(names)('%s', async (name) => {
    const found = await findExcessiveGrowth(async (size) => ({
      run: () => {
        let messages = Messages.of()
        for (let at = 0; at < size; at++) {
          messages = messages.append(at < size / 2 ? user(`Text ${at}`) : assistant(`Text ${at}`))
          dialects[name].encodeRequestText({ model: 'm', maxOutputTokens: 9, messages })
        }
      },
      runReference: () => countChars(copy(Array.from({ length: size }, (_, at) => `Text ${at}`))),
    }))
    expect(found).toBeUndefined()
  })
})

/** A tuple with a schema for each item. */
const longTuple = (size: number): Json => ({
  schema: { prefixItems: Array.from({ length: size }, (_, at) => ({ enum: [1, `x${at}`] })) },
  value: Array.from({ length: size }, () => null),
})

describe('[bounded work] a schema for each item of a list, whose time was quadratic once', () => {
  test.each(operations.schema)('$title', async (operation) => {
    expect(await findSlowSlot({ dialect: 'openai-chat', build: longTuple }, operation)).toBeUndefined()
  })
})

/** The parts of a schema that are long lists of names, which no schema contains. */
const longNameLists: readonly JsonObject[] = [
  { required: Array.from({ length: 64_000 }, () => 'city') },
  { dependentRequired: { city: Array.from({ length: 64_000 }, () => 'city') } },
]

describe('[bounded work] a long list of names in a schema, whose indexes were listed as keys once', () => {
  test.each(operations.schema)('$title takes no longer than three copies of it', async ({ prepare }) => {
    for (const part of longNameLists) {
      const input = { schema: { type: 'object', properties: { city: {} }, ...part }, value: { city: null } }
      const work = await prepare(input, 'openai-chat')
      let [ms, copyMs] = [Infinity, Infinity]
      for (let round = 0; round < 9; round++) {
        ms = Math.min(ms, await measureMs(work))
        copyMs = Math.min(copyMs, await measureMs(() => countChars(copy(input))))
      }
      expect(ms / copyMs).toBeLessThan(3)
    }
  })
})

describe.runIf(process.env['SOAK'])('[bounded work] inflated slots of a schema', () => {
  const cases = listCases(SEED, Infinity).filter(({ kind }) => kind === 'schema')
  test.each(operations.schema)('$title', async (operation) => {
    const slow: string[] = []
    const start = process.cpuUsage()
    for (const each of cases) {
      if (readCpuMs(start) > BUDGET_MS / 15) break
      const found = await findSlowSlot(each, operation)
      if (found !== undefined) slow.push(`${each.title}: ${found}`)
    }
    expect(slow).toEqual([])
  })
})

describe('[bounded work] inflated slots', () => {
  let measured = 0
  let bytesPerChar = { ratio: 0, title: '' }
  afterAll(() => {
    if (process.env['SOAK'])
      console.log(
        `growth: ${measured} measurements${hasCorpus ? '' : ' without recordings'}, at most ${bytesPerChar.ratio.toFixed(0)} bytes of memory for a character (${bytesPerChar.title})`,
      )
  })

  test('the work of every function is linear in its input', async () => {
    const slow: string[] = []
    const cases = listCases(SEED, MAX_INPUTS)
    const start = process.cpuUsage()
    for (const each of cases) {
      if (measured >= MIN_MEASURED && readCpuMs(start) > BUDGET_MS) break
      const list = operations[each.kind]
      const operation = list[measured++ % list.length] as Operation
      const found = await findSlowSlot(each, operation)
      if (found !== undefined) slow.push(`${each.title}: ${found}`)
    }
    expect(slow).toEqual([])
    expect(measured).toBeGreaterThanOrEqual(MIN_MEASURED)
  })

  test('what is decoded takes a bounded multiple of its input', async () => {
    const cases = listCases(SEED + 1, MAX_INPUTS)
    const start = process.cpuUsage()
    for (const each of cases) {
      if (readCpuMs(start) > BUDGET_MS / 4) break
      const [decode] = operations[each.kind]
      if (each.kind === 'stream' || each.kind === 'schema' || decode === undefined) continue
      const ratio = await measureMemory(each.build(4000), each.dialect, decode)
      if (ratio > bytesPerChar.ratio) bytesPerChar = { ratio, title: each.title }
    }
    expect(bytesPerChar.ratio, bytesPerChar.title).toBeLessThan(MAX_BYTES_PER_CHAR)
  })
})

/** The documented multiple: an empty object of a list becomes a part with an id and its residue. */
const MAX_BYTES_PER_CHAR = 1_000

/** Returns the bytes that the result of a function occupies, for each character of its input. */
async function measureMemory(input: Json, dialect: DialectName, { prepare }: Operation): Promise<number> {
  const work = await prepare(input, dialect)
  collectGarbage()
  const before = process.memoryUsage().heapUsed
  const results: unknown[] = []
  await runTyped(async () => results.push(await work()))
  collectGarbage()
  const bytes = results.length === 0 ? 0 : process.memoryUsage().heapUsed - before
  return bytes / Math.max(countChars(input), 10_000)
}
