import type { Reply } from '../../canonical/model/model-interface.ts'
import type { FramedEvent } from '../../dialects/engine/stream-encoder.ts'
import { forwardIterable } from '../../wire/iterable-source.ts'
import { isObject, type JsonObject, stringifyOnOneLine, tryParseJson } from '../../wire/json.ts'
import { formatSseEvent } from '../../wire/sse.ts'
import type { StreamedAnswer } from '../chat-answer.ts'
import type { ResponseFailure } from './response-bodies.ts'
import type { ResponseFormat } from './response-format.ts'

const decoder = new TextDecoder()

/** What a stream needs of its turn. */
interface StreamedTurn {
  readonly format: ResponseFormat
  complete(body: JsonObject): JsonObject
  save(body: JsonObject, reply: Reply | undefined): Promise<JsonObject>
}

/** One event of a stream. */
interface WireEvent {
  readonly name: string
  readonly payload: JsonObject
}

/**
 * Completes the events of an answer: those with the body contain what the client may rely on, a failed stream ends with the body
 * of the failed response, and the last event is sent when the response is stored, so that the client can continue it at once.
 * Other events pass unread.
 */
export function completeStream(answer: StreamedAnswer, turn: StreamedTurn): AsyncIterable<FramedEvent> {
  const source = answer.events[Symbol.asyncIterator]()
  const events = { [Symbol.asyncIterator]: () => source }
  return forwardIterable(completeEvents({ ...answer, events }, turn), { cancel: () => source.return?.() })
}

async function* completeEvents(
  { events, outcome }: StreamedAnswer,
  turn: StreamedTurn,
): AsyncGenerator<FramedEvent, void, undefined> {
  const { format } = turn
  const { field } = format.bodyEvents
  const completer = new EventCompleter(turn)
  let last: WireEvent | undefined
  const afterLast: FramedEvent[] = []
  for await (const framed of events) {
    const text = typeof framed === 'string' ? framed : decoder.decode(framed)
    const event = completer.read(text)
    if (last !== undefined) afterLast.push(text)
    else if (event !== undefined && format.terminalEvents.test(event.name)) last = event
    else yield event === undefined ? text : writeEvent(event)
  }
  const { reply } = await outcome
  if (last !== undefined) {
    const body = last.payload[field] as JsonObject
    const { [format.outputField]: output, ...rest } = await turn.save(body, reply)
    const sent = Object.hasOwn(body, format.outputField)
      ? { ...rest, [format.outputField]: output ?? [] }
      : rest
    yield writeEvent({ ...last, payload: { ...last.payload, [field]: sent } })
  } else if (completer.failure !== undefined) {
    const failed = completer.createFailedBody(completer.failure)
    // Without an id, the client cannot ask for the response.
    const body = Object.hasOwn(failed, 'id') ? await turn.save(failed, undefined) : failed
    if (format.failedEvent !== undefined) yield writeEvent(completer.createEvent(format.failedEvent, body))
  }
  yield* afterLast
  if (format.endMark !== undefined) yield format.endMark
}

/** Completes single events, and keeps what the body of a failed response contains. */
class EventCompleter {
  failure: ResponseFailure | undefined
  readonly #turn: StreamedTurn
  #count = 0
  #body: JsonObject = {}
  /** The events of finished items; they are read only if the stream fails. */
  readonly #items: string[] = []

  constructor(turn: StreamedTurn) {
    this.#turn = turn
  }

  /** Returns an event, completed; undefined if it is sent as it is. */
  read(text: string): WireEvent | undefined {
    const { bodyEvents, eventNumber } = this.#turn.format
    const number = this.#count++
    const name = readEventName(text)
    if (name === 'response.output_item.done') this.#items.push(text)
    const hasBody = bodyEvents.pattern.test(name)
    const payload = hasBody || name === 'error' || eventNumber.isAdded ? readPayload(text) : undefined
    if (payload === undefined) return undefined
    const numbered = eventNumber.isAdded ? { ...payload, [eventNumber.field]: String(number) } : payload
    if (name === 'error') return { name, payload: this.#completeError(numbered, number) }
    const body = numbered[bodyEvents.field]
    if (!hasBody || !isObject(body)) return { name, payload: numbered }
    this.#body = this.#turn.complete(body)
    return { name, payload: { ...numbered, [bodyEvents.field]: this.#body } }
  }

  /** Adds the nested form of an error to the flat one, and its number. */
  #completeError(payload: JsonObject, number: number): JsonObject {
    const { error = payload } = payload
    const { code, message, param = null } = isObject(error) ? error : {}
    const failure = {
      code: typeof code === 'string' ? code : 'server_error',
      message: typeof message === 'string' ? message : 'The response failed',
    }
    this.failure = failure
    if (this.#turn.format.eventNumber.isAdded) return payload
    const type = ERROR_TYPES[failure.code] ?? 'server_error'
    return { ...payload, sequence_number: number, error: { type, param, ...failure } }
  }

  /** Returns the body of the failed response, with the items that were finished. */
  createFailedBody(failure: ResponseFailure): JsonObject {
    const { format } = this.#turn
    const items = this.#items.flatMap((text) => readPayload(text)?.['item'] ?? [])
    const output = items.length > 0 ? { [format.outputField]: items } : {}
    return format.fail({ ...this.#body, ...output }, failure)
  }

  createEvent(name: string, body: JsonObject): WireEvent {
    const { bodyEvents, eventNumber } = this.#turn.format
    const payload = { [bodyEvents.type]: name, [eventNumber.field]: this.#count++, [bodyEvents.field]: body }
    return { name, payload }
  }
}

/** The types of errors with a code of their own. */
const ERROR_TYPES: { readonly [code: string]: string } = {
  rate_limit_exceeded: 'too_many_requests',
  context_length_exceeded: 'invalid_request',
}

function readEventName(text: string): string {
  const [, name = ''] = /^event: ([^\n]+)\n/.exec(text) ?? []
  return name
}

/** Returns the JSON of an event; undefined if it is the end mark. */
function readPayload(text: string): JsonObject | undefined {
  const [, data = ''] = /^data: (.*)$/m.exec(text) ?? []
  const payload = tryParseJson(data)
  return isObject(payload) ? payload : undefined
}

function writeEvent({ name, payload }: WireEvent): string {
  return formatSseEvent({ event: name, data: stringifyOnOneLine(payload) })
}
