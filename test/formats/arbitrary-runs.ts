import fc from 'fast-check'
import {
  accumulate,
  assistant,
  type AssistantMessage,
  type AssistantPart,
  type ChatEvent,
  type ChatResponse,
  type DialectName,
  dialects,
  toEvents,
  type Loss,
  type ToolMessage,
  type ToolResultPart,
} from 'interlingua'
import type { RunEvent } from 'interlingua'
import { anyPart, anyResponse, callId } from '../arbitraries.ts'
import { recorded } from '../recorded-exchanges.ts'

/** One response of a run, and the results of its tools. */
export interface Turn {
  readonly response: ChatResponse
  readonly results?: ToolMessage
}

const inside = anyPart.filter(
  ({ type }) => !['reasoning', 'refusal', 'tool-call', 'tool-result'].includes(type),
)

const anyResult = fc
  .record(
    { callId, content: fc.array(inside, { maxLength: 2 }), isError: fc.constant(true) },
    { requiredKeys: ['callId', 'content'], noNullPrototype: true },
  )
  .map((fields) => ({ type: 'tool-result', ...fields }) as ToolResultPart)

const anyToolMessage: fc.Arbitrary<ToolMessage> = fc
  .array(anyResult, { minLength: 1, maxLength: 3 })
  .map((content) => ({ id: 'msg_results', role: 'tool', content }))

const anyTurn: fc.Arbitrary<Turn> = fc.record(
  { response: anyResponse, results: anyToolMessage },
  { requiredKeys: ['response'], noNullPrototype: true },
)

/** Any run of one to three responses. */
export const anyRun: fc.Arbitrary<readonly Turn[]> = fc.array(anyTurn, { minLength: 1, maxLength: 3 })

/** Returns the events that stream a run. */
export function eventsOf(turns: readonly Turn[]): RunEvent[] {
  return turns.flatMap(({ response, results }) => [...toEvents(response), ...(results ? [results] : [])])
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

async function* whole(text: string): AsyncGenerator<string> {
  yield text
}

/** All recorded streams of the supported dialects. */
export const streams: readonly {
  readonly id: string
  readonly dialect: DialectName
  readonly stream: string
}[] = (Object.keys(dialects) as DialectName[]).flatMap((dialect) =>
  recorded(dialect).flatMap(({ id, stream }) =>
    typeof stream === 'string' ? [{ id, dialect, stream }] : [],
  ),
)

/** The UI protocols that read recorded streams. */
const PROTOCOLS = ['ai-sdk-ui', 'ag-ui'] as const

/** Returns the recorded streams that a UI protocol reads: in a soak all of them, otherwise each goes to one protocol. */
export function streamsFor(protocol: (typeof PROTOCOLS)[number]): typeof streams {
  const place = PROTOCOLS.indexOf(protocol)
  return streams.filter((_, index) => process.env['SOAK'] || index % PROTOCOLS.length === place)
}

/** Returns the events of a recorded stream. */
export function recordedEvents(dialect: DialectName, stream: string): Promise<ChatEvent[]> {
  return collect(dialects[dialect].decodeStream(whole(stream)))
}

/** Splits a stream that starts again into several responses. */
export function answersOf(events: readonly ChatEvent[]): ChatEvent[][] {
  const answers: ChatEvent[][] = []
  for (const event of events) {
    if (event.type === 'error') continue
    const begins = event.type === 'start' && (event.candidate ?? 0) === 0
    // Unknown events may precede the start event: they belong to the same response.
    if (answers.length === 0 || (begins && answers.at(-1)?.some(({ type }) => type === 'start')))
      answers.push([])
    answers.at(-1)?.push(event)
  }
  return answers
}

/**
 * Returns the responses as streamed: text that the provider corrects at the end cannot be retracted and is in
 * `losses`.
 */
export async function streamedAnswers(
  events: readonly ChatEvent[],
  losses: readonly Loss[],
): Promise<readonly AssistantMessage[]> {
  const restated = new Set(losses.filter(({ rule }) => rule === 'correction-omitted').map(({ path }) => path))
  const answers = answersOf(events)
  const responses = await Promise.all(answers.map((answer) => accumulate(answer)))
  return responses.flatMap(({ candidates: [first] }, step) => {
    const content = (first?.content ?? []).map((part, index) => {
      if (!restated.has(`/steps/${step}/candidates/0/content/${index}`)) return part
      const pieces = (answers[step] ?? []).filter(
        (event) => 'text' in event && event.index === index && (event.candidate ?? 0) === 0,
      )
      return {
        ...part,
        text: pieces.map((event) => ('text' in event ? event.text : '')).join(''),
      } as AssistantPart
    })
    return [assistant(content)]
  })
}
