// @ts-check
// The least that reading a stream needs: find the payloads and parse them. Benchmarks of streams compare with it.
import { crc32 } from 'node:zlib'
import { createParser } from 'eventsource-parser'

/** @typedef {import('interlingua').DialectName} DialectName */
/** @typedef {{ push: (bytes: Uint8Array) => void }} PlainReader */

/** A message of an event stream: lengths and a checksum, headers, payload, checksum. */
const PRELUDE_BYTES = 12
const CHECKSUM_BYTES = 4

/**
 * @param {(payload: unknown, text: string) => void} onPayload
 * @returns {PlainReader}
 */
function createSseReader(onPayload) {
  const decoder = new TextDecoder()
  const parser = createParser({
    onEvent: ({ data }) => {
      if (data !== '' && data !== '[DONE]') onPayload(JSON.parse(data), data)
    },
  })
  return { push: (bytes) => parser.feed(decoder.decode(bytes, { stream: true })) }
}

/**
 * @param {(payload: unknown, text: string) => void} onPayload
 * @returns {PlainReader}
 */
function createLineReader(onPayload) {
  const decoder = new TextDecoder()
  let rest = ''
  return {
    push: (bytes) => {
      const lines = `${rest}${decoder.decode(bytes, { stream: true })}`.split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) if (line !== '') onPayload(JSON.parse(line), line)
    },
  }
}

/**
 * @param {(payload: unknown, text: string) => void} onPayload
 * @returns {PlainReader}
 */
function createBinaryReader(onPayload) {
  const decoder = new TextDecoder()
  let rest = Buffer.alloc(0)
  return {
    push: (bytes) => {
      rest = rest.length === 0 ? Buffer.from(bytes) : Buffer.concat([rest, bytes])
      while (rest.length >= PRELUDE_BYTES && rest.length >= rest.readUInt32BE(0)) {
        const message = rest.subarray(0, rest.readUInt32BE(0))
        rest = rest.subarray(message.length)
        const end = message.length - CHECKSUM_BYTES
        if (crc32(message.subarray(0, end)) !== message.readUInt32BE(end)) throw new Error('wrong checksum')
        const text = decoder.decode(message.subarray(PRELUDE_BYTES + message.readUInt32BE(4), end))
        onPayload(JSON.parse(text), text)
      }
    },
  }
}

/**
 * Creates a reader that calls a function with each payload of a stream, parsed and as text.
 * @param {DialectName} name
 * @param {(payload: unknown, text: string) => void} onPayload
 */
export function createPlainReader(name, onPayload) {
  if (name === 'bedrock') return createBinaryReader(onPayload)
  return name === 'ollama' ? createLineReader(onPayload) : createSseReader(onPayload)
}
