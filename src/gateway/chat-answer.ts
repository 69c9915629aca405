import type { ChatEvent, StartEvent } from '../canonical/model/event.ts'
import type { Loss } from '../canonical/model/loss.ts'
import type { CallOptions, Reply } from '../canonical/model/model-interface.ts'
import type { ChatRequest } from '../canonical/model/request.ts'
import type { Usage } from '../canonical/model/usage.ts'
import { getStreamCodec } from '../dialects/engine/define-dialect.ts'
import type { Dialect } from '../dialects/engine/dialect.ts'
import { type FramedEvent, frameStream } from '../dialects/engine/stream-encoder.ts'
import { InterlinguaError } from '../errors.ts'
import { toTypedError } from '../wire/typed-errors.ts'
import type { JsonObject } from '../wire/json.ts'
import { AnswerEvents, isSameDialect, type ToResponseId, withResponseId } from './answer-events.ts'
import { toClientError } from './error-response.ts'
import type { RoutedModel } from './router.ts'
import type { ConversationState } from './state/conversation-state.ts'

/** A request of a client, and the model that answers it. */
export interface ChatCall {
  readonly dialect: Dialect
  /** The request with the client's name of the model, which the answer repeats: some clients drop their state otherwise. */
  readonly request: ChatRequest
  /** The request with the whole conversation, for the model. */
  readonly input: ChatRequest
  /** Returns the id that the client gets for the response. */
  readonly toResponseId: ToResponseId
  readonly routed: RoutedModel
  readonly signal: AbortSignal
  readonly state: ConversationState
  /** Called when the first text, reasoning or call of a stream arrives. */
  readonly onFirstToken?: () => void
}

/** A complete answer in the client's format. */
export interface ChatAnswer {
  readonly body: unknown
  readonly reply: Reply
  readonly losses: readonly Loss[]
}

/** Asks the model, and encodes the whole answer. */
export async function generateAnswer(call: ChatCall): Promise<ChatAnswer> {
  const { dialect, request, toResponseId, routed, signal, state } = call
  const input = await state.restore(toInput(call.input))
  const reply = await routed.model.generate(input, toCallOptions(dialect, routed, signal))
  const sealed = withResponseId(await state.sealResponse(reply.response), toResponseId)
  const isNamedByProvider = isSameDialect(dialect, sealed.candidates[0]) && keepsModelName(request, routed)
  const { value, losses } = dialect.encodeResponse(sealed, toEncodeOptions(request, isNamedByProvider))
  return { body: value as JsonObject, reply, losses: [...reply.losses, ...losses] }
}

/** An answer in the client's format whose first event has arrived. */
export interface StreamedAnswer {
  readonly events: AsyncIterable<FramedEvent>
  /** Resolves when the stream has ended, whatever its end was. */
  readonly outcome: Promise<StreamOutcome>
}

/** How a streamed answer ended. */
export interface StreamOutcome {
  readonly reply?: Reply
  /** The usage of an answer without an end: what was reported, and an estimate of what was received. */
  readonly partialUsage?: Usage
  readonly losses: readonly Loss[]
  readonly error?: InterlinguaError
}

/**
 * Starts to ask the model, and encodes its events one by one. An error before the first event is thrown, so that the client gets
 * it with a status of its own; a later one becomes part of the stream.
 */
export async function streamAnswer(call: ChatCall): Promise<StreamedAnswer> {
  const { dialect, request, toResponseId, routed, signal, state, onFirstToken = () => {} } = call
  const input = await state.restore(toInput(call.input))
  const stream = routed.model.stream(input, toCallOptions(dialect, routed, signal))
  const events = new AnswerEvents(stream, { dialect, input, toResponseId, onFirstToken })
  await events.open()
  const isNamedByProvider = events.isInDialect && keepsModelName(request, routed)
  const options = toEncodeOptions(request, isNamedByProvider)
  const sealed = state.sealEvents(events)
  const framed = frameStream(getStreamCodec(dialect), sealed, options, routed.isBuiltIn)
  const outcome = framed.losses.then(async (losses): Promise<StreamOutcome> => {
    const reply = events.error ?? (await stream.reply.catch((error: unknown) => toTypedError(error)))
    if (reply instanceof InterlinguaError) return { losses, error: reply, partialUsage: events.partialUsage }
    return { losses: [...reply.losses, ...losses], reply }
  })
  return { events: framed.events, outcome }
}

/** What is needed to encode an answer that no model gave. */
type EmptyCall = Pick<ChatCall, 'dialect' | 'request' | 'toResponseId'>

/** Encodes an answer without content, for a client that only prepares a later turn. */
export function streamNoAnswer(call: EmptyCall): StreamedAnswer {
  const usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 }
  return encodeEmpty(call, [
    { type: 'usage', usage },
    { type: 'finish', finish: { reason: 'stop' } },
  ])
}

/** Encodes an answer that failed before its first event, for a client that has got a status already. */
export function streamFailure(call: EmptyCall, error: InterlinguaError): StreamedAnswer {
  const { events, outcome } = encodeEmpty(call, [{ type: 'error', error: toClientError(error) }])
  return { events, outcome: outcome.then(({ losses }) => ({ losses, error })) }
}

function encodeEmpty(
  { dialect, request, toResponseId }: EmptyCall,
  events: readonly ChatEvent[],
): StreamedAnswer {
  const start: StartEvent = { type: 'start', createdAt: new Date().toISOString() }
  const all = [withResponseId(start, toResponseId), ...events]
  const framed = frameStream(getStreamCodec(dialect), all, toEncodeOptions(request))
  return { events: framed.events, outcome: framed.losses.then((losses) => ({ losses })) }
}

function toInput({ model: _model, stream: _stream, ...request }: ChatRequest): ChatRequest {
  return request
}

function toCallOptions(
  { name }: Dialect,
  { route: { promptCaching } }: RoutedModel,
  signal: AbortSignal,
): CallOptions {
  return { signal, exactFor: name, ...(promptCaching !== undefined && { promptCaching }) }
}

/** Tests whether the provider gets the model name of the client: then its answer need not repeat that of the client. */
function keepsModelName({ model }: ChatRequest, { targets }: RoutedModel): boolean {
  return targets.every((target) => target.slice(target.indexOf(':') + 1) === model)
}

/** An answer names the model as the client did, unless it is to name it as its provider does. */
function toEncodeOptions(
  request: ChatRequest,
  isNamedByProvider = false,
): { readonly request: ChatRequest; readonly model?: string } {
  const { model } = request
  return { request, ...(model !== undefined && !isNamedByProvider && { model }) }
}
