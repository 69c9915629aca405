import { InterlinguaError } from '../errors.ts'
import { crc32 } from './crc32.ts'
import { createLimitError, resolveStreamLimits, type StreamLimits } from './stream-limits.ts'
import { rethrowFirstError, type StreamParser } from './utf8-reader.ts'

// The binary framing of AWS (`application/vnd.amazon.eventstream`). A message consists of its length, the length of its headers
// and the checksum of both (the prelude), then headers, payload, and the checksum of everything before it. All numbers are
// big-endian. Source: the event stream encoding of Amazon Transcribe's developer guide; smithy.io, "Amazon Event Stream".

/** The length of the prelude: the length of the message, the length of its headers, and a checksum. */
const PRELUDE_BYTES = 12
const CHECKSUM_BYTES = 4

/** The code of a header whose value is a text. */
const STRING_TYPE = 7

/** The lengths of header values by type code; `prefixed` values start with their length. */
const valueLengths: readonly (number | 'prefixed')[] = [0, 0, 1, 2, 4, 8, 'prefixed', 'prefixed', 8, 16]

/** A message of an event stream. Headers whose value is not text are left out. */
export interface AwsEventStreamMessage {
  readonly headers: ReadonlyMap<string, string>
  readonly payload: Uint8Array
}

/**
 * Creates a push parser of binary event stream messages. Bytes may be split anywhere. A message with a wrong checksum or length
 * throws `invalid-stream`, a message that is cut off throws `stream-cut`.
 *
 * @example
 * const parser = createAwsEventStreamParser(({ headers }) => console.log(headers.get(':event-type')))
 * parser.push(bytes) // messageStart
 */
export function createAwsEventStreamParser(
  onMessage: (message: AwsEventStreamMessage) => void,
  limits?: StreamLimits,
): StreamParser {
  const { maxEventChars, maxTotalChars } = resolveStreamLimits(limits)
  let chunks: Uint8Array[] = []
  let bufferedBytes = 0
  let totalBytes = 0
  const headers = new HeadersReader()
  /** The number of bytes after which the next step is possible: the prelude, or the whole message. */
  let neededBytes = PRELUDE_BYTES

  function push(chunk: Uint8Array | string): void {
    if (typeof chunk === 'string') throw createDamageError('text', 'bytes of an event stream')
    totalBytes += chunk.length
    if (totalBytes > maxTotalChars) throw createLimitError('stream-too-large', maxTotalChars)
    chunks.push(chunk)
    bufferedBytes += chunk.length
    if (bufferedBytes >= neededBytes) readMessages(joinChunks(chunks, bufferedBytes))
  }

  function readMessages(bytes: Uint8Array): void {
    const view = toView(bytes)
    let start = 0
    neededBytes = PRELUDE_BYTES
    while (bytes.length - start >= neededBytes) {
      const length = readMessageLength(bytes, view, start)
      if (length > maxEventChars) throw createLimitError('event-too-large', maxEventChars)
      neededBytes = length
      if (bytes.length - start < length) break
      const message = parseMessage(bytes, view, start, start + length, headers)
      start += length
      neededBytes = PRELUDE_BYTES
      onMessage(message)
    }
    chunks = start === bytes.length ? [] : [bytes.subarray(start)]
    bufferedBytes = bytes.length - start
  }

  function end(): void {
    if (bufferedBytes === 0) return
    throw new InterlinguaError('stream-cut', 'The stream ended inside of a message', {
      found: `${bufferedBytes} bytes`,
      expected: `${neededBytes} bytes`,
      hint: 'The connection was interrupted: send the request again.',
      retryable: true,
    })
  }

  return rethrowFirstError({ push, end })
}

function joinChunks(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const [only] = chunks
  if (only !== undefined && chunks.length === 1) return only
  const joined = new Uint8Array(size)
  let offset = 0
  for (const chunk of chunks) {
    joined.set(chunk, offset)
    offset += chunk.length
  }
  return joined
}

/** Reads the length of a message. The checksum is verified first: a damaged length would wait for bytes that never arrive. */
function readMessageLength(bytes: Uint8Array, view: DataView, start: number): number {
  if (view.getUint32(start + 8) !== crc32(bytes.subarray(start, start + 8)))
    throw createDamageError('a prelude with a wrong checksum', 'an event stream of AWS')
  const length = view.getUint32(start)
  if (length < PRELUDE_BYTES + CHECKSUM_BYTES + view.getUint32(start + 4))
    throw createDamageError('headers that are longer than their message', 'headers within the message')
  return length
}

/** Parses the message from `start` to `end`. */
function parseMessage(
  bytes: Uint8Array,
  view: DataView,
  start: number,
  end: number,
  headers: HeadersReader,
): AwsEventStreamMessage {
  const payloadEnd = end - CHECKSUM_BYTES
  if (view.getUint32(payloadEnd) !== crc32(bytes.subarray(start, payloadEnd)))
    throw createDamageError('a message with a wrong checksum', 'a message as it was sent')
  const headersStart = start + PRELUDE_BYTES
  const headersEnd = headersStart + view.getUint32(start + 4)
  return {
    headers: headers.read(bytes, headersStart, headersEnd),
    payload: bytes.subarray(headersEnd, payloadEnd),
  }
}

/** Reads the headers of messages. Those of most messages are the same as those of the message before. */
class HeadersReader {
  #bytes = new Uint8Array()
  #headers: ReadonlyMap<string, string> = new Map()

  read(bytes: Uint8Array, start: number, end: number): ReadonlyMap<string, string> {
    if (!isEqualRange(this.#bytes, bytes, start, end)) {
      this.#headers = parseHeaders(bytes.subarray(start, end))
      this.#bytes = bytes.slice(start, end)
    }
    return this.#headers
  }
}

/** Returns true if the bytes from `start` to `end` are the expected ones. A callback for each byte would take ten times as long. */
function isEqualRange(expected: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  const { length } = expected
  if (end - start !== length) return false
  for (let at = 0; at < length; at++) if (expected[at] !== bytes[start + at]) return false
  return true
}

function parseHeaders(bytes: Uint8Array): ReadonlyMap<string, string> {
  const view = toView(bytes)
  const decoder = new TextDecoder()
  const headers = new Map<string, string>()
  let offset = 0
  const take = (count: number): number => {
    const start = offset
    offset += count
    if (offset > bytes.length) throw createDamageError('a header that is cut off', 'complete headers')
    return start
  }
  const takeText = (length: number): string => {
    const start = take(length)
    return decoder.decode(bytes.subarray(start, start + length))
  }
  while (offset < bytes.length) {
    const name = takeText(view.getUint8(take(1)))
    const type = view.getUint8(take(1))
    const length = valueLengths[type]
    if (length === undefined) throw createDamageError(`a header of type ${type}`, 'a type from 0 to 9')
    const value = takeText(length === 'prefixed' ? view.getUint16(take(2)) : length)
    if (type === STRING_TYPE) headers.set(name, value)
  }
  return headers
}

/**
 * Formats a binary event stream message.
 *
 * @example
 * formatAwsEventStreamMessage({ ':event-type': 'messageStart' }, new TextEncoder().encode('{"role":"assistant"}'))
 */
export function formatAwsEventStreamMessage(
  headers: { readonly [name: string]: string },
  payload: Uint8Array,
): Uint8Array {
  const encoder = new TextEncoder()
  const encoded = Object.entries(headers).map(([name, value]) => formatHeader(encoder, name, value))
  const headersLength = encoded.reduce((sum, { length }) => sum + length, 0)
  const bytes = new Uint8Array(PRELUDE_BYTES + headersLength + payload.length + CHECKSUM_BYTES)
  const view = toView(bytes)
  view.setUint32(0, bytes.length)
  view.setUint32(4, headersLength)
  view.setUint32(8, crc32(bytes.subarray(0, 8)))
  let offset = PRELUDE_BYTES
  for (const part of [...encoded, payload]) {
    bytes.set(part, offset)
    offset += part.length
  }
  view.setUint32(offset, crc32(bytes.subarray(0, offset)))
  return bytes
}

function formatHeader(encoder: TextEncoder, name: string, value: string): Uint8Array {
  const nameBytes = encoder.encode(name)
  const valueBytes = encoder.encode(value)
  const bytes = new Uint8Array(nameBytes.length + valueBytes.length + 4)
  bytes[0] = nameBytes.length
  bytes.set(nameBytes, 1)
  bytes[nameBytes.length + 1] = STRING_TYPE
  toView(bytes).setUint16(nameBytes.length + 2, valueBytes.length)
  bytes.set(valueBytes, nameBytes.length + 4)
  return bytes
}

function toView(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function createDamageError(found: string, expected: string): InterlinguaError {
  return new InterlinguaError(
    'invalid-stream',
    'The stream is damaged, or it is not an event stream of AWS',
    {
      found,
      expected,
      hint: 'Check the base URL and any proxy, then send the request again.',
    },
  )
}
