import fc from 'fast-check'
import { type ChatEvent, InterlinguaError, toEvents } from 'interlingua'
import { afterAll, describe, expect, test } from 'vitest'
import { anyRequest, anyResponse } from '../arbitraries.ts'
import { type Subject, subjects } from '../dialects/dialect-table.ts'
import { payloads } from '../dialects/stream-payloads.ts'
import { framed } from '../dialects/stream-responses.ts'
import { createRandom, mutateBytes, mutateJson, mutatePayloads, pick, type Random } from './mutate.ts'

/** One seed repeats a run: the message of a failure contains it. */
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_116)

/** The cases of all targets together. */
const TOTAL_CASES = process.env['SOAK'] ? 200_000 : 1_050

/** A case that takes longer counts as a hang in a soak; a busy machine may pause a short run. */
const MAX_CASE_MS = 2_000

interface Target {
  readonly title: string
  /** Runs one case. */
  readonly run: (random: Random) => unknown
}

/** Returns the targets of a dialect, one for each direction. Their seeds are handwritten, recorded and generated bodies. */
function listTargets({ name, dialect, fixtures, recordings, streams }: Subject): readonly Target[] {
  const bodiesOf = (direction: 'request' | 'response'): readonly unknown[] =>
    [...fixtures[direction], ...recordings[direction]].map(({ body }) => body)
  const [requestBodies, responseBodies] = [bodiesOf('request'), bodiesOf('response')]
  const sample = <T>(arbitrary: fc.Arbitrary<T>): readonly T[] =>
    fc.sample(arbitrary, { numRuns: 60, seed: SEED })
  const [requests, responses] = [sample(anyRequest), sample(anyResponse)]
  const recordedStreams = streams.slice(0, 60).flatMap(({ text }) => tryPayloads(text))
  const decoded = responseBodies
    .slice(0, 60)
    .flatMap((body) => tryDecode(() => dialect.decodeResponse(body).value))
  const eventLists = [...decoded, ...responses].map((response) => toEvents(response))
  const mutateOne = (random: Random, list: readonly unknown[]): unknown =>
    mutateJson(random, pick(random, list), pick(random, list))
  return [
    { title: 'decodeRequest', run: (random) => dialect.decodeRequest(mutateOne(random, requestBodies)) },
    { title: 'decodeResponse', run: (random) => dialect.decodeResponse(mutateOne(random, responseBodies)) },
    {
      title: 'decodeError',
      run: (random) =>
        dialect.decodeError(400, mutateOne(random, [...responseBodies, { error: { message: 'x' } }])),
    },
    {
      title: 'encodeRequest',
      run: (random) => dialect.encodeRequest(mutateOne(random, requests) as never, { model: 'm' }),
    },
    {
      title: 'encodeResponse',
      run: (random) => dialect.encodeResponse(mutateOne(random, responses) as never),
    },
    {
      title: 'decodeStream',
      run: (random) => {
        const list =
          recordedStreams.length > 0 && random() < 0.7 ? pick(random, recordedStreams) : responseBodies
        const mutant = mutatePayloads(random, list.slice(0, 40), pick(random, responseBodies))
        return readEvents(dialect.decodeStream(yieldAll(mutateBytes(random, frameAll(name, mutant)))))
      },
    },
    {
      title: 'encodeStream',
      run: (random) => {
        const events = mutatePayloads(random, pick(random, eventLists), pick(random, eventLists))
        return readEvents(dialect.encodeStream(events as ChatEvent[]))
      },
    },
    {
      // Events with frames of the same dialect, which were edited on their way.
      title: 'encodeStream of frames',
      run: async (random) => {
        const list = recordedStreams.length > 0 ? pick(random, recordedStreams) : responseBodies
        const events: ChatEvent[] = []
        const source = yieldAll([frameAll(name, list.slice(0, 30))])
        for await (const event of dialect.decodeStream(source)) if (event.type !== 'error') events.push(event)
        if (events.length === 0) return
        const mutant = mutatePayloads(random, events, pick(random, eventLists))
        await readEvents(dialect.encodeStream(mutant as ChatEvent[]))
      },
    },
  ]
}

async function* yieldAll<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items
}

/** Frames payloads; those that cannot be framed are left out. */
function frameAll(name: Subject['name'], list: readonly unknown[]): string {
  return list.flatMap((payload) => tryDecode(() => framed(name, [payload]))).join('')
}

function tryPayloads(text: string): readonly (readonly unknown[])[] {
  return tryDecode(() => payloads(text))
}

function tryDecode<T>(read: () => T): readonly T[] {
  try {
    return [read()]
  } catch {
    return []
  }
}

/** Reads a stream to its end; an error event counts as a thrown error. */
async function readEvents(stream: AsyncIterable<unknown>): Promise<void> {
  for await (const event of stream) {
    const { type, error } = Object(event) as { type?: unknown; error?: unknown }
    if (type === 'error') throw error
  }
}

/** Returns the problem of a thrown value: only errors of the library that it expected are allowed. */
function findProblem(error: unknown): string | undefined {
  if (!(error instanceof InterlinguaError))
    return error instanceof Error ? (error.stack ?? error.name) : typeof error
  if (error.code !== 'internal') return undefined
  return (error.cause as Error | undefined)?.stack ?? error.message
}

const targets = subjects.flatMap((subject) =>
  listTargets(subject).map((target) => ({ ...target, title: `${subject.name} ${target.title}` })),
)

describe('fuzzed dialects', () => {
  let peakBytes = 0
  let slowestMs = 0
  let cases = 0
  afterAll(() => {
    if (process.env['SOAK'])
      console.log(
        `fuzz: ${cases} cases, slowest ${Math.round(slowestMs)} ms, peak memory ${Math.round(peakBytes / 1e6)} MB`,
      )
  })

  test.each(targets)('$title throws only typed errors and ends', async ({ title, run }) => {
    const count = Math.ceil(TOTAL_CASES / targets.length)
    for (let index = 0; index < count; index++) {
      const seed = SEED + index
      const start = performance.now()
      try {
        await run(createRandom(seed))
      } catch (error) {
        const problem = findProblem(error)
        if (problem !== undefined) expect.fail(`${title}, FUZZ_SEED=${seed}: ${problem}`)
      }
      const elapsed = performance.now() - start
      if (process.env['SOAK'] && elapsed > MAX_CASE_MS)
        expect.fail(`${title}, FUZZ_SEED=${seed}: ${elapsed} ms`)
      slowestMs = Math.max(slowestMs, elapsed)
      if (index % 50 === 0) peakBytes = Math.max(peakBytes, process.memoryUsage().rss)
      cases += 1
    }
    expect('polluted' in {}).toBe(false)
  })
})
