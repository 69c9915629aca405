import { InterlinguaError } from '../errors.ts'
import type { ByteSource } from '../wire/input.ts'
import type { Json, JsonObject } from '../wire/json.ts'
import { parseNdjson, writeNdjson } from '../wire/ndjson.ts'
import { type CreateParser, type ParseOptions, parseSource } from '../wire/source.ts'
import { createSseParser, writeSse } from '../wire/sse.ts'

/** How the payloads of a stream follow each other on the wire. */
export interface Framing {
  /** The payloads of a stream as they arrive. */
  read(source: ByteSource, options: ParseOptions): AsyncIterable<Json>
  /** A payload, ready to be sent. */
  write(wire: JsonObject): string
  /** What stands after the last payload. */
  readonly end?: string
}

/** What is particular to the server-sent events of a format. */
interface SseFraming {
  /** The name of the event that carries a payload, where the format names them. */
  readonly nameOf?: (wire: JsonObject) => string | undefined
  /** The data that stands after the last payload, if any. */
  readonly done?: string
}

/** Server-sent events, one for each payload. */
export function sse({ nameOf = () => undefined, done }: SseFraming = {}): Framing {
  return {
    read: (source, options) => parseSource(source, payloadsOf(done), options),
    write(wire) {
      const event = nameOf(wire)
      return writeSse({ ...(event !== undefined && { event }), data: JSON.stringify(wire) })
    },
    ...(done !== undefined && { end: writeSse({ data: done }) }),
  }
}

/** Payloads are read where the events are: a generator around them would take as long as all the rest. */
function payloadsOf(done: string | undefined): CreateParser<Json> {
  return (onPayload, limits) =>
    createSseParser(({ data }) => {
      if (data !== done) onPayload(parsePayload(data))
    }, limits)
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
export const ndjson: Framing = { read: parseNdjson, write: writeNdjson }
