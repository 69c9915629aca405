import type { ChatEvent } from '../../canonical/model/event.ts'
import type { AssistantMessage } from '../../canonical/model/message.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import type { ChatResponse } from '../../canonical/model/response.ts'
import { accumulate } from '../../canonical/stream/accumulate.ts'
import { toEvents } from '../../canonical/stream/to-events.ts'
import type { JsonObject } from '../../wire/json.ts'
import { listResponseSamples } from './canonical-samples.ts'
import {
  awaitDialect,
  callDialect,
  type CheckContext,
  type ConformanceCheck,
  createContext,
  expectEqual,
} from './conformance-check.ts'
import { ConformanceError, createDescription } from './conformance-error.ts'
import { storeAndLoad, omitExtraEverywhere } from './json-leaves.ts'
import { collectAll, encodeToText, parsePayloads } from './stream-text.ts'
import { FIXED_IDENTITY, type Subject } from './conformance-subject.ts'

/** The shortest text whose absence is checked after an edit: shorter ones occur by chance. */
const MIN_EDITED_CHARS = 24

/** Lists the checks of the content of streams. */
export function listStreamContentChecks(subject: Subject): readonly ConformanceCheck[] {
  const decoded = subject.responses.map(({ name, body }) => ({
    name: `the content of the sample "${name}"`,
    decode: (): ChatResponse => subject.dialect.decodeResponse(body, FIXED_IDENTITY).value,
  }))
  const canonical = listResponseSamples().map(({ name, value }) => ({ name, decode: () => value }))
  return [
    ...subject.streams.flatMap(({ name, text }) => listSampleChecks(subject, name, text)),
    ...[...canonical, ...decoded].map(({ name, decode }): ConformanceCheck => {
      const about = `a response with ${name}`
      const context: CheckContext = { law: 'stream-equals-response', kind: 'stream', subject: about }
      return {
        law: 'stream-equals-response',
        title: `${about} has the same content as a stream`,
        run: () => checkAgreement(subject, context, callDialect(context, 'decoding the response', decode)),
      }
    }),
  ]
}

function listSampleChecks(subject: Subject, name: string, text: string): readonly ConformanceCheck[] {
  return [
    {
      law: 'exact',
      title: `stream "${name}" is encoded as it was received`,
      run: () => checkExactStream(subject, createContext('exact', 'stream', name), text),
    },
    {
      law: 'edit-safe',
      title: `stream "${name}" is sent with edited texts`,
      run: () => checkEditedStream(subject, createContext('edit-safe', 'stream', name), text),
    },
    {
      law: 'stream-equals-response',
      title: `stream "${name}" has the same content as a complete response`,
      run: () =>
        checkCompleteResponse(subject, createContext('stream-equals-response', 'stream', name), text),
    },
  ]
}

async function* yieldText(text: string): AsyncGenerator<string> {
  yield text
}

function decodeEvents({ dialect }: Subject, context: CheckContext, text: string): Promise<ChatEvent[]> {
  return awaitDialect(context, 'decoding the stream', () =>
    collectAll(dialect.decodeStream(yieldText(text), FIXED_IDENTITY)),
  )
}

function encodeEvents(
  { dialect }: Subject,
  context: CheckContext,
  events: readonly ChatEvent[],
): Promise<{ readonly text: string }> {
  return awaitDialect(context, 'encoding the stream', () => encodeToText(dialect, events, FIXED_IDENTITY))
}

/** Compares payload by payload: comments and line ends of the framing do not count. */
async function checkExactStream(subject: Subject, context: CheckContext, text: string): Promise<void> {
  const events = await decodeEvents(subject, context, text)
  const failure = events.find((event) => event.type === 'error')
  const before = JSON.stringify(events.map(withoutError))
  const encoded = await encodeEvents(subject, context, events)
  const problem = 'encoding changes the events that it reads'
  expectEqual({ ...context, law: 'pure' }, problem, JSON.stringify(events.map(withoutError)), before)
  const received = parsePayloads(text)
  const written = parsePayloads(encoded.text)
  if (received === undefined || written === undefined)
    return expectEqual(context, 'the encoded stream differs from the received stream', encoded.text, text)
  // The last payload of a failed stream is an error in the format of the dialect.
  const compared = failure === undefined ? received : received.slice(0, Math.max(0, written.length - 1))
  const writtenPart = failure === undefined ? written : written.slice(0, compared.length)
  expectEqual(
    context,
    'the payloads of the encoded stream differ from the received ones',
    writtenPart,
    compared,
  )
}

const withoutError = (event: ChatEvent): unknown => (event.type === 'error' ? event.error.code : event)

async function checkEditedStream(subject: Subject, context: CheckContext, text: string): Promise<void> {
  const events = await decodeEvents(subject, context, text)
  const edited = events.map((event, index) =>
    'text' in event ? { ...event, text: `edited ${index}.` } : event,
  )
  const encoded = await encodeEvents(subject, context, edited)
  const missing = edited.find((event) => 'text' in event && !encoded.text.includes(event.text))
  if (missing !== undefined)
    throw new ConformanceError({
      ...context,
      problem: 'the text of an edited event is not sent',
      found: undefined,
      expected: 'text' in missing ? missing.text : '',
    })
  const others = JSON.stringify(omitExtraEverywhere(edited.map(withoutError)))
  const old = events
    .flatMap((event) => ('text' in event ? [event.text] : []))
    .map((each) => JSON.stringify(each).slice(1, -1))
    .find((each) => each.length >= MIN_EDITED_CHARS && encoded.text.includes(each) && !others.includes(each))
  if (old !== undefined)
    throw new ConformanceError({
      ...context,
      problem: 'the old text of an edited event is still sent',
      found: old,
      expected: createDescription('only the edited text'),
    })
}

/** Compares a streamed response with the same response after it was encoded and decoded as a complete one. */
async function checkCompleteResponse(subject: Subject, context: CheckContext, text: string): Promise<void> {
  const events = await decodeEvents(subject, context, text)
  if (events.some(({ type }) => type === 'error')) return
  const streamed = await awaitDialect(context, 'accumulating the events', () =>
    accumulate(events, FIXED_IDENTITY),
  )
  if (streamed.candidates.length === 0) return
  const complete = callDialect(context, 'encoding and decoding it as a complete response', () =>
    translateComplete(subject, streamed),
  )
  const problem = 'the stream, encoded as a complete response, has other content'
  expectEqual(
    context,
    problem,
    summarizeContent(withFinishesOf(streamed, complete)),
    summarizeContent(streamed),
  )
}

/** Returns a complete response, which always has finishes, without those of candidates whose stream ended without one. */
function withFinishesOf(streamed: ChatResponse, complete: ChatResponse): ChatResponse {
  const candidates = complete.candidates.map((candidate, index): AssistantMessage => {
    const { finish: _finish, ...unfinished } = candidate
    return streamed.candidates[index]?.finish === undefined ? unfinished : candidate
  })
  return { ...complete, candidates }
}

function translateComplete({ dialect }: Subject, response: ChatResponse): ChatResponse {
  const body = dialect.encodeResponse(response, { now: FIXED_IDENTITY.now }).value
  return dialect.decodeResponse(body, FIXED_IDENTITY).value
}

async function checkAgreement(subject: Subject, context: CheckContext, given: ChatResponse): Promise<void> {
  // The stream of a failed response ends with an error instead of its content.
  if (given.candidates.length === 0 || given.candidates[0]?.finish?.reason === 'error') return
  const response = toPlainResponse(given)
  const complete = callDialect(context, 'encoding and decoding the complete response', () =>
    translateComplete(subject, response),
  )
  const { text } = await encodeEvents(subject, context, toEvents(response))
  const events = await decodeEvents(subject, context, text)
  const streamed = await accumulate(events, FIXED_IDENTITY).catch((error: unknown) => {
    const problem = 'the encoded stream ends with an error'
    throw new ConformanceError({
      ...context,
      problem,
      found: error,
      expected: createDescription('a finish'),
      cause: error,
    })
  })
  const problem = 'the stream has other content than the complete response'
  expectEqual(context, problem, summarizeContent(streamed), summarizeContent(complete))
}

/** Returns a response as another dialect would, with a finish, without which a stream counts as cut off. */
function toPlainResponse(response: ChatResponse): ChatResponse {
  const plain = omitExtraEverywhere(storeAndLoad(response))
  const candidates = plain.candidates.map(({ origin: _origin, ...message }): AssistantMessage => ({
    finish: { reason: 'stop' },
    ...message,
  }))
  return { ...plain, candidates }
}

/**
 * Returns the content of a response without its order: complete responses of some formats have one text and one reasoning
 * text, and streams keep the order in which the model generated them.
 */
function summarizeContent({ candidates, usage }: ChatResponse): JsonObject {
  const summaries = candidates.map(({ content, finish }): JsonObject => ({
    text: joinTexts(content, 'text'),
    reasoning: joinTexts(content, 'reasoning'),
    refusal: joinTexts(content, 'refusal'),
    calls: content.flatMap((part) =>
      part.type === 'tool-call' ? [{ name: part.name, arguments: part.arguments ?? null }] : [],
    ),
    media: content.filter((part) => 'source' in part).length,
    ...(finish !== undefined && finish.reason !== 'error' && { finish: finish.reason }),
  }))
  const { inputTokens = 0, outputTokens = 0 } = usage ?? {}
  return { candidates: summaries, usage: { inputTokens, outputTokens } }
}

function joinTexts(content: readonly AssistantPart[], type: 'text' | 'reasoning' | 'refusal'): string {
  return content.map((part) => (part.type === type && 'text' in part ? part.text : '')).join('')
}
