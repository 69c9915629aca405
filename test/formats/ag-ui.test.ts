import fc from 'fast-check'
import type { AssistantMessage, Loss, Part, RunEvent } from 'interlingua'
import { stringifyArguments } from 'interlingua/parse'
import { type LossHandler, toAgUi } from 'interlingua/formats/ag-ui'
import { describe, expect, test } from 'vitest'
import { RUNS } from '../arbitraries.ts'
import { hasCorpus } from '../recorded-exchanges.ts'
import { again, expectSame } from '../law-assertions.ts'
import { Client } from './ag-ui-client.ts'
import {
  answersOf,
  anyRun,
  collect,
  eventsOf,
  recordedEvents,
  streamedAnswers,
  streamsFor,
} from './arbitrary-runs.ts'

const run = { threadId: 'thread', runId: 'run' }

async function client(events: Iterable<RunEvent>, onLoss: LossHandler = 'allow'): Promise<Client> {
  const reader = new Client()
  for (const event of await collect(toAgUi(events, { ...run, onLoss })))
    reader.apply(again(event) as typeof event)
  return reader
}

/** The texts, reasoning, tool calls and results, each in its order. */
function heard(reader: Client): unknown {
  const of = (role: string): unknown[] =>
    reader.messages
      .filter((message) => message.role === role && message.content !== undefined)
      .map(({ content }) => content)
  return {
    text: of('assistant'),
    reasoning: of('reasoning'),
    calls: reader.calls.map(({ name, arguments: args }) => [name, args]),
    results: reader.messages.filter(({ role }) => role === 'tool').length,
    custom: reader.custom.length,
  }
}

function expected(messages: readonly (AssistantMessage | undefined)[], results: number, late = 0): unknown {
  const parts = messages.flatMap((message): readonly Part[] => message?.content ?? [])
  const texts = (...types: readonly string[]): unknown[] =>
    parts.flatMap((part) => (types.includes(part.type) && 'text' in part ? [part.text] : []))
  return {
    text: texts('text', 'refusal'),
    reasoning: texts('reasoning'),
    calls: parts.flatMap((part) =>
      part.type === 'tool-call' ? [[part.name, stringifyArguments(part)]] : [],
    ),
    results: results + parts.filter(({ type }) => type === 'tool-result').length,
    custom:
      late + parts.filter(({ type }) => ['image', 'audio', 'video', 'file', 'opaque'].includes(type)).length,
  }
}

describe.skipIf(!hasCorpus)('recorded streams, as a client of AG-UI reads them', () => {
  test.each(streamsFor('ag-ui'))(
    '$dialect $id contains the complete response',
    async ({ dialect, stream }) => {
      const events = await recordedEvents(dialect, stream)
      const losses: Loss[] = []
      const reader = await client(events, (loss) => void losses.push(loss))
      const late = losses.filter(({ rule }) => rule === 'late-citations').length
      expectSame(heard(reader), again(expected(await streamedAnswers(events, losses), 0, late)))
      expect(reader.outcome?.type).toBe(
        events.some(({ type }) => type === 'error') ? 'RUN_ERROR' : 'RUN_FINISHED',
      )
      const used = answersOf(events).map(
        (answer) => answer.findLast((event) => event.type === 'usage')?.usage.outputTokens ?? 0,
      )
      const counted = reader.outcome !== undefined && 'usage' in reader.outcome ? reader.outcome.usage : []
      expect((counted ?? []).reduce((sum, { outputTokens = 0 }) => sum + outputTokens, 0)).toBe(
        used.reduce((sum, count) => sum + count, 0),
      )
    },
  )
})

describe('any run', () => {
  test('contains all responses, and follows the protocol', async () => {
    await fc.assert(
      fc.asyncProperty(anyRun, async (turns) => {
        const reader = await client(eventsOf(turns))
        const results = turns.flatMap(({ results: message }) => message?.content ?? [])
        const answered = results.filter(({ type }) => type === 'tool-result').length
        const messages = turns.map(({ response }) => response.candidates[0])
        expectSame(heard(reader), again(expected(messages, answered)))
        expectSame(
          reader.steps,
          turns.map((_, index) => `step-${index + 1}`),
        )
      }),
      { numRuns: RUNS },
    )
  }, 600_000)

  test('yields the same events each time', async () => {
    await fc.assert(
      fc.asyncProperty(anyRun, async (turns) => {
        const once = await collect(toAgUi(eventsOf(turns), run))
        expectSame(await collect(toAgUi(eventsOf(turns), run)), once)
      }),
      { numRuns: RUNS },
    )
  })

  test('may be cut anywhere, and still follows the protocol', async () => {
    await fc.assert(
      fc.asyncProperty(anyRun, fc.nat(60), async (turns, length) => {
        expect((await client(eventsOf(turns).slice(0, length))).outcome?.type).toBe('RUN_FINISHED')
      }),
      { numRuns: 2 * RUNS },
    )
  })
})
