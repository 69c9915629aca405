import { isObject, itemsOf, type Json } from '../../wire/json.ts'
import type { OpenItems } from './conversation-encoder.ts'
import { ElementText, parseElementTexts, type WrittenElement } from './element-text.ts'
import {
  type CacheMarking,
  findInstructionMark,
  findTurnMarks,
  MARKED_WINDOW,
} from './prompt-cache-marking.ts'

/** The JSON text of the first items of an element, without brackets. */
interface OpenItemsText {
  /** The key of the element that contains the items. */
  readonly key: string
  readonly text: string
}

/** An element with its JSON text. Items that were taken before are only in the text. */
interface ListElement {
  readonly element: Json
  readonly taken: OpenItemsText | undefined
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
  /** The first items of the next element. */
  #openItems: OpenItemsText | undefined
  /** True while all elements in the text are instructions. */
  #isLeading = true

  constructor(marking: CacheMarking | undefined) {
    this.#marking = marking
  }

  /** True if the last elements may get cache markers. */
  get isMarked(): boolean {
    return this.#marking !== undefined
  }

  /** The number of elements in the text. */
  get count(): number {
    return this.#count
  }

  /** True if the next element has items already. */
  get hasOpenItems(): boolean {
    return this.#openItems !== undefined
  }

  /** Adds items to the next element, before those that it will contain itself. */
  pushOpenItems({ key, items }: OpenItems): void {
    const text = appendAll(this.#openItems?.text ?? '', items)
    if (text !== '') this.#openItems = { key, text }
  }

  push(elements: readonly WrittenElement[]): void {
    if (this.#marking === undefined) this.#pushTexts(elements)
    else this.#pushMarked(parseElementTexts(elements))
  }

  #pushTexts(elements: readonly WrittenElement[]): void {
    let text = this.#text
    for (const element of elements) {
      const isText = element instanceof ElementText
      this.#count += isText ? element.count : 1
      text = append(text, isText ? element.text : stringifyElement(element, this.#openItems))
      this.#openItems = undefined
    }
    this.#text = text
  }

  /** Keeps the last elements, because the markers move with the end of the list. */
  #pushMarked(elements: readonly Json[]): void {
    this.#count += elements.length
    for (const element of elements) {
      this.#tail.push(toListElement(element, this.#openItems))
      this.#openItems = undefined
    }
    // One more than the window: the end of the instructions is known only with the element after it.
    const excess = this.#tail.length - (MARKED_WINDOW + 1)
    for (const [index, { element, taken, text }] of this.#tail.entries()) {
      if (index >= excess) break
      const marked = this.#markInstruction(element, this.#tail[index + 1]?.element)
      this.#text = append(this.#text, marked === undefined ? text : stringifyElement(marked, taken))
    }
    if (excess > 0) this.#tail = this.#tail.slice(excess)
  }

  /** Returns the text of the list with further elements at its end, and with markers. */
  toText(further: readonly WrittenElement[]): string {
    if (this.#marking === undefined)
      return further.reduce<string>(
        (text, each, index) =>
          append(text, stringifyElement(each, index === 0 ? this.#openItems : undefined)),
        this.#text,
      )
    const end = [
      ...this.#tail,
      ...parseElementTexts(further).map((each, index) =>
        toListElement(each, index === 0 ? this.#openItems : undefined),
      ),
    ]
    const elements = end.map(({ element }) => element)
    const marks = new Map([
      ...(this.#isLeading ? findInstructionMark(elements, this.#marking) : []),
      ...findTurnMarks(elements, this.#marking),
    ])
    return end.reduce((text, each, index) => {
      const marked = marks.get(index)
      return append(text, marked === undefined ? each.text : stringifyElement(marked, each.taken))
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

function toListElement(element: Json, taken: OpenItemsText | undefined): ListElement {
  return { element, taken, text: stringifyElement(element, taken) }
}

/** Returns the JSON text of an element, with the items that were taken before its own. */
function stringifyElement(element: WrittenElement, taken: OpenItemsText | undefined): string {
  if (element instanceof ElementText) return element.text
  if (taken === undefined || !isObject(element)) return JSON.stringify(element)
  const fields = Object.keys(element).reduce((before, key) => {
    const value = element[key] as Json
    const text = key === taken.key ? `[${appendAll(taken.text, itemsOf(value))}]` : JSON.stringify(value)
    return append(before, `${JSON.stringify(key)}:${text}`)
  }, '')
  return `{${fields}}`
}

/** Appends the texts of elements to the text of a list. */
function appendAll(list: string, elements: readonly Json[]): string {
  return elements.reduce<string>((text, element) => append(text, JSON.stringify(element)), list)
}

/** Appends an element to the text of a list or object. JavaScript engines do not copy the existing text. */
function append(list: string, element: string): string {
  return list === '' ? element : `${list},${element}`
}
