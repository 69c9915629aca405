import { isInteger, isObject, itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import { freeKey } from './hosted.ts'
import { WrittenPart } from './written-part.ts'

type Wire = { readonly [key: string]: Json }

/** Where a part stands in what was written: its item, and its position in a list of the item. */
export interface Spot {
  readonly output: number
  readonly list?: 'content' | 'summary'
  readonly position?: number
}

/** Parts by their positions: a list would be as long as the greatest position that a host names. */
type Parts = Map<number, WrittenPart>

/** An item as far as it was written. */
interface Growing {
  readonly item: JsonObject
  readonly content: Parts
  readonly summary: Parts
  /** What its call is given, as text. */
  text: string
}

/** What wire events say of a text: the list that it stands in, and the key of its position. */
const lists: readonly (readonly [event: RegExp, list: 'content' | 'summary', position: string])[] = [
  [/^response\.(content_part|output_text|refusal|reasoning_text)\./, 'content', 'content_index'],
  [/^response\.reasoning_summary_(part|text)\./, 'summary', 'summary_index'],
]

/** What was written of a streamed response: repeats and the final object are made of it, so they follow edits. */
export class Written {
  readonly #items = new Map<number, Growing>()
  #number: number | undefined = -1
  #next = 0
  /** The response as it was last written. */
  response: JsonObject = {}
  /** The latest part, and whether the stream has ended. */
  latest: Spot = { output: -1 }
  ended = false

  /** The number of the next event; none where the events before it had none. */
  get number(): number | undefined {
    return this.#number === undefined ? undefined : this.#number + 1
  }

  /** The position of the next item. */
  get next(): number {
    return this.#next
  }

  /** How many parts stand in a list of the latest item. */
  count(list: 'content' | 'summary'): number {
    return this.#items.get(this.latest.output)?.[list].size ?? 0
  }

  /** The items in order. */
  items(): readonly JsonObject[] {
    return [...this.#items.keys()].toSorted((a, b) => a - b).map((output) => this.item(output))
  }

  /** An item as far as it was written. */
  item(output: number): JsonObject {
    const growing = this.#items.get(output)
    if (growing === undefined) return {}
    const { item, content, summary, text } = growing
    const key = textKey(item)
    return {
      ...item,
      ...((content.size > 0 || Array.isArray(item['content'])) && { content: wholeOf(content) }),
      ...((summary.size > 0 || Array.isArray(item['summary'])) && { summary: wholeOf(summary) }),
      ...(key !== undefined && (text !== '' || typeof item[key] === 'string') && { [key]: text }),
    }
  }

  /** The id of an item. */
  idOf(output: number): Json {
    return this.#items.get(output)?.item['id'] ?? ''
  }

  /** A part of an item as far as it was written. */
  part({ output, list = 'content', position = 0 }: Spot): WrittenPart | undefined {
    return this.#items.get(output)?.[list].get(position)
  }

  /** Takes note of a wire event; gives the spot that it is about. */
  note(wire: Wire): Spot {
    const { type, sequence_number: number, response, output_index: output } = wire
    this.#number = typeof number === 'number' ? number : undefined
    const kind = typeof type === 'string' ? type : ''
    if (isObject(response)) this.#noteResponse(kind, response)
    if (typeof output !== 'number') return this.latest
    if (isObject(wire['item'])) {
      this.#items.set(output, growingOf(wire['item']))
      this.#next = Math.max(this.#next, output + 1)
    }
    const spot = spotOf(kind, wire, output)
    if (!kind.endsWith('.done') || spot.list !== undefined) this.latest = spot
    this.#notePart(kind, wire, spot)
    return spot
  }

  #noteResponse(kind: string, response: JsonObject): void {
    if (kind === 'response.created') {
      this.#items.clear()
      this.#next = 0
    }
    this.response = response
    this.ended = /\.(completed|incomplete|failed|cancelled)$/.test(kind)
  }

  #notePart(kind: string, wire: Wire, { output, list, position = 0 }: Spot): void {
    const growing = this.#items.get(output)
    if (growing === undefined) return
    const { part, delta } = wire
    if (list === undefined) {
      if (/(arguments|input|call_code)\.delta$/.test(kind) && typeof delta === 'string') growing.text += delta
      const whole = wire['arguments'] ?? wire['input'] ?? wire['code']
      if (/(arguments|input|call_code)\.done$/.test(kind) && typeof whole === 'string') growing.text = whole
      return
    }
    if (isObject(part)) growing[list].set(position, new WrittenPart(part))
    else {
      const known = growing[list].get(position) ?? new WrittenPart(blankFor(kind))
      if (known.note(kind, wire)) growing[list].set(position, known)
    }
  }
}

/** Where no event opened a part, its first delta does. */
function blankFor(kind: string): JsonObject {
  if (kind.startsWith('response.refusal')) return { type: 'refusal', refusal: '' }
  if (kind.startsWith('response.reasoning_summary')) return { type: 'summary_text', text: '' }
  if (kind.startsWith('response.reasoning')) return { type: 'reasoning_text', text: '' }
  return { type: 'output_text', annotations: [], logprobs: [], text: '' }
}

/** The key of the text that says what an item's call is given. */
export function textKey(item: JsonObject): string | undefined {
  return freeKey(item) ?? (typeof item['arguments'] === 'string' ? 'arguments' : undefined)
}

function growingOf(item: JsonObject): Growing {
  const text = item[textKey(item) ?? '']
  return {
    item,
    content: partsOf(item['content']),
    summary: partsOf(item['summary']),
    text: typeof text === 'string' ? text : '',
  }
}

function partsOf(wire: Json | undefined): Parts {
  const parts = (itemsOf(wire).filter(isObject) as JsonObject[]).map((part) => new WrittenPart(part))
  return new Map(parts.entries())
}

function wholeOf(parts: Parts): readonly JsonObject[] {
  const ordered = [...parts].toSorted(([a], [b]) => a - b)
  return ordered.map(([, part]) => part.whole())
}

function spotOf(kind: string, wire: Wire, output: number): Spot {
  const row = lists.find(([event]) => event.test(kind))
  if (row === undefined) return { output }
  const [, list, key] = row
  const position = wire[key]
  return { output, list, position: isInteger(position) && position >= 0 ? position : 0 }
}
