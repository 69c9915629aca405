import type { ChatEvent } from '../../canonical/model/event.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import { awaitDialect, type ConformanceCheck } from './conformance-check.ts'
import { ConformanceError, createDescription } from './conformance-error.ts'
import type { CheckedBodyKind } from './law-table.ts'
import { collectAll, encodeToText } from './stream-text.ts'
import { FIXED_IDENTITY, type Subject } from './conformance-subject.ts'

/** The larger input is this many times as large as the smaller one, which is processed as many times. */
const FACTOR = 8

/** The largest ratio of the two times: it is 1 for linear work, and the factor for quadratic work. */
const MAX_RATIO = 2.5

/** The size of the smaller input: so that in the larger one a search in the list for each item takes longer than the rest. */
const SIZE = 1_000

/** A busy machine disturbs some measurements; work that is too much is found in each of them. */
const ATTEMPTS = 3

/** The shortest of several rounds counts. */
const ROUNDS = 2

/** Prepares work on an input of a size, so that only the work is measured. */
type PrepareWork = (size: number) => Promise<() => unknown>

/** Lists the checks that the work grows in proportion to the input. */
export function listGrowthChecks({ dialect }: Subject): readonly ConformanceCheck[] {
  const works: { readonly [title: string]: readonly [kind: CheckedBodyKind, prepare: PrepareWork] } = {
    'encoding a request with many messages': [
      'request',
      async (size) => {
        const request = createRequest(size)
        return () => dialect.encodeRequest(request)
      },
    ],
    'decoding a request with many messages': [
      'request',
      async (size) => {
        const body = dialect.encodeRequest(createRequest(size)).value
        return () => dialect.decodeRequest(body)
      },
    ],
    'encoding a stream with many deltas': [
      'stream',
      async (size) => {
        const events = createEvents(size)
        return () => encodeToText(dialect, events, FIXED_IDENTITY)
      },
    ],
    'decoding a stream with many deltas': [
      'stream',
      async (size) => {
        const { text } = await encodeToText(dialect, createEvents(size), FIXED_IDENTITY)
        const pieces = text.match(/[^]{1,2000}/g) ?? []
        return () =>
          collectAll(
            dialect.decodeStream(
              (async function* (): AsyncGenerator<string> {
                yield* pieces
              })(),
            ),
          )
      },
    ],
  }
  return Object.entries(works).map(([title, [kind, prepare]]) => ({
    law: 'linear-work',
    title: `the work of ${title} is proportional to their number`,
    run: () => checkGrowth(title, kind, prepare),
  }))
}

/** Creates a conversation with tool calls: pairing calls with results is a common cause of quadratic work. */
function createRequest(size: number): ChatRequest {
  const messages: Message[] = []
  for (let index = 0; messages.length < size; index++) {
    const id = `call_${index}`
    messages.push(
      { id: `user_${index}`, role: 'user', content: [{ type: 'text', text: `Question ${index}` }] },
      {
        id: `assistant_${index}`,
        role: 'assistant',
        content: [{ type: 'tool-call', id, name: 'weather', arguments: { city: `City ${index}` } }],
      },
      {
        id: `tool_${index}`,
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            callId: id,
            name: 'weather',
            content: [{ type: 'text', text: `Snow ${index}` }],
          },
        ],
      },
    )
  }
  return { model: 'test-model', maxOutputTokens: 99, messages }
}

function createEvents(size: number): readonly ChatEvent[] {
  const deltas = Array.from({ length: size }, (_each, index): ChatEvent => ({
    type: 'text-delta',
    index: 0,
    text: `word ${index} `,
  }))
  return [
    { type: 'start', id: 'response_1', model: 'test-model' },
    { type: 'part-start', index: 0, part: { type: 'text', text: '' } },
    ...deltas,
    { type: 'part-end', index: 0 },
    { type: 'finish', finish: { reason: 'stop' } },
  ]
}

async function checkGrowth(title: string, kind: CheckedBodyKind, prepare: PrepareWork): Promise<void> {
  const context = { law: 'linear-work', kind, subject: title } as const
  const [small, large] = await awaitDialect(context, 'preparing the input', async () => [
    await prepare(SIZE),
    await prepare(SIZE * FACTOR),
  ])
  if (small === undefined || large === undefined) return
  // Code that was not compiled yet would make the smaller input slow, and hide the growth.
  await measure(small, FACTOR)
  let ratio = Infinity
  for (let attempt = 0; attempt < ATTEMPTS && ratio > MAX_RATIO; attempt++)
    ratio = await compareTimes(small, large)
  if (ratio > MAX_RATIO)
    throw new ConformanceError({
      ...context,
      problem: 'the work grows faster than the input',
      found: createDescription(`${(ratio * FACTOR).toFixed(1)} times the work for ${FACTOR} times the input`),
      expected: createDescription(`about ${FACTOR} times the work`),
    })
}

/** Compares the time of the larger input with that of as much smaller input: both take long enough to be disturbed alike. */
async function compareTimes(small: () => unknown, large: () => unknown): Promise<number> {
  let [smallMs, largeMs] = [Infinity, Infinity]
  for (let round = 0; round < ROUNDS; round++) {
    smallMs = Math.min(smallMs, await measure(small, FACTOR))
    largeMs = Math.min(largeMs, await measure(large, 1))
  }
  return largeMs / Math.max(smallMs, Number.EPSILON)
}

/** Returns the time of some repetitions in milliseconds. */
async function measure(work: () => unknown, repetitions: number): Promise<number> {
  const start = performance.now()
  for (let repetition = 0; repetition < repetitions; repetition++) await work()
  return performance.now() - start
}
