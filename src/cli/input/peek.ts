/** The beginning of a source, and the source as if nobody had looked. */
export interface PeekResult {
  /** The first line that is not blank, without its end; as much of it as was looked at. */
  readonly firstLine: string
  /** Whether something follows that line. */
  readonly hasMore: boolean
  readonly bytes: AsyncIterable<Uint8Array>
}

/** A first line longer than this tells what it is before its end. */
const MAX_PEEK_BYTES = 64 * 1024 * 1024

/** Looks at the first line of a source. */
export async function peekFirstLine(bytes: AsyncIterable<Uint8Array>): Promise<PeekResult> {
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

/** As much of the beginning of a source as tells something, and the source as if nobody had looked. */
export async function peekUntil(
  bytes: AsyncIterable<Uint8Array>,
  isEnough: (head: string) => boolean,
  limit: number,
): Promise<{ readonly head: string; readonly bytes: AsyncIterable<Uint8Array> }> {
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

/** Each character is looked at once, however the line is cut. */
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

async function* replay(
  seen: Uint8Array[],
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for (let chunk = seen.shift(); chunk !== undefined; chunk = seen.shift()) yield chunk
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value
  } finally {
    await rest.return?.()
  }
}
