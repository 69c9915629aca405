import type { Json, JsonObject } from '../../wire/json.ts'

/**
 * Wire elements whose JSON text is already written. In the text of a request they take the place of the elements, so that
 * these are neither created nor stringified.
 */
export class ElementText {
  /** The JSON texts of the elements, separated by commas. */
  readonly text: string
  /** The number of elements. */
  readonly count: number

  constructor(text: string, count: number) {
    this.text = text
    this.count = count
  }

  /** Returns the elements themselves. */
  parse(): readonly JsonObject[] {
    return JSON.parse(`[${this.text}]`) as readonly JsonObject[]
  }
}

/** A wire element, or the text of several. */
export type WrittenElement<Element extends Json = Json> = Element | ElementText

/** Returns the elements themselves; the same list if none of them is a text. */
export function parseElementTexts(elements: readonly WrittenElement[]): readonly Json[] {
  return isParsed(elements) ? elements : elements.flatMap(parseElement)
}

function isParsed(elements: readonly WrittenElement[]): elements is readonly Json[] {
  for (const element of elements) if (element instanceof ElementText) return false
  return true
}

function parseElement(element: WrittenElement): readonly Json[] {
  return element instanceof ElementText ? element.parse() : [element]
}
