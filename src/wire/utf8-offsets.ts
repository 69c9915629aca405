/** The first code that takes more than one byte. */
const FIRST_LONGER_CODE = 0x80

/** The bytes of a surrogate pair, which has two code units. */
const PAIR_BYTES = 4

/** The bytes of half a surrogate pair without the other half. */
const LONE_HALF_BYTES = 3

/**
 * Converts between indexes of a text and numbers of UTF-8 bytes. The text can be added in pieces and is not kept: only the
 * runs of characters of the same size are, so ASCII text needs no memory.
 */
export class Utf8Offsets {
  /** For each run: its first index, the bytes before it, and the bytes of each of its characters. */
  readonly #starts: number[] = [0]
  readonly #bytes: number[] = [0]
  readonly #sizes: number[] = [1]
  #length = 0
  #byteLength = 0
  #endsWithHalf = false

  constructor(text = '') {
    this.append(text)
  }

  /** The length of the text. */
  get length(): number {
    return this.#length
  }

  /** Adds a piece at the end of the text; a surrogate pair may be divided between two pieces. */
  append(piece: string): void {
    let index = 0
    if (this.#endsWithHalf && isLowSurrogate(piece.charCodeAt(0))) {
      this.#removeHalf()
      this.#addCharacters(1, PAIR_BYTES)
      index = 1
    }
    while (index < piece.length) {
      const start = index
      while (piece.charCodeAt(index) < FIRST_LONGER_CODE) index++
      if (index > start) this.#addCharacters(index - start, 1)
      if (index === piece.length) break
      const size = countBytes(piece.codePointAt(index) ?? 0)
      this.#addCharacters(1, size)
      index += size === PAIR_BYTES ? 2 : 1
    }
    if (piece !== '') this.#endsWithHalf = isHighSurrogate(piece.charCodeAt(piece.length - 1))
  }

  #addCharacters(count: number, size: number): void {
    if (this.#sizes.at(-1) !== size) {
      this.#starts.push(this.#length)
      this.#bytes.push(this.#byteLength)
      this.#sizes.push(size)
    }
    this.#length += count * (size === PAIR_BYTES ? 2 : 1)
    this.#byteLength += count * size
  }

  /** Removes the half of a pair at the end of the text. */
  #removeHalf(): void {
    this.#length -= 1
    this.#byteLength -= LONE_HALF_BYTES
    if (this.#starts.at(-1) !== this.#length) return
    this.#starts.pop()
    this.#bytes.pop()
    this.#sizes.pop()
  }

  /** Returns the number of bytes before an index. */
  toByteOffset(index: number): number {
    const run = findRun(this.#starts, index)
    const [start = 0, bytes = 0, size = 1] = [this.#starts[run], this.#bytes[run], this.#sizes[run]]
    if (size !== PAIR_BYTES) return bytes + (index - start) * size
    const halves = index - start
    return bytes + Math.floor(halves / 2) * PAIR_BYTES + (halves % 2) * LONE_HALF_BYTES
  }

  /** Returns the index after a number of bytes; undefined inside a character or beyond the end. */
  toIndex(byteOffset: number): number | undefined {
    if (!Number.isInteger(byteOffset) || byteOffset < 0 || byteOffset > this.#byteLength) return undefined
    const run = findRun(this.#bytes, byteOffset)
    const [start = 0, bytes = 0, size = 1] = [this.#starts[run], this.#bytes[run], this.#sizes[run]]
    const characters = (byteOffset - bytes) / size
    if (!Number.isInteger(characters)) return undefined
    return start + characters * (size === PAIR_BYTES ? 2 : 1)
  }

  /** Returns true if an index does not divide a character. */
  isBoundary(index: number): boolean {
    const run = findRun(this.#starts, index)
    return this.#sizes[run] !== PAIR_BYTES || (index - (this.#starts[run] ?? 0)) % 2 === 0
  }
}

/** Returns the last run whose start is not above a value. */
function findRun(starts: readonly number[], value: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if ((starts[middle] ?? 0) <= value) low = middle
    else high = middle - 1
  }
  return low
}

function countBytes(codePoint: number): number {
  if (codePoint < FIRST_LONGER_CODE) return 1
  if (codePoint < 0x8_00) return 2
  return codePoint < 0x1_00_00 ? LONE_HALF_BYTES : PAIR_BYTES
}

const isHighSurrogate = (code: number): boolean => (code & 0xfc00) === 0xd800
const isLowSurrogate = (code: number): boolean => (code & 0xfc00) === 0xdc00

/** The offsets of the texts that the current task converts. */
const tables = new Map<string, Utf8Offsets>()

/** Returns the offsets of a text; they are computed once in a task, however many ranges of the text are converted. */
export function getUtf8Offsets(text: string): Utf8Offsets {
  const known = tables.get(text)
  if (known !== undefined) return known
  if (tables.size === 0) queueMicrotask(() => tables.clear())
  const made = new Utf8Offsets(text)
  tables.set(text, made)
  return made
}

const encoder = /* @__PURE__ */ new TextEncoder()

/** Returns the number of bytes of a text in UTF-8. */
export function countUtf8Bytes(text: string): number {
  return encoder.encode(text).length
}
