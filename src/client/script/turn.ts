import { assistant } from '../../canonical/build/messages.ts'
import type { IdentityOptions } from '../../canonical/build/identity.ts'
import type { ChatEvent } from '../../canonical/model/event.ts'
import type { Finish } from '../../canonical/model/finish.ts'
import type { AssistantMessage } from '../../canonical/model/message.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import type { ChatResponse } from '../../canonical/model/response.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import { toolCallsOf } from '../../canonical/read/text.ts'
import { InterlinguaError } from '../../errors.ts'

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
  readonly delay?: number
  /** Milliseconds before each event of a stream. */
  readonly pace?: number
  /** The usage that the response tells, unless it tells one of its own. */
  readonly usage?: Usage
  /** Default: `tool-calls` where there are some, else `stop`. */
  readonly finish?: Finish
  /** The number of events after which the answer breaks: with `error` if there is one, else the connection is cut. */
  readonly breakAfter?: number
  readonly error?: Error
}

/** What a script's function is told beside the request. */
export interface ScriptedContext {
  /** How many requests came before this one. */
  readonly index: number
  readonly streamed: boolean
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
export interface ReadyTurn extends Omit<ScriptedTurn, 'reply'> {
  readonly answer: ChatResponse | ScriptedEvents
}

/** Who answers, and where ids and times come from. */
export interface Speaker extends IdentityOptions {
  readonly name: string
  readonly provider: string
  readonly usage?: Usage
}

/** An entry with its answer made up, or the error that stands for it. */
export function readyTurn(entry: ScriptedAnswer | ScriptedTurn, speaker: Speaker): ReadyTurn | Error {
  const { reply, ...how }: ScriptedTurn = isTurn(entry) ? entry : { reply: entry }
  if (reply instanceof Error) return reply
  return { ...how, answer: isEvents(reply) ? reply : responseOf(reply, how, speaker) }
}

/** How long to wait before an entry is answered. */
export function delayOf(entry: ScriptedAnswer | ScriptedTurn): number {
  return isTurn(entry) ? (entry.delay ?? 0) : 0
}

function isTurn(entry: ScriptedAnswer | ScriptedTurn): entry is ScriptedTurn {
  return typeof entry === 'object' && 'reply' in entry
}

function isEvents(answer: ScriptedAnswer): answer is ScriptedEvents {
  return typeof answer === 'object' && 'events' in answer
}

/** A response that says an answer. */
export function responseOf(
  answer: Exclude<ScriptedAnswer, Error | ScriptedEvents>,
  { usage, finish }: Omit<ScriptedTurn, 'reply'>,
  speaker: Speaker,
): ChatResponse {
  if (typeof answer === 'object' && 'candidates' in answer) return answer
  const message = messageOf(answer, speaker)
  const counted = message.usage ?? usage ?? speaker.usage
  return {
    model: speaker.name,
    candidates: [
      {
        ...message,
        origin: message.origin ?? { dialect: 'scripted', provider: speaker.provider, model: speaker.name },
        finish: message.finish ?? finish ?? { reason: endOf(message) },
      },
    ],
    ...(counted !== undefined && { usage: counted }),
  }
}

function messageOf(
  answer: Exclude<ScriptedAnswer, Error | ScriptedEvents | ChatResponse>,
  { newId, now }: IdentityOptions,
): AssistantMessage {
  if (typeof answer === 'object' && 'role' in answer) return answer
  return assistant(answer, { ...(newId && { newId }), ...(now && { now }) })
}

/** Why a message that does not say it ends. */
function endOf(message: AssistantMessage): Finish['reason'] {
  const asks = toolCallsOf(message).some(({ executedBy }) => executedBy === undefined)
  return asks ? 'tool-calls' : 'stop'
}

/** There is one request more than entries. */
export function scriptExhausted(index: number): InterlinguaError {
  return new InterlinguaError('script-exhausted', `The script has no entry for request ${index + 1}`, {
    found: `${index} requests before this one`,
    expected: `a script of at least ${index + 1} entries`,
    hint: 'Add an entry for each request, or give a function, which answers all of them.',
  })
}
