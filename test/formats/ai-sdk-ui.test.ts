import fc from 'fast-check'
import type { ChatEvent, Loss } from 'interlingua'
import { toUIMessageStream } from 'interlingua/formats/ai-sdk-ui'
import { describe, expect, test } from 'vitest'
import { RUNS } from '../arbitraries.ts'
import { hasCorpus } from '../recorded-exchanges.ts'
import { again, expectSame } from '../law-assertions.ts'
import { expectedOf, type Seen, seenIn } from './expected-ui.ts'
import {
  anyRun,
  collect,
  eventsOf,
  recordedEvents,
  streamedAnswers,
  streams,
  streamsFor,
} from './arbitrary-runs.ts'
import { show } from './sdk-reader.ts'

describe.skipIf(!hasCorpus)('recorded streams, as the SDK reads them', () => {
  test('exist', () => expect(streams.length).toBeGreaterThan(200))

  test.each(streamsFor('ai-sdk-ui'))(
    '$dialect $id shows the complete response',
    async ({ dialect, stream }) => {
      const events = await recordedEvents(dialect, stream)
      const losses: Loss[] = []
      const { message, errors } = await show(events, { onLoss: (loss) => void losses.push(loss) })
      const answers = await streamedAnswers(events, losses)
      const seen = seenIn(message)
      const expected = expectedOf(answers.map((answer) => ({ message: answer })))
      // Some providers send citations at the end of the response: sources follow when they arrive.
      for (const cited of [true, false]) {
        const kind = (part: Seen): boolean => String(part['type']).startsWith('source-') === cited
        expectSame(again(seen.filter(kind)), again(expected.filter(kind)))
      }
      const failed = events.some(({ type }) => type === 'error')
      expect(errors.length > 0).toBe(failed)
    },
  )
})

describe('any run', () => {
  test('shows all responses, step by step', async () => {
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

  test('yields the same chunks each time', async () => {
    await fc.assert(
      fc.asyncProperty(anyRun, async (turns) => {
        const once = await collect(toUIMessageStream(eventsOf(turns)))
        expectSame(await collect(toUIMessageStream(eventsOf(turns))), once)
      }),
      { numRuns: RUNS },
    )
  })

  test('may be cut anywhere: the SDK still reads it', async () => {
    await fc.assert(
      fc.asyncProperty(anyRun, fc.nat(60), async (turns, length) => {
        const events = eventsOf(turns).slice(0, length) as ChatEvent[]
        const { errors } = await show(events)
        expectSame(errors, [])
      }),
      { numRuns: 2 * RUNS },
    )
  })
})
