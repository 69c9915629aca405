import { InterlinguaError } from '../../errors.ts'
import { isObject, type Json, type JsonObject, tryParseJson } from '../../wire/json.ts'
import { createJsonArrayParser } from '../../wire/json-array.ts'
import type { StreamLimits } from '../../wire/limits.ts'
import { createNdjsonParser, writeNdjson } from '../../wire/ndjson.ts'
import type { StreamParserFactory } from '../../wire/stream-parser.ts'
import { createSseParser, writeSse } from '../../wire/sse.ts'
import type { StreamParser } from '../../wire/utf8-reader.ts'

/** How the payloads of a stream follow each other on the wire. */
export interface Framing {
  /** Finds the payloads of a stream as it comes. */
  readonly createParser: StreamParserFactory<Json>
  /** A payload, ready to be sent. */
  write(wire: JsonObject): string
  /** What stands after the last payload. */
  readonly end?: string
}

/** What is particular to the server-sent events of a format. */
interface SseFramingOptions {
  /** The name of the event that carries a payload, where the format names them. */
  readonly getEventName?: (wire: JsonObject) => string | undefined
  /** The data that stands after the last payload, if any. */
  readonly doneData?: string
}

/** Server-sent events, one for each payload. */
export function createSseFraming({
  getEventName = () => undefined,
  doneData,
}: SseFramingOptions = {}): Framing {
  return {
    createParser: createSsePayloadParser(doneData),
    write(wire) {
      const event = getEventName(wire)
      return writeSse({ ...(event !== undefined && { event }), data: JSON.stringify(wire) })
    },
    ...(doneData !== undefined && { end: writeSse({ data: doneData }) }),
  }
}

function createSsePayloadParser(done: string | undefined): StreamParserFactory<Json> {
  return (onPayload, limits) =>
    createSseParser(
      ({ event, data }) => {
        if (data === done || isBlankOrDone(data)) return
        onPayload(event === 'error' ? parseError(data) : parsePayload(data))
      },
      limits,
      (json) => onPayload(parseStrayText(json)),
    )
}

/** Blank data keeps a connection alive; the end is spelled in many ways, also by hosts of formats that have none. */
function isBlankOrDone(data: string): boolean {
  return data.length < 20 && /^\s*(?:\[done\]\s*)?$/i.test(data)
}

/** An event that is called an error is one, whatever it says. */
function parseError(data: string): Json {
  const payload = tryParseJson(data) ?? { message: data }
  return isErrorPayload(payload) ? payload : { error: payload }
}

/** What stands in a stream without being an event: the error that ended it, or an answer that is no stream at all. */
function parseStrayText(json: string): Json {
  const payload = tryParseJson(json)
  if (payload !== undefined && isErrorPayload(payload)) return payload
  throw new InterlinguaError('invalid-stream', 'The answer is not a stream', {
    found: `${json.length} characters outside of its events`,
    expected: 'events with a JSON payload',
    hint: 'Where the host answered all at once, read it with decodeResponse.',
  })
}

function isErrorPayload(payload: Json): boolean {
  return isObject(payload) && (payload['type'] === 'error' || Object.hasOwn(payload, 'error'))
}

function parsePayload(data: string): Json {
  try {
    return JSON.parse(data) as Json
  } catch (cause) {
    throw new InterlinguaError('invalid-stream', 'An event of the stream is not JSON', {
      found: `${data.length} characters that are not JSON`,
      expected: 'a JSON payload',
      hint: 'The stream was cut, or it comes from something that is not the provider.',
      cause,
    })
  }
}

/** A line of JSON for each payload. */
export const ndjsonFraming: Framing = { createParser: createNdjsonParser, write: writeNdjson }

/** Server-sent events, or one JSON array of the payloads: how a stream begins tells which. It is written as events. */
export const sseOrJsonArrayFraming: Framing = {
  ...createSseFraming(),
  createParser: createSseOrJsonArrayParser,
}

/** What may stand before the first character that tells: space, and the bytes of a byte order mark. */
const blankCodes: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf, 0xfeff])
const OPEN_BRACKET_CODE = 0x5b

function createSseOrJsonArrayParser(onPayload: (payload: Json) => void, limits?: StreamLimits): StreamParser {
  let parser: StreamParser | undefined
  const choose = (isArray: boolean): StreamParser =>
    (isArray ? createJsonArrayParser : createSsePayloadParser(undefined))(onPayload, limits)
  return {
    push(chunk) {
      const first = parser === undefined ? findFirstCode(chunk) : undefined
      if (parser === undefined && first !== undefined) parser = choose(first === OPEN_BRACKET_CODE)
      parser?.push(chunk)
    },
    end: () => (parser ?? choose(false)).end(),
  }
}

/** The first character of a chunk that is not blank. */
function findFirstCode(chunk: Uint8Array | string): number | undefined {
  for (let at = 0; at < chunk.length; at++) {
    const code = typeof chunk === 'string' ? chunk.charCodeAt(at) : chunk[at]
    if (code !== undefined && !blankCodes.has(code)) return code
  }
  return undefined
}
