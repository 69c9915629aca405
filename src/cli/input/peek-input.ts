import type { ByteChunks } from './bytes-to-text.ts'

/** The beginning of a source, and the complete source from its start. */
export interface PeekResult {
  /** The first non-blank line without its line break, up to the peek limit. */
  readonly firstLine: string
  /** True if non-blank text follows the first line. */
  readonly hasMore: boolean
  readonly bytes: ByteChunks
}

/** A longer first line is judged by its beginning. */
const MAX_PEEK_BYTES = 64 * 1024 * 1024

/** Reads the first line of a source without consuming it. */
export async function peekFirstLine(bytes: ByteChunks): Promise<PeekResult> {
  const iterator = bytes[Symbol.asyncIterator]()
  const decoder = new TextDecoder()
  const seen: Uint8Array[] = []
  const first = new FirstLine()
  for (let length = 0; !first.hasMore && length < MAX_PEEK_BYTES;) {
    const { done, value } = await iterator.next()
    if (done === true) break
    seen.push(value)
    length += value.length
    first.push(decoder.decode(value, { stream: true }))
  }
  return { firstLine: first.text, hasMore: first.hasMore, bytes: replay(seen, iterator) }
}

/** Reads the beginning of a source until `isEnough` or `limit` characters, without consuming it. */
export async function peekUntil(
  bytes: ByteChunks,
  isEnough: (head: string) => boolean,
  limit: number,
): Promise<{ readonly head: string; readonly bytes: ByteChunks }> {
  const iterator = bytes[Symbol.asyncIterator]()
  const decoder = new TextDecoder()
  const seen: Uint8Array[] = []
  let head = ''
  while (head.length < limit && !isEnough(head)) {
    const { done, value } = await iterator.next()
    if (done === true) break
    seen.push(value)
    head += decoder.decode(value, { stream: true })
  }
  return { head, bytes: replay(seen, iterator) }
}

/** Collects the first line. Scans each character once, however the line is split into chunks. */
class FirstLine {
  readonly #pieces: string[] = []
  #begun = false
  #ended = false
  hasMore = false

  push(chunk: string): void {
    const text = this.#begun ? chunk : chunk.trimStart()
    this.#begun ||= text !== ''
    const end = this.#ended ? 0 : text.search(/[\r\n]/)
    if (!this.#ended) this.#pieces.push(end === -1 ? text : text.slice(0, end))
    this.#ended ||= end !== -1
    this.hasMore ||= this.#ended && /\S/.test(text.slice(end))
  }

  get text(): string {
    return this.#pieces.join('').trimEnd()
  }
}

async function* replay(seen: Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    for (let chunk = seen.shift(); chunk !== undefined; chunk = seen.shift()) yield chunk
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value
  } finally {
    await rest.return?.()
  }
}
