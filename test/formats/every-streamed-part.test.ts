// Every kind of part of an answer in both UI protocols: as a stream of deltas, whole at its start, and corrected at its end.
import type { AssistantPart, ChatEvent, Loss } from 'interlingua'
import { toAgUi } from 'interlingua/formats/ag-ui'
import { toUIMessageStream } from 'interlingua/formats/ai-sdk-ui'
import { expect, test } from 'vitest'
import { leavesOf } from '../dialects/json-leaves.ts'
import { collect } from './arbitrary-runs.ts'
import { answerParts } from './every-part.ts'
import { streamParts } from './loss-cases.ts'

const result = {
  type: 'tool-result',
  callId: 'call_1',
  content: [{ type: 'text', text: '4 degrees' }],
} as const
const parts = [...answerParts, result] as readonly AssistantPart[]

/** Events of one part: as deltas, as the start alone, and with an end that has another content than the start. */
const streams: { readonly [title: string]: (part: AssistantPart) => readonly ChatEvent[] } = {
  deltas: (part) => streamParts([part]),
  'one event': (part) => [
    { type: 'start' },
    { type: 'part-start', index: 0, part },
    { type: 'part-end', index: 0 },
    { type: 'finish', finish: { reason: 'stop' } },
  ],
  'a correction': (part) => [
    { type: 'start' },
    { type: 'part-start', index: 0, part: { type: 'text', text: 'Wrong' } },
    { type: 'part-end', index: 0, part, replaces: true },
    { type: 'finish', finish: { reason: 'stop' } },
  ],
  'no end': (part) => [
    { type: 'start' },
    { type: 'part-start', index: 0, part },
    { type: 'finish', finish: { reason: 'stop' } },
  ],
}

const protocols = {
  'ai-sdk-ui': (events: readonly ChatEvent[], onLoss: (loss: Loss) => void) =>
    toUIMessageStream(events, { onLoss }),
  'ag-ui': (events: readonly ChatEvent[], onLoss: (loss: Loss) => void) =>
    toAgUi(events, { threadId: 't', runId: 'r', onLoss }),
}

/** Texts that a client must be able to show: names and contents, without the enumerations of the model. */
const textsOf = (part: AssistantPart): readonly string[] =>
  leavesOf(part, (key) => !['signature', 'cache', 'rawArguments'].includes(String(key))).flatMap(
    ({ at, value }) =>
      typeof value === 'string' &&
      ['text', 'name', 'url', 'data', 'city', 'invalidArguments'].includes(String(at.at(-1)))
        ? [value]
        : [],
  )

/** The text of a file is written as its data. */
const isWritten = (written: string, text: string): boolean =>
  [text, btoa(text)].some((each) => written.includes(JSON.stringify(each).slice(1, -1)))

const cases = Object.keys(protocols).flatMap((protocol) =>
  Object.keys(streams).map((title) => ({ protocol: protocol as keyof typeof protocols, title })),
)

test.each(cases)(
  '$protocol writes every kind of part, or reports it: $title',
  async ({ protocol, title }) => {
    for (const part of parts) {
      const losses: Loss[] = []
      const written = JSON.stringify(
        await collect<unknown>(
          protocols[protocol](streams[title]?.(part) ?? [], (loss) => void losses.push(loss)),
        ),
      )
      const missing = textsOf(part).filter((text) => !isWritten(written, text))
      if (losses.length === 0) expect(missing, JSON.stringify(part)).toEqual([])
    }
  },
)
