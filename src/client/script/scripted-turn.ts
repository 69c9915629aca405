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
import { createStreamBrokenError, createStreamCutError } from '../../dialects/engine/stream-failures.ts'
import { checkOptions, type OptionNames } from '../../wire/check-options.ts'
import { omitUndefined } from '../../wire/json.ts'
import { forwardIterable } from '../../wire/iterable-source.ts'
import { sleep, throwIfAborted } from '../../wire/cancellation.ts'
import { splitDeltas } from '../split-deltas.ts'

/** Ends the bytes of a scripted stream, like a lost connection. */
export class ConnectionCut extends Error {
  override readonly name = 'ConnectionCut'
}

/** Yields the events of a turn with its delays, and at the scripted break an error or a cut. */
export async function* playScriptedTurn(
  { content, eventDelayMs = 0, breakAfterEvents = Infinity, error }: PreparedScriptedTurn,
  signal: AbortSignal | undefined,
): AsyncGenerator<ChatEvent, void, undefined> {
  const events = 'events' in content ? content.events : splitDeltas(toEvents(content))
  let eventCount = 0
  for await (const event of forwardIterable(events, omitUndefined({ signal }))) {
    if (eventCount >= breakAfterEvents) break
    // A timer of zero milliseconds would wait for one, which is half a minute for a long answer.
    if (eventDelayMs > 0) await sleep(eventDelayMs, signal)
    throwIfAborted(signal)
    yield event
    eventCount++
  }
  if (breakAfterEvents === Infinity) return
  if (error === undefined) throw new ConnectionCut()
  yield { type: 'error', error: createStreamBrokenError(error, signal) }
}

/** Forwards events without a wire format; a failure becomes the `error` event that a decoder would yield. */
export async function* forwardFailuresAsEvents(
  events: AsyncIterable<ChatEvent>,
  signal: AbortSignal | undefined,
): AsyncGenerator<ChatEvent, void, undefined> {
  try {
    yield* events
  } catch (error) {
    const isCut = error instanceof ConnectionCut
    yield { type: 'error', error: isCut ? createStreamCutError() : createStreamBrokenError(error, signal) }
  }
}

/** Events that are yielded unchanged. */
export interface ScriptedEvents {
  readonly events: Iterable<ChatEvent> | AsyncIterable<ChatEvent>
}

/** A scripted reply: text, parts, a message, a response, events, or an error to throw. */
export type ScriptedAnswer =
  | string
  | AssistantPart
  | readonly (string | AssistantPart)[]
  | AssistantMessage
  | ChatResponse
  | ScriptedEvents
  | Error

/** A scripted reply with its timing and failures. */
export interface ScriptedTurn {
  readonly reply: ScriptedAnswer
  /** The delay before the reply. */
  readonly delayMs?: number
  /** The delay before each event of a stream. */
  readonly eventDelayMs?: number
  /** The usage of the response, unless the reply contains its own. */
  readonly usage?: Usage
  /** Default: `tool-calls` if there are tool calls, otherwise `stop`. */
  readonly finish?: Finish
  /** The number of events after which the stream fails: with `error`, or with a lost connection. */
  readonly breakAfterEvents?: number
  readonly error?: Error
}

const TURN_NAMES: OptionNames<ScriptedTurn> = {
  reply: true,
  delayMs: true,
  eventDelayMs: true,
  usage: true,
  finish: true,
  breakAfterEvents: true,
  error: true,
}

/** The second argument of a script function. */
export interface ScriptedContext {
  /** The number of earlier requests. */
  readonly index: number
  readonly isStreamed: boolean
  readonly signal?: AbortSignal
}

/** Returns the reply to a request. */
export type ScriptedFunction = (
  request: ChatRequest,
  context: ScriptedContext,
) => ScriptedAnswer | ScriptedTurn | Promise<ScriptedAnswer | ScriptedTurn>

/** One entry of a script. */
export type ScriptEntry = ScriptedAnswer | ScriptedTurn | ScriptedFunction

/** A turn with its content as a response or as events. */
export interface PreparedScriptedTurn extends Omit<ScriptedTurn, 'reply'> {
  readonly content: ChatResponse | ScriptedEvents
}

/** The identity of the scripted model and the sources of ids and timestamps. */
export interface ScriptedIdentity extends IdentityOptions {
  readonly name: string
  readonly provider: string
  readonly usage?: Usage
}

/** Converts a script entry to a turn, or returns the error to throw. */
export function prepareScriptedTurn(
  entry: ScriptedAnswer | ScriptedTurn,
  identity: ScriptedIdentity,
): PreparedScriptedTurn | Error {
  const scripted: ScriptedTurn = isTurn(entry) ? entry : { reply: entry }
  checkOptions('the script entry', scripted, TURN_NAMES)
  const { reply, ...turn } = scripted
  if (reply instanceof Error) return reply
  return { ...turn, content: isEvents(reply) ? reply : createScriptedResponse(reply, turn, identity) }
}

export function getScriptedDelayMs(entry: ScriptedAnswer | ScriptedTurn): number {
  return isTurn(entry) ? (entry.delayMs ?? 0) : 0
}

function isTurn(entry: ScriptedAnswer | ScriptedTurn): entry is ScriptedTurn {
  return typeof entry === 'object' && 'reply' in entry
}

function isEvents(reply: ScriptedAnswer): reply is ScriptedEvents {
  return typeof reply === 'object' && 'events' in reply
}

export function createScriptedResponse(
  reply: Exclude<ScriptedAnswer, Error | ScriptedEvents>,
  { usage, finish }: Omit<ScriptedTurn, 'reply'>,
  identity: ScriptedIdentity,
): ChatResponse {
  if (typeof reply === 'object' && 'candidates' in reply) return reply
  const message = toAssistantMessage(reply, identity)
  const { name, provider } = identity
  const candidate = {
    ...message,
    origin: message.origin ?? { dialect: 'scripted', provider, model: name },
    finish: message.finish ?? finish ?? { reason: inferFinishReason(message) },
  }
  const actualUsage = message.usage ?? usage ?? identity.usage
  return { model: name, candidates: [candidate], ...omitUndefined({ usage: actualUsage }) }
}

function toAssistantMessage(
  reply: Exclude<ScriptedAnswer, Error | ScriptedEvents | ChatResponse>,
  { newId, now }: IdentityOptions,
): AssistantMessage {
  if (typeof reply === 'object' && 'role' in reply) return reply
  return assistant(reply, omitUndefined({ newId, now }))
}

function inferFinishReason(message: AssistantMessage): Finish['reason'] {
  const hasCalls = toolCallsOf(message).some(({ executedBy }) => executedBy === undefined)
  return hasCalls ? 'tool-calls' : 'stop'
}

/** Returns the error for a request after the last entry of the script. */
export function scriptExhaustedError(index: number): InterlinguaError {
  return new InterlinguaError('script-exhausted', `The script has no entry for request ${index + 1}`, {
    found: `${index} earlier requests`,
    expected: `a script with at least ${index + 1} entries`,
    hint: 'Add an entry for each request, or pass a function that replies to all of them.',
  })
}
