import fc from 'fast-check'
import { type ChatEvent, type ChatResponse, dialects, toEvents, type JsonObject } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { anyResponse, RUNS } from '../arbitraries.ts'
import {
  answerOf,
  collect,
  identity,
  source,
  type StreamName,
  encodeStreamText,
  publishedAnswerOptions,
} from './stream-responses.ts'
import { payloads } from './stream-payloads.ts'
import { faultsOf, type Subject, subjects } from './dialect-table.ts'
import { shareOf, shareOfFixtures } from './pair-shares.ts'
import { bare } from './json-leaves.ts'

/** Returns the errors that the provider's own client would report. */
function findErrors(name: StreamName, text: string): readonly string[] {
  const subject = subjects.find((each) => each.name === name)
  return payloads(text).flatMap((wire) =>
    subject === undefined
      ? [`no dialect is named ${name}`]
      : faultsOf(subject, 'event', wire as JsonObject).map(
          (complaint) => `${complaint} in ${JSON.stringify(wire).slice(0, 200)}`,
        ),
  )
}

/** Returns violations of the order of events: one message, one open block at a time, positions without gaps. */
function findOrderErrors(wires: readonly JsonObject[]): readonly string[] {
  const found: string[] = []
  let open: unknown
  let next = 0
  wires.forEach(({ type, index }, at) => {
    if ((type === 'message_start') !== (at === 0)) found.push(`${String(at)}: ${JSON.stringify(type)}`)
    if (type === 'content_block_start') {
      if (open !== undefined || index !== next++) found.push(`block ${JSON.stringify(index)} opens`)
      open = index
    } else if (index !== undefined && index !== open) found.push(`block ${JSON.stringify(index)} is not open`)
    if (type === 'content_block_stop') open = undefined
  })
  const end = wires.slice(-2).map(({ type }) => (typeof type === 'string' ? type : ''))
  if (open !== undefined || end.join(' ') !== 'message_delta message_stop')
    found.push(`ends with ${end.join(' ')}`)
  return found
}

function finished(response: ChatResponse): ChatResponse {
  const candidates = response.candidates.map((message) => ({
    finish: { reason: 'stop' } as const,
    ...message,
  }))
  return { ...response, candidates }
}

test('alternating parts become successive blocks', async () => {
  const start = (index: number): ChatEvent => {
    return {
      type: 'part-start',
      index,
      part: { type: 'tool-call', id: `c${index}`, name: 'f', arguments: {} },
    }
  }
  const piece = (index: number, json: string): ChatEvent => ({ type: 'arguments-delta', index, json })
  const end = (index: number): ChatEvent => ({ type: 'part-end', index })
  const first = [start(0), start(1), piece(1, '{"b"'), piece(0, '{"a":1}'), start(2), piece(1, ':2}'), end(1)]
  const then = [piece(2, '{"c":3'), end(0), piece(2, '}')]
  const events: ChatEvent[] = [
    ...first,
    ...then,
    { type: 'text-delta', index: 3, text: 'Hi' },
    { type: 'finish', finish: { reason: 'tool-calls' } },
  ]
  const { text } = await encodeStreamText('anthropic', events)
  expect(findErrors('anthropic', text)).toEqual([])
  expect(findOrderErrors(payloads(text) as JsonObject[])).toEqual([])
  const { candidates } = await answerOf(dialects.anthropic.decodeStream(source(text)))
  expect(candidates[0]?.content).toMatchObject([
    { arguments: { a: 1 } },
    { arguments: { b: 2 } },
    { arguments: { c: 3 } },
    { text: 'Hi' },
  ])
})

interface Decoded {
  readonly id: string
  readonly events: readonly ChatEvent[]
}

const decoded = new Map<string, readonly Decoded[]>()

/**
 * Returns the recorded streams of a dialect that contain one complete response, decoded once for all targets.
 */
async function loadCompleteStreams({ name, dialect, streams }: Subject): Promise<readonly Decoded[]> {
  const known = decoded.get(name)
  if (known !== undefined) return known
  const all = await Promise.all(
    streams.map(async ({ name: id, text }) => ({
      id,
      events: await collect(dialect.decodeStream(source(text))),
    })),
  )
  const complete = all.filter(
    ({ events }) =>
      events.every(({ type }) => type !== 'error') &&
      events.filter(({ type }) => type === 'start').length === 1,
  )
  decoded.set(name, complete)
  return complete
}

describe.each(subjects)('what is streamed to $name is valid', (to) => {
  const { name } = to
  const options = publishedAnswerOptions(name)

  async function expectValid(text: string): Promise<void> {
    expect(findErrors(name, text)).toEqual([])
    if (name === 'anthropic') expect(findOrderErrors(payloads(text) as JsonObject[])).toEqual([])
  }

  const foreign = subjects.filter((subject) => subject !== to)
  const bodies = foreign.flatMap((subject) =>
    shareOfFixtures({ from: subject, to }, subject.fixtures.response).map(({ name: title, body }) => ({
      title: `${subject.name} ${title}`,
      response: subject.dialect.decodeResponse(body, identity).value,
    })),
  )

  test.each(bodies)('from $title', async ({ response }) => {
    if (response.candidates.length === 0) return
    await expectValid(
      (await encodeStreamText(name, toEvents(finished(response)), { foreignReasoning: 'text' })).text,
    )
  })

  test('from generated responses', async () => {
    const some = anyResponse.filter(({ candidates }) => candidates.length > 0)
    const property = fc.asyncProperty(some, async (response) => {
      await expectValid((await encodeStreamText(name, toEvents(bare(finished(response))), options)).text)
    })
    await fc.assert(property, { numRuns: RUNS })
  })

  test('from recorded streams', async () => {
    for (const subject of foreign) {
      for (const { id, events } of shareOf({ from: subject, to }, await loadCompleteStreams(subject))) {
        const { text } = await encodeStreamText(name, events, options)
        expect(findErrors(name, text).map((each) => `${id} ${each}`)).toEqual([])
        if (name === 'anthropic')
          expect([id, ...findOrderErrors(payloads(text) as JsonObject[])]).toEqual([id])
      }
    }
  })
})
