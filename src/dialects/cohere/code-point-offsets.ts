/**
 * The text that citations refer to. It converts between offsets in code points, which the wire has, and in UTF-16 units,
 * which the canonical citations have. Pieces are not joined, so that a stream of many citations costs no more than its text.
 */
export class CodePointOffsets {
  readonly #pieces: string[] = []
  /** The offset of each piece. */
  readonly #starts: number[] = []
  /** The offset after each character of two units. */
  readonly #wideEnds: number[] = []
  #length = 0
  #endsInHighSurrogate = false

  constructor(text = '') {
    this.append(text)
  }

  /** The length of the text in UTF-16 units. */
  get length(): number {
    return this.#length
  }

  append(text: string): void {
    if (text === '') return
    for (let index = 0; index < text.length; index += 1) {
      const unit = text.charCodeAt(index)
      if (this.#endsInHighSurrogate && unit >= 0xdc00 && unit <= 0xdfff)
        this.#wideEnds.push(this.#length + index + 1)
      this.#endsInHighSurrogate = unit >= 0xd800 && unit <= 0xdbff
    }
    this.#pieces.push(text)
    this.#starts.push(this.#length)
    this.#length += text.length
  }

  /** Returns the UTF-16 offset of an offset in code points. */
  toUtf16(codePoints: number): number {
    return codePoints + countWhile(this.#wideEnds, (end, index) => end - index - 1 <= codePoints)
  }

  /** Returns the offset in code points of a UTF-16 offset. */
  toCodePoints(utf16: number): number {
    return utf16 - countWhile(this.#wideEnds, (end) => end <= utf16)
  }

  slice(start: number, end: number): string {
    const texts: string[] = []
    const first = countWhile(this.#starts, (offset) => offset <= start) - 1
    for (let index = Math.max(first, 0); index < this.#pieces.length; index += 1) {
      const offset = this.#starts[index] ?? 0
      if (offset >= end) break
      texts.push((this.#pieces[index] ?? '').slice(Math.max(start - offset, 0), end - offset))
    }
    return texts.join('')
  }
}

/** Returns how many of the first numbers meet a condition, which no later number meets. */
function countWhile(numbers: readonly number[], meets: (value: number, index: number) => boolean): number {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (meets(numbers[middle] ?? 0, middle)) low = middle + 1
    else high = middle
  }
  return low
}
