import { InterlinguaError } from '../../errors.ts'
import { isObject, type Json, type JsonObject, stringifyOnOneLine, tryParseJson } from '../../wire/json.ts'
import { createJsonArrayParser } from '../../wire/json-array-parser.ts'
import { checkPayloadDepth, type StreamLimits } from '../../wire/stream-limits.ts'
import { createNdjsonParser, formatNdjsonLine } from '../../wire/ndjson.ts'
import { createSseParser, formatJsonEvent, formatSseEvent } from '../../wire/sse.ts'
import type { StreamParser } from '../../wire/utf8-reader.ts'
import { createStreamCutError } from './stream-failures.ts'

/** The transport format of a stream's payloads. */
export interface Framing {
  /** Creates a parser that finds the payloads of a stream, and the mark that ends it in some formats. */
  readonly createParser: PayloadParserFactory
  /** Returns a payload as text or bytes to send. */
  write(wire: JsonObject): string | Uint8Array
  /** The text after the last payload. */
  readonly end?: string
  /** True if streams are binary. The parser also reads the payloads as lines of JSON, as logs contain them. */
  readonly isBinary?: true
}

/** Receives a payload, and how many characters its text has, if that is known: a short text has no long list. */
export type PayloadHandler = (payload: Json, characters?: number) => void

type PayloadParserFactory = (
  onPayload: PayloadHandler,
  limits?: StreamLimits,
  onEndMark?: () => void,
) => StreamParser

/** Options of {@link createSseFraming}. */
interface SseFramingOptions {
  /** Returns the event name of a payload, if the format uses event names. */
  readonly getEventName?: (wire: JsonObject) => string | undefined
  /** The data of the last event, after all payloads. */
  readonly doneData?: string
}

/**
 * Creates the framing of server-sent events with one event per payload.
 *
 * @example
 * createSseFraming({ doneData: '[DONE]' }).write({ text: 'Hi' }) // 'data: {"text":"Hi"}\n\n'
 */
export function createSseFraming({
  getEventName = () => undefined,
  doneData,
}: SseFramingOptions = {}): Framing {
  return {
    createParser: createSsePayloadParser(doneData),
    write: (wire) => formatJsonEvent(getEventName(wire), stringifyOnOneLine(wire)),
    ...(doneData !== undefined && { end: formatSseEvent({ data: doneData }) }),
  }
}

function createSsePayloadParser(done: string | undefined): PayloadParserFactory {
  return (onPayload, limits, onEndMark = () => {}) => {
    let isEnding = false
    const parser = createSseParser(
      ({ event, data }) => {
        if (data === done || isEndMark(data)) onEndMark()
        else if (data.startsWith('{') || /\S/.test(data)) {
          const payload = event === 'error' ? parseError(data, isEnding) : parsePayload(data, isEnding)
          onPayload(checkPayloadDepth(payload, data), data.length)
        }
      },
      limits,
      (json) => onPayload(checkPayloadDepth(parseStrayText(json), json), json.length),
    )
    return {
      push: parser.push,
      end() {
        // What follows the last blank line may be the beginning of an event that was cut off.
        isEnding = true
        parser.end()
      },
    }
  }
}

/** Returns true for all spellings of the mark that ends a stream: hosts send it even if the format has none. */
function isEndMark(data: string): boolean {
  return data.length < 20 && /^\s*\[done\]\s*$/i.test(data)
}

/** Parses the data of an event named `error`, which is an error whatever it contains. */
function parseError(data: string, isEnding: boolean): Json {
  const json = tryParseJson(data)
  if (json === undefined && isEnding && data.startsWith('{'))
    throw createStreamCutError('an incomplete error')
  const payload = json ?? { message: data }
  return isErrorPayload(payload) ? payload : { error: payload }
}

/** Parses text outside of events: an error that ended the stream, or a response that is not a stream. */
function parseStrayText(json: string): Json {
  const payload = tryParseJson(json)
  if (payload !== undefined && isErrorPayload(payload)) return payload
  throw new InterlinguaError(
    'invalid-stream',
    'The response is not a stream: it contains text outside of events',
    {
      found: `${json.length} characters outside of events`,
      expected: 'server-sent events with a JSON payload',
      hint: 'If the host does not stream its response, decode the body with `decodeResponse`.',
    },
  )
}

function isErrorPayload(payload: Json): boolean {
  return isObject(payload) && (payload['type'] === 'error' || Object.hasOwn(payload, 'error'))
}

function parsePayload(data: string, isEnding: boolean): Json {
  try {
    return JSON.parse(data) as Json
  } catch {
    // The error of the platform quotes the text.
    if (isEnding) throw createStreamCutError('an incomplete payload')
    throw new InterlinguaError('invalid-stream', 'The data of a stream event is not valid JSON', {
      found: `${data.length} characters that are not JSON`,
      expected: 'a JSON payload',
      hint: 'The source of the stream is not the provider. Check the base URL and any proxy.',
    })
  }
}

/**
 * The framing of newline-delimited JSON, with one line per payload.
 *
 * @example
 * ndjsonFraming.write({ text: 'Hi' }) // '{"text":"Hi"}\n'
 */
export const ndjsonFraming: Framing = { createParser: createNdjsonParser, write: formatNdjsonLine }

/**
 * The framing of server-sent events or of a single JSON array of payloads; the parser decides by the first
 * character. Writes events.
 */
export const sseOrJsonArrayFraming: Framing = {
  ...createSseFraming(),
  createParser: createSseOrJsonArrayParser,
}

/** Codes that may precede the first significant character: white space and the bytes of a byte order mark. */
const blankCodes: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf, 0xfeff])
const OPEN_BRACKET_CODE = 0x5b

function createSseOrJsonArrayParser(
  onPayload: PayloadHandler,
  limits?: StreamLimits,
  onEndMark?: () => void,
): StreamParser {
  let parser: StreamParser | undefined
  const choose = (isArray: boolean): StreamParser =>
    isArray
      ? createJsonArrayParser(onPayload, limits)
      : createSsePayloadParser(undefined)(onPayload, limits, onEndMark)
  // Blank chunks before the first character, which may be parts of a byte order mark.
  const blank: (Uint8Array | string)[] = []
  const start = (isArray: boolean): StreamParser => {
    const started = choose(isArray)
    for (const chunk of blank.splice(0)) started.push(chunk)
    return started
  }
  return {
    push(chunk) {
      const first = parser === undefined ? findFirstCode(chunk) : undefined
      if (parser === undefined && first === undefined && blank.length < MAX_BLANK_CHUNKS) {
        blank.push(chunk)
        return
      }
      parser ??= start(first === OPEN_BRACKET_CODE)
      parser.push(chunk)
    },
    end: () => (parser ?? start(false)).end(),
  }
}

/** More blank chunks than this are no beginning of a JSON array. */
const MAX_BLANK_CHUNKS = 100

/** Returns the first code of a chunk that is not blank. */
function findFirstCode(chunk: Uint8Array | string): number | undefined {
  for (let at = 0; at < chunk.length; at++) {
    const code = typeof chunk === 'string' ? chunk.charCodeAt(at) : chunk[at]
    if (code !== undefined && !blankCodes.has(code)) return code
  }
  return undefined
}
