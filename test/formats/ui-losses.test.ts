import {
  type ChatEvent,
  type Loss,
  reasoning,
  refusal,
  type RunEvent,
  text,
  toolResult,
  toolResults,
} from 'interlingua'
import { toAgUi } from 'interlingua/formats/ag-ui'
import { toUIMessageStream } from 'interlingua/formats/ai-sdk-ui'
import { describe, expect, test } from 'vitest'
import { lossCatalog } from '../../src/canonical/losses/loss-catalog.ts'
import { createLoss } from '../../src/canonical/losses/create-loss.ts'
import { toPath } from '../../src/wire/json-pointer.ts'
import { loadLossesScript } from '../canonical/losses/page.ts'
import {
  startEvents,
  both,
  call,
  endEvents,
  type Format,
  partPointer,
  rows,
  streamParts,
} from './loss-cases.ts'
import { collect } from './arbitrary-runs.ts'

const formats: {
  readonly [name in Format]: (
    events: Iterable<RunEvent>,
    onLoss: (loss: Loss) => void,
  ) => AsyncIterable<unknown>
} = {
  'ai-sdk-ui': (events, onLoss) => toUIMessageStream(events, { onLoss }),
  'ag-ui': (events, onLoss) => toAgUi(events, { threadId: 't', runId: 'r', opaque: 'drop', onLoss }),
}

async function lossesOf(format: Format, events: Iterable<RunEvent>): Promise<string[]> {
  const found: string[] = []
  await collect(formats[format](events, ({ rule, path }) => void found.push(`${rule} ${path}`)))
  return found
}

describe('fields that a UI protocol lacks', () => {
  const cases = rows.flatMap(([rule, names, events, path]) =>
    names.map((format) => ({ rule, format, events, path })),
  )

  test.each(cases)('$rule is reported by $format', async ({ rule, format, events, path }) => {
    expect(await lossesOf(format, events)).toContain(`${rule} ${path}`)
  })

  test.each(both)('every rule of %s has a case', async (format) => {
    const { findReporters } = await loadLossesScript()
    const reporters = Object.entries(findReporters(Object.keys(lossCatalog)))
    const rules = reporters.filter(([, names]) => names.includes(format)).map(([rule]) => rule)
    const shown = new Set<string>(rows.filter(([, names]) => names.includes(format)).map(([rule]) => rule))
    expect([...shown].toSorted()).toEqual(rules.toSorted())
  })

  test.each(both)('a plain response has no losses in %s', async (format) => {
    const events = streamParts([reasoning('Hm.'), text('Hi'), call], { finish: { reason: 'tool-calls' } })
    expect(await lossesOf(format, [...events, toolResults(toolResult(call, 'done'))])).toEqual([])
  })

  test('are reported once for each path', async () => {
    const extra = { 'openai-chat': { provider: 'x' } }
    const deltas = Array.from({ length: 5 }, (): ChatEvent => ({
      type: 'text-delta',
      index: 0,
      text: 'x',
      extra,
    }))
    expect(await lossesOf('ai-sdk-ui', [...startEvents, ...deltas, ...endEvents])).toEqual([
      `foreign-metadata ${partPointer}/extra/openai-chat/provider`,
    ])
  })

  test('losses of earlier stages are passed on', async () => {
    const loss = createLoss(lossCatalog, 'no-field', toPath('/a'), { dialect: 'gemini' })
    expect(await lossesOf('ag-ui', [{ type: 'loss', loss }])).toEqual(['no-field /a'])
  })

  test('a loss may be refused, a note may not; the source is cancelled', async () => {
    let closed = false
    async function* source(): AsyncGenerator<ChatEvent> {
      try {
        yield* startEvents
        yield { type: 'text-delta', index: 0, text: 'x', candidate: 1 }
        yield* endEvents
      } finally {
        closed = true
      }
    }
    await expect(collect(toUIMessageStream(source(), { onLoss: 'error' }))).rejects.toMatchObject({
      code: 'loss-refused',
      path: '/steps/0/candidates/1',
    })
    expect(closed).toBe(true)
    const chunks = await collect(toUIMessageStream(streamParts([refusal('No.')]), { onLoss: () => 'error' }))
    expect(chunks.map(({ type }) => type)).toContain('text-delta')
  })
})
