import { assistant } from '../../canonical/build/messages.ts'
import type { IdentityOptions } from '../../canonical/build/ids-and-timestamps.ts'
import type { ChatEvent } from '../../canonical/model/event.ts'
import type { Finish, AssistantMessage } from '../../canonical/model/message.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import type { ChatResponse } from '../../canonical/model/response.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import { toolCallsOf } from '../../canonical/read/message-content.ts'
import { InterlinguaError } from '../../errors.ts'
import { toEvents } from '../../canonical/stream/to-events.ts'
import { createStreamBrokenError, createStreamCutError } from '../../dialects/engine/stream.ts'
import { sleep, throwIfAborted } from '../../wire/cancellation.ts'
import { splitDeltas } from '../split-deltas.ts'

/** What ends the bytes of a stream in the middle, as a connection that is lost. */
export class ConnectionCut extends Error {
  override readonly name = 'Cut'
}

/**
 * The events of a turn at its pace, up to where it breaks: an `error` event where the provider says what is wrong, a
 * {@link ConnectionCut} where the connection is lost.
 */
export async function* playTurn(
  { answer, eventDelayMs, breakAfterEvents = Infinity, error }: PreparedTurn,
  signal: AbortSignal | undefined,
): AsyncGenerator<ChatEvent, void, undefined> {
  const events = 'events' in answer ? answer.events : splitDeltas(toEvents(answer))
  let eventCount = 0
  for await (const event of events) {
    if (eventCount >= breakAfterEvents) break
    if (eventDelayMs !== undefined) await sleep(eventDelayMs, signal)
    throwIfAborted(signal)
    yield event
    eventCount++
  }
  if (breakAfterEvents === Infinity) return
  if (error === undefined) throw new ConnectionCut()
  yield { type: 'error', error: createStreamBrokenError(error, signal) }
}

/** Events without a wire between: what breaks them is told as a decoder would tell it. */
export async function* readWithoutWire(
  events: AsyncIterable<ChatEvent>,
  signal: AbortSignal | undefined,
): AsyncGenerator<ChatEvent, void, undefined> {
  try {
    yield* events
  } catch (error) {
    yield {
      type: 'error',
      error: error instanceof ConnectionCut ? createStreamCutError() : createStreamBrokenError(error, signal),
    }
  }
}

/** Events to be told as they are. */
export interface ScriptedEvents {
  readonly events: Iterable<ChatEvent> | AsyncIterable<ChatEvent>
}

/** What a scripted model says: text, a part or several, a message, a whole response, events, or an error to throw. */
export type ScriptedAnswer =
  | string
  | AssistantPart
  | readonly (string | AssistantPart)[]
  | AssistantMessage
  | ChatResponse
  | ScriptedEvents
  | Error

/** An answer, and how it comes. */
export interface ScriptedTurn {
  readonly reply: ScriptedAnswer
  /** Milliseconds before anything happens. */
  readonly delayMs?: number
  /** Milliseconds before each event of a stream. */
  readonly eventDelayMs?: number
  /** The usage that the response tells, unless it tells one of its own. */
  readonly usage?: Usage
  /** Default: `tool-calls` where there are some, else `stop`. */
  readonly finish?: Finish
  /** The number of events after which the answer breaks: with `error` if there is one, else the connection is cut. */
  readonly breakAfterEvents?: number
  readonly error?: Error
}

/** What a script's function is told beside the request. */
export interface ScriptedContext {
  /** How many requests came before this one. */
  readonly index: number
  readonly isStreamed: boolean
  readonly signal?: AbortSignal
}

/** Answers a request as it sees fit. */
export type ScriptedFunction = (
  request: ChatRequest,
  context: ScriptedContext,
) => ScriptedAnswer | ScriptedTurn | Promise<ScriptedAnswer | ScriptedTurn>

/** One entry of a script. */
export type ScriptEntry = ScriptedAnswer | ScriptedTurn | ScriptedFunction

/** A turn with its answer made up: a response, or events as they are. */
export interface PreparedTurn extends Omit<ScriptedTurn, 'reply'> {
  readonly answer: ChatResponse | ScriptedEvents
}

/** Who answers, and where ids and times come from. */
export interface ScriptedIdentity extends IdentityOptions {
  readonly name: string
  readonly provider: string
  readonly usage?: Usage
}

/** An entry with its answer made up, or the error that stands for it. */
export function prepareTurn(
  entry: ScriptedAnswer | ScriptedTurn,
  speaker: ScriptedIdentity,
): PreparedTurn | Error {
  const { reply, ...how }: ScriptedTurn = isTurn(entry) ? entry : { reply: entry }
  if (reply instanceof Error) return reply
  return { ...how, answer: isEvents(reply) ? reply : toResponse(reply, how, speaker) }
}

/** How long to wait before an entry is answered. */
export function getDelayMs(entry: ScriptedAnswer | ScriptedTurn): number {
  return isTurn(entry) ? (entry.delayMs ?? 0) : 0
}

function isTurn(entry: ScriptedAnswer | ScriptedTurn): entry is ScriptedTurn {
  return typeof entry === 'object' && 'reply' in entry
}

function isEvents(answer: ScriptedAnswer): answer is ScriptedEvents {
  return typeof answer === 'object' && 'events' in answer
}

/** A response that says an answer. */
export function toResponse(
  answer: Exclude<ScriptedAnswer, Error | ScriptedEvents>,
  { usage, finish }: Omit<ScriptedTurn, 'reply'>,
  speaker: ScriptedIdentity,
): ChatResponse {
  if (typeof answer === 'object' && 'candidates' in answer) return answer
  const message = toAssistantMessage(answer, speaker)
  const counted = message.usage ?? usage ?? speaker.usage
  return {
    model: speaker.name,
    candidates: [
      {
        ...message,
        origin: message.origin ?? { dialect: 'scripted', provider: speaker.provider, model: speaker.name },
        finish: message.finish ?? finish ?? { reason: inferFinishReason(message) },
      },
    ],
    ...(counted !== undefined && { usage: counted }),
  }
}

function toAssistantMessage(
  answer: Exclude<ScriptedAnswer, Error | ScriptedEvents | ChatResponse>,
  { newId, now }: IdentityOptions,
): AssistantMessage {
  if (typeof answer === 'object' && 'role' in answer) return answer
  return assistant(answer, { ...(newId && { newId }), ...(now && { now }) })
}

/** Why a message that does not say it ends. */
function inferFinishReason(message: AssistantMessage): Finish['reason'] {
  const asks = toolCallsOf(message).some(({ executedBy }) => executedBy === undefined)
  return asks ? 'tool-calls' : 'stop'
}

/** There is one request more than entries. */
export function scriptExhaustedError(index: number): InterlinguaError {
  return new InterlinguaError('script-exhausted', `The script has no entry for request ${index + 1}`, {
    found: `${index} requests before this one`,
    expected: `a script of at least ${index + 1} entries`,
    hint: 'Add an entry for each request, or give a function, which answers all of them.',
  })
}
