import { isObject, type Json } from '../../wire/json.ts'
import {
  type CacheMarking,
  findInstructionMark,
  findTurnMarks,
  MARKED_WINDOW,
} from './prompt-cache-marking.ts'

/** An element with its JSON text. */
interface ListElement {
  readonly element: Json
  readonly text: string
}

/**
 * The JSON text of a list that grows at its end. With a cache marking, the last elements are kept apart, because the
 * markers move with the end of the list.
 */
export class GrowingListText {
  readonly #marking: CacheMarking | undefined
  #text = ''
  #count = 0
  /** The last elements, which may get or lose a marker. */
  #tail: ListElement[] = []
  /** True while all elements in the text are instructions. */
  #isLeading = true

  constructor(marking: CacheMarking | undefined) {
    this.#marking = marking
  }

  get count(): number {
    return this.#count
  }

  push(elements: readonly Json[]): void {
    this.#count += elements.length
    for (const element of elements) this.#tail.push(toListElement(element))
    // One more than the window: the end of the instructions is known only with the element after it.
    const excess = this.#tail.length - (this.#marking === undefined ? 0 : MARKED_WINDOW + 1)
    for (const [index, { element, text }] of this.#tail.entries()) {
      if (index >= excess) break
      const marked = this.#markInstruction(element, this.#tail[index + 1]?.element)
      this.#text = append(this.#text, marked === undefined ? text : JSON.stringify(marked))
    }
    if (excess > 0) this.#tail = this.#tail.slice(excess)
  }

  /** Returns the text of the list with further elements at its end, and with markers. */
  toText(further: readonly Json[]): string {
    const end = [...this.#tail, ...further.map(toListElement)]
    const elements = end.map(({ element }) => element)
    const marks =
      this.#marking === undefined
        ? new Map<number, Json>()
        : new Map([
            ...(this.#isLeading ? findInstructionMark(elements, this.#marking) : []),
            ...findTurnMarks(elements, this.#marking),
          ])
    return end.reduce((text, each, index) => {
      const marked = marks.get(index)
      return append(text, marked === undefined ? each.text : JSON.stringify(marked))
    }, this.#text)
  }

  /** Returns the marked element if it ends the leading instructions. */
  #markInstruction(element: Json, next: Json | undefined): Json | undefined {
    if (!this.#isLeading || this.#marking === undefined) return undefined
    const isInstruction = isObject(element) && this.#marking.isInstruction?.(element)
    if (isInstruction !== true) {
      this.#isLeading = false
      return undefined
    }
    return next === undefined ? undefined : findInstructionMark([element, next], this.#marking).get(0)
  }
}

function toListElement(element: Json): ListElement {
  return { element, text: JSON.stringify(element) }
}

/** Appends an element to the text of a list. JavaScript engines do not copy the existing text. */
function append(list: string, element: string): string {
  return list === '' ? element : `${list},${element}`
}
