import fc from 'fast-check'
import { accumulate, type ChatEvent } from 'interlingua'
import { toUIMessageStream } from 'interlingua/formats/ai-sdk-ui'
import { describe, expect, test } from 'vitest'
import { RUNS } from '../arbitraries.ts'
import { hasCorpus } from '../corpus.ts'
import { again, expectSame } from '../laws.ts'
import { expectedOf, seenIn } from './expected-ui.ts'
import { anyRun, answersOf, collect, eventsOf, recordedEvents, streams } from './runs.ts'
import { show } from './sdk-reader.ts'

describe.skipIf(!hasCorpus)('recorded streams, as the SDK reads them', () => {
  test('there are some', () => expect(streams.length).toBeGreaterThan(200))

  test.each(streams)('$dialect $id shows what was answered', async ({ dialect, stream }) => {
    const events = await recordedEvents(dialect, stream)
    const responses = await Promise.all(answersOf(events).map((answer) => accumulate(answer)))
    const { message, errors } = await show(events)
    expectSame(
      again(seenIn(message)),
      again(expectedOf(responses.map(({ candidates: [first] }) => (first ? { message: first } : {})))),
    )
    const failed = events.some(({ type }) => type === 'error')
    expect(errors.length > 0).toBe(failed)
  })
})

describe('any run', () => {
  test('shows what was answered, step by step', async () => {
    await fc.assert(
      fc.asyncProperty(anyRun, async (turns) => {
        const { message, errors } = await show(eventsOf(turns))
        expectSame(errors, [])
        const expected = expectedOf(
          turns.map(({ response, results }) => ({
            ...(response.candidates[0] && { message: response.candidates[0] }),
            ...(results && { results }),
          })),
        )
        expectSame(again(seenIn(message)), again(expected))
      }),
      { numRuns: RUNS },
    )
  }, 600_000)

  test('gives the same chunks each time', async () => {
    await fc.assert(
      fc.asyncProperty(anyRun, async (turns) => {
        const once = await collect(toUIMessageStream(eventsOf(turns)))
        expectSame(await collect(toUIMessageStream(eventsOf(turns))), once)
      }),
      { numRuns: 100 },
    )
  })

  test('may be cut anywhere: the SDK still reads it', async () => {
    await fc.assert(
      fc.asyncProperty(anyRun, fc.nat(60), async (turns, length) => {
        const events = eventsOf(turns).slice(0, length) as ChatEvent[]
        const { errors } = await show(events)
        expectSame(errors, [])
      }),
      { numRuns: 300 },
    )
  })
})
