import { InterlinguaError } from '../../errors.ts'
import { createAwsEventStreamParser, formatAwsEventStreamMessage } from '../../wire/aws-event-stream.ts'
import { isObject, type Json, type JsonObject, readStringOrEmpty, tryParseJson } from '../../wire/json.ts'
import { createNdjsonParser } from '../../wire/ndjson.ts'
import { checkPayloadDepth, type StreamLimits } from '../../wire/stream-limits.ts'
import type { StreamParser } from '../../wire/utf8-reader.ts'
import type { Framing, PayloadHandler } from './stream-framing.ts'

/** The key of a payload for a failure of the service without a type of its own. */
const ERROR_KEY = 'error'

/** The header that names the key of a payload, by message type. */
const nameHeaders: { readonly [type: string]: string } = {
  event: ':event-type',
  exception: ':exception-type',
}

/**
 * The binary event stream of AWS. A payload is an object with one key, the type of the event or exception, as the official
 * clients return it. Logged events with one JSON object per line are read too; the parser decides by the first character.
 */
export const awsEventStreamFraming: Framing = {
  createParser: createEventStreamPayloadParser,
  write: formatPayload,
  isBinary: true,
}

/** The first byte of a binary message is below this one: it is the highest byte of a length of less than 150 MB. */
const FIRST_TEXT_CODE = 0x09

function createEventStreamPayloadParser(
  onPayload: (payload: Json) => void,
  limits?: StreamLimits,
): StreamParser {
  let parser: StreamParser | undefined
  const choose = (chunk: Uint8Array | string): StreamParser => {
    const isText = typeof chunk === 'string' || (chunk[0] ?? 0) >= FIRST_TEXT_CODE
    return isText ? createLineParser(onPayload, limits) : createBinaryParser(onPayload, limits)
  }
  return {
    push(chunk) {
      if (chunk.length === 0) return
      parser ??= choose(chunk)
      parser.push(chunk)
    },
    end: () => parser?.end(),
  }
}

/** Creates the parser of logged events. A binary stream cannot contain a line without a type, or with several. */
function createLineParser(onPayload: PayloadHandler, limits?: StreamLimits): StreamParser {
  return createNdjsonParser((payload, characters) => {
    const [name, ...others] = isObject(payload) ? Object.keys(payload) : ['']
    const isErrorBody = isObject(payload) && payload['__type'] !== undefined
    if (!isErrorBody && (name === undefined || others.length > 0)) throw createPayloadError(undefined)
    onPayload(payload, characters)
  }, limits)
}

function createBinaryParser(onPayload: PayloadHandler, limits?: StreamLimits): StreamParser {
  const decoder = new TextDecoder()
  return createAwsEventStreamParser(({ headers, payload }) => {
    const type = headers.get(':message-type') ?? 'event'
    if (type === 'error') {
      const code = headers.get(':error-code') ?? ''
      onPayload({ [ERROR_KEY]: { code, message: headers.get(':error-message') ?? '' } })
      return
    }
    const text = decoder.decode(payload)
    const value = text === '' ? {} : checkPayloadDepth(tryParseJson(text), text)
    const name = headers.get(nameHeaders[type] ?? '')
    if (name === undefined || value === undefined) throw createPayloadError(name)
    onPayload({ [name]: value }, text.length)
  }, limits)
}

function createPayloadError(name: string | undefined): InterlinguaError {
  const found = name === undefined ? 'a message without a type' : `a message of type '${name}' without JSON`
  const problem = `A message of the event stream is not an event with JSON: found ${found}`
  return new InterlinguaError('invalid-stream', problem, {
    found,
    expected: 'an event or exception with a JSON payload',
    hint: 'The source of the stream is not the provider. Check the base URL and any proxy.',
  })
}

function formatPayload(wire: JsonObject): Uint8Array {
  const [name = ''] = Object.keys(wire)
  const { [name]: value = {} } = wire
  if (name === ERROR_KEY && isObject(value))
    return formatAwsEventStreamMessage(
      {
        ':message-type': 'error',
        ':error-code': readStringOrEmpty(value['code']),
        ':error-message': readStringOrEmpty(value['message']),
      },
      new Uint8Array(),
    )
  const type = name.endsWith('Exception') ? 'exception' : 'event'
  const headers = {
    [nameHeaders[type] ?? '']: name,
    ':content-type': 'application/json',
    ':message-type': type,
  }
  return formatAwsEventStreamMessage(headers, new TextEncoder().encode(JSON.stringify(value)))
}
