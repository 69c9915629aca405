/** Converts between indexes of a text and numbers of UTF-8 bytes. Only its creation reads the whole text. */
export class Utf8Offsets {
  readonly #text: string
  /** The number of bytes before each index; absent if every character has one byte. */
  readonly #bytesBefore: Uint32Array | undefined

  constructor(text: string) {
    this.#text = text
    this.#bytesBefore = hasOnlyAscii(text) ? undefined : countBytesBefore(text)
  }

  /** Returns the number of bytes before an index. */
  toByteOffset(index: number): number {
    return this.#bytesBefore?.[index] ?? index
  }

  /** Returns the index after a number of bytes; undefined inside a character or beyond the end. */
  toIndex(bytes: number): number | undefined {
    const { length } = this.#text
    const table = this.#bytesBefore
    if (table === undefined)
      return Number.isInteger(bytes) && bytes >= 0 && bytes <= length ? bytes : undefined
    let low = 0
    let high = length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((table[middle] ?? 0) < bytes) low = middle + 1
      else high = middle
    }
    return table[low] === bytes && this.isBoundary(low) ? low : undefined
  }

  /** Returns true if an index does not divide a character. */
  isBoundary(index: number): boolean {
    return !(isHighSurrogate(this.#text, index - 1) && isLowSurrogate(this.#text, index))
  }
}

function hasOnlyAscii(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) > 0x7f) return false
  return true
}

function countBytesBefore(text: string): Uint32Array {
  const table = new Uint32Array(text.length + 1)
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    // Of the four bytes of a pair, one is counted for its second half; a lone half has three.
    const isSecondHalf = isHighSurrogate(text, index - 1) && isLowSurrogate(text, index)
    const size = isSecondHalf ? 1 : code < 0x80 ? 1 : code < 0x8_00 ? 2 : 3
    table[index + 1] = (table[index] ?? 0) + size
  }
  return table
}

const isHighSurrogate = (text: string, index: number): boolean => (text.charCodeAt(index) & 0xfc00) === 0xd800
const isLowSurrogate = (text: string, index: number): boolean => (text.charCodeAt(index) & 0xfc00) === 0xdc00

/** The tables of the texts that the current task converts. */
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
