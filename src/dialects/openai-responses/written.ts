import { isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { wordOf } from '../shared/wire-text.ts'
import { freeKey } from './hosted.ts'

type Wire = { readonly [key: string]: Json }

/** Where a part stands in what was written: its item, and its position in a list of the item. */
export interface Spot {
  readonly output: number
  readonly list?: 'content' | 'summary'
  readonly position?: number
}

/** An item as far as it was written. */
interface Growing {
  item: JsonObject
  readonly content: JsonObject[]
  readonly summary: JsonObject[]
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
  /** The response as it was last written. */
  response: JsonObject = {}
  /** The latest part, and whether the stream has ended. */
  latest: Spot = { output: -1 }
  ended = false

  /** The number of the next event; none where the events before it had none. */
  get numbered(): JsonObject {
    return this.#number === undefined ? {} : { sequence_number: this.#number + 1 }
  }

  /** The position of the next item. */
  get next(): number {
    return Math.max(-1, ...this.#items.keys()) + 1
  }

  /** How many parts stand in a list of the latest item. */
  count(list: 'content' | 'summary'): number {
    return this.#items.get(this.latest.output)?.[list].length ?? 0
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
      ...((content.length > 0 || Array.isArray(item['content'])) && { content }),
      ...((summary.length > 0 || Array.isArray(item['summary'])) && { summary }),
      ...(key !== undefined && (text !== '' || typeof item[key] === 'string') && { [key]: text }),
    }
  }

  /** A part of an item as far as it was written. */
  part({ output, list = 'content', position = 0 }: Spot): JsonObject {
    return this.#items.get(output)?.[list][position] ?? {}
  }

  /** Takes note of a wire event; gives the spot that it is about. */
  note(wire: Wire): Spot {
    const { type, sequence_number: number, response, output_index: output } = wire
    this.#number = typeof number === 'number' ? number : undefined
    const kind = typeof type === 'string' ? type : ''
    if (isObject(response)) this.#noteResponse(kind, response)
    if (typeof output !== 'number') return this.latest
    if (isObject(wire['item'])) this.#items.set(output, growingOf(wire['item']))
    const spot = spotOf(kind, wire, output)
    if (!kind.endsWith('.done') || spot.list !== undefined) this.latest = spot
    this.#notePart(kind, wire, spot)
    return spot
  }

  #noteResponse(kind: string, response: JsonObject): void {
    if (kind === 'response.created') this.#items.clear()
    this.response = response
    this.ended = /\.(completed|incomplete|failed|cancelled)$/.test(kind)
  }

  #notePart(kind: string, wire: Wire, { output, list, position = 0 }: Spot): void {
    const growing = this.#items.get(output)
    if (growing === undefined) return
    const { part, delta, text, refusal, annotation } = wire
    if (list === undefined) {
      if (/(arguments|input|call_code)\.delta$/.test(kind) && typeof delta === 'string') growing.text += delta
      const whole = wire['arguments'] ?? wire['input'] ?? wire['code']
      if (/(arguments|input|call_code)\.done$/.test(kind) && typeof whole === 'string') growing.text = whole
      return
    }
    const before = growing[list][position] ?? blankFor(kind)
    const key = before['type'] === 'refusal' ? 'refusal' : 'text'
    if (isObject(part)) growing[list][position] = part
    else if (isObject(annotation))
      growing[list][position] = {
        ...before,
        annotations: [...listOf(before['annotations']), annotation],
      }
    else if (typeof delta === 'string')
      growing[list][position] = {
        ...before,
        [key]: `${wordOf(before[key])}${delta}`,
        ...measured(before, wire),
      }
    else if (kind.endsWith('.done')) {
      const said = key === 'refusal' ? refusal : text
      if (typeof said === 'string') growing[list][position] = { ...before, [key]: said }
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

/** Log probabilities join those that came before. */
function measured(before: JsonObject, { logprobs }: Wire): JsonObject {
  if (!isList(logprobs) || logprobs.length === 0) return {}
  return { logprobs: [...listOf(before['logprobs']), ...logprobs] }
}

function listOf(value: Json | undefined): readonly Json[] {
  return isList(value) ? value : []
}

/** The key of the text that says what an item's call is given. */
export function textKey(item: JsonObject): string | undefined {
  return freeKey(item) ?? (typeof item['arguments'] === 'string' ? 'arguments' : undefined)
}

function growingOf(item: JsonObject): Growing {
  const text = item[textKey(item) ?? '']
  return {
    item,
    content: listOf(item['content']).filter(isObject) as JsonObject[],
    summary: listOf(item['summary']).filter(isObject) as JsonObject[],
    text: typeof text === 'string' ? text : '',
  }
}

function spotOf(kind: string, wire: Wire, output: number): Spot {
  const row = lists.find(([event]) => event.test(kind))
  if (row === undefined) return { output }
  const [, list, position] = row
  return { output, list, position: typeof wire[position] === 'number' ? wire[position] : 0 }
}
