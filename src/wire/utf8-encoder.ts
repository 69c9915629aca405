/** The size of a buffer that texts share. */
const BUFFER_BYTES = 8192

/** The most bytes that one character (a UTF-16 unit) takes. */
const MAX_BYTES_PER_CHARACTER = 3

/**
 * Encodes texts as UTF-8. Short texts of one encoder share a buffer, like those of Node's `Buffer`: to create a buffer costs five
 * times as much as to encode an event of a stream. Bytes are never written again once they were returned.
 *
 * @example
 * const encoder = new Utf8Encoder()
 * encoder.encode('data: {}\n\n') // Uint8Array
 */
export class Utf8Encoder {
  readonly #encoder = new TextEncoder()
  /** The rest of the shared buffer. It is empty, too, after a consumer has transferred the buffer. */
  #rest = new Uint8Array(0)

  encode(text: string): Uint8Array {
    const maxBytes = text.length * MAX_BYTES_PER_CHARACTER
    if (maxBytes > BUFFER_BYTES) return this.#encoder.encode(text)
    if (maxBytes >= this.#rest.length) this.#rest = new Uint8Array(BUFFER_BYTES)
    const { written } = this.#encoder.encodeInto(text, this.#rest)
    const bytes = this.#rest.subarray(0, written)
    this.#rest = this.#rest.subarray(written)
    return bytes
  }
}
