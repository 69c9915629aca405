import type { Reply } from '../../canonical/model/model-interface.ts'
import { forwardIterable } from '../../wire/iterable-source.ts'
import { isObject, type JsonObject, stringifyOnOneLine, tryParseJson } from '../../wire/json.ts'
import { formatSseEvent } from '../../wire/sse.ts'
import type { StreamedAnswer } from '../chat-answer.ts'
import type { ResponseFailure } from './response-bodies.ts'
import type { ResponseFormat } from './response-format.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** The bytes of an event that contain its name; all names are shorter. */
const NAME_BYTES = 80

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
export function completeStream(answer: StreamedAnswer, turn: StreamedTurn): AsyncIterable<Uint8Array> {
  const source = answer.bytes[Symbol.asyncIterator]()
  const bytes = { [Symbol.asyncIterator]: () => source }
  return forwardIterable(completeEvents({ ...answer, bytes }, turn), { cancel: () => source.return?.() })
}

async function* completeEvents(
  { bytes, outcome }: StreamedAnswer,
  turn: StreamedTurn,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { format } = turn
  const { field } = format.bodyEvents
  const events = new EventCompleter(turn)
  let last: WireEvent | undefined
  const afterLast: Uint8Array[] = []
  for await (const chunk of bytes) {
    const event = events.read(chunk)
    if (last !== undefined) afterLast.push(chunk)
    else if (event !== undefined && format.terminalEvents.test(event.name)) last = event
    else yield event === undefined ? chunk : writeEvent(event)
  }
  const { reply } = await outcome
  if (last !== undefined) {
    const body = last.payload[field] as JsonObject
    const { [format.outputField]: output, ...rest } = await turn.save(body, reply)
    const sent = Object.hasOwn(body, format.outputField)
      ? { ...rest, [format.outputField]: output ?? [] }
      : rest
    yield writeEvent({ ...last, payload: { ...last.payload, [field]: sent } })
  } else if (events.failure !== undefined) {
    const failed = events.createFailedBody(events.failure)
    // Without an id, the client cannot ask for the response.
    const body = Object.hasOwn(failed, 'id') ? await turn.save(failed, undefined) : failed
    if (format.failedEvent !== undefined) yield writeEvent(events.createEvent(format.failedEvent, body))
  }
  yield* afterLast
  if (format.endMark !== undefined) yield encoder.encode(format.endMark)
}

/** Completes single events, and keeps what the body of a failed response contains. */
class EventCompleter {
  failure: ResponseFailure | undefined
  readonly #turn: StreamedTurn
  #count = 0
  #body: JsonObject = {}
  /** The events of finished items; they are read only if the stream fails. */
  readonly #items: Uint8Array[] = []

  constructor(turn: StreamedTurn) {
    this.#turn = turn
  }

  /** Returns the event of a chunk, completed; undefined if the chunk is sent as it is. */
  read(chunk: Uint8Array): WireEvent | undefined {
    const { bodyEvents, eventNumber } = this.#turn.format
    const number = this.#count++
    const name = readEventName(chunk)
    if (name === 'response.output_item.done') this.#items.push(chunk)
    const hasBody = bodyEvents.pattern.test(name)
    const payload = hasBody || name === 'error' || eventNumber.isAdded ? readPayload(chunk) : undefined
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
    const items = this.#items.flatMap((chunk) => readPayload(chunk)?.['item'] ?? [])
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

function readEventName(chunk: Uint8Array): string {
  const [, name = ''] = /^event: ([^\n]+)\n/.exec(decoder.decode(chunk.subarray(0, NAME_BYTES))) ?? []
  return name
}

/** Returns the JSON of a chunk, which is one event; undefined if it is the end mark. */
function readPayload(chunk: Uint8Array): JsonObject | undefined {
  const [, data = ''] = /^data: (.*)$/m.exec(decoder.decode(chunk)) ?? []
  const payload = tryParseJson(data)
  return isObject(payload) ? payload : undefined
}

function writeEvent({ name, payload }: WireEvent): Uint8Array {
  return encoder.encode(formatSseEvent({ event: name, data: stringifyOnOneLine(payload) }))
}
