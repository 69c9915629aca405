import {
  isSafeInteger,
  isObject,
  itemsOf,
  type Json,
  type JsonObject,
  readStringOrEmpty,
} from '../../wire/json.ts'
import { getFreeTextKey } from './provider-tools.ts'
import { pushAll } from '../engine/frame-reader-writer.ts'

/** A part that is being written: its opening fields and what was added. It grows in place, piece by piece. */
export class StreamPartState {
  readonly #opening: JsonObject
  readonly #key: 'text' | 'refusal'
  #text: string | undefined
  readonly annotations: Json[]
  readonly logprobs: Json[]

  constructor(opening: JsonObject) {
    this.#opening = opening
    this.#key = opening['type'] === 'refusal' ? 'refusal' : 'text'
    this.annotations = [...itemsOf(opening['annotations'])]
    this.logprobs = [...itemsOf(opening['logprobs'])]
  }

  get text(): string {
    return this.#text ?? readStringOrEmpty(this.#opening[this.#key])
  }

  /** Adds a wire event. Returns whether the event changes the part. */
  noteEvent(kind: string, { delta, annotation, logprobs, [this.#key]: complete }: JsonObject): boolean {
    if (isObject(annotation)) this.annotations.push(annotation)
    else if (typeof delta === 'string') {
      this.#text = this.text + delta
      // Log probabilities are appended to those of earlier deltas.
      pushAll(this.logprobs, itemsOf(logprobs))
    } else if (kind.endsWith('.done') && typeof complete === 'string') this.#text = complete
    else return false
    return true
  }

  toJson(): JsonObject {
    const encodeGrown = (key: string, list: readonly Json[]): JsonObject =>
      list.length > itemsOf(this.#opening[key]).length ? { [key]: [...list] } : {}
    return {
      ...this.#opening,
      ...(this.#text !== undefined && { [this.#key]: this.#text }),
      ...encodeGrown('annotations', this.annotations),
      ...encodeGrown('logprobs', this.logprobs),
    }
  }
}

/** The position of a part in the output: its item, and its position in a list of the item. */
export interface PartPosition {
  readonly outputIndex: number
  readonly list?: 'content' | 'summary'
  readonly position?: number
}

/** Parts by their positions. An array would be as long as the greatest position that a host sends. */
type PartStates = Map<number, StreamPartState>

/** An item that is being written. */
interface ItemState {
  readonly item: JsonObject
  readonly content: PartStates
  readonly summary: PartStates
  /** The input of its call, as text. */
  input: string
}

/** Creates a table with the types of the delta event and the done event of each name. */
export function createDeltaDoneTable<T>(rows: Iterable<readonly [string, T]>): ReadonlyMap<string, T> {
  const table = new Map<string, T>()
  for (const [name, value] of rows) {
    for (const stage of ['delta', 'done']) table.set(`response.${name}.${stage}`, value)
  }
  return table
}

/** The field of an item that the events of a call's input extend or repeat. */
export const callInputKeys: ReadonlyMap<string, string> = createDeltaDoneTable([
  ['function_call_arguments', 'arguments'],
  ['mcp_call_arguments', 'arguments'],
  ['custom_tool_call_input', 'input'],
  ['code_interpreter_call_code', 'code'],
])

const contentEvents = /^response\.(content_part|output_text|refusal|reasoning_text|reasoning)\./
const summaryEvents = /^response\.reasoning_summary_(part|text)\./

/**
 * The content of a streamed response that was already written. Later events repeat it, so the repetitions
 * contain edits.
 */
export class StreamState {
  readonly #items = new Map<number, ItemState>()
  /** The sequence number of the next event; undefined if the event before it had none. */
  nextSequenceNumber: number | undefined = 0
  /** The output index of the next item. */
  nextOutputIndex = 0
  /** The response object of the latest event that contained one. */
  response: JsonObject = {}
  /** The position of the latest part. */
  latestPosition: PartPosition = { outputIndex: -1 }
  isEnded = false

  /** Returns the number of parts in a list of the latest item. */
  countParts(list: 'content' | 'summary'): number {
    return this.#items.get(this.latestPosition.outputIndex)?.[list].size ?? 0
  }

  /** Returns the items, ordered by output index. */
  items(): readonly JsonObject[] {
    return [...this.#items.keys()].toSorted((a, b) => a - b).map((output) => this.getItem(output))
  }

  /** Returns an item with all content so far. */
  getItem(output: number): JsonObject {
    const state = this.#items.get(output)
    if (state === undefined) return {}
    const { item, content, summary, input } = state
    const key = getInputKey(item)
    return {
      ...item,
      ...((content.size > 0 || Array.isArray(item['content'])) && { content: listParts(content) }),
      ...((summary.size > 0 || Array.isArray(item['summary'])) && { summary: listParts(summary) }),
      ...(key !== undefined && (input !== '' || typeof item[key] === 'string') && { [key]: input }),
    }
  }

  getItemId(output: number): Json {
    return this.#items.get(output)?.item['id'] ?? ''
  }

  getPart({ outputIndex, list = 'content', position = 0 }: PartPosition): StreamPartState | undefined {
    return this.#items.get(outputIndex)?.[list].get(position)
  }

  /** Adds a wire event. Returns the position of its part. */
  noteEvent(wire: JsonObject): PartPosition {
    const { type, sequence_number: number, response, output_index: output } = wire
    this.nextSequenceNumber = typeof number === 'number' ? number + 1 : undefined
    const kind = readStringOrEmpty(type)
    if (isObject(response)) this.#noteResponse(kind, response)
    if (typeof output !== 'number') return this.latestPosition
    if (isObject(wire['item'])) {
      this.#items.set(output, createItemState(wire['item']))
      this.nextOutputIndex = Math.max(this.nextOutputIndex, output + 1)
    }
    const partPosition = findPosition(kind, wire, output)
    if (!kind.endsWith('.done') || partPosition.list !== undefined) this.latestPosition = partPosition
    this.#notePart(kind, wire, partPosition)
    return partPosition
  }

  #noteResponse(kind: string, response: JsonObject): void {
    if (kind === 'response.created') {
      this.#items.clear()
      this.nextOutputIndex = 0
    }
    this.response = response
    this.isEnded = /\.(completed|incomplete|failed|cancelled)$/.test(kind)
  }

  #notePart(kind: string, wire: JsonObject, { outputIndex, list, position = 0 }: PartPosition): void {
    const state = this.#items.get(outputIndex)
    if (state === undefined) return
    const { part, delta } = wire
    if (list === undefined) {
      const key = callInputKeys.get(kind)
      if (key === undefined) return
      if (kind.endsWith('.delta')) state.input += readStringOrEmpty(delta)
      else if (typeof wire[key] === 'string') state.input = wire[key]
    } else if (isObject(part)) state[list].set(position, new StreamPartState(part))
    else {
      const known = state[list].get(position) ?? new StreamPartState(createOpeningPart(getPartType(kind)))
      if (known.noteEvent(kind, wire)) state[list].set(position, known)
    }
  }
}

/** Returns the type of the wire part that a delta extends. */
function getPartType(kind: string): string {
  if (kind.startsWith('response.refusal')) return 'refusal'
  if (kind.startsWith('response.reasoning_summary')) return 'summary_text'
  return kind.startsWith('response.reasoning') ? 'reasoning_text' : 'output_text'
}

/** Creates a wire part as it opens. */
export function createOpeningPart(type: string, text = ''): JsonObject {
  if (type === 'refusal') return { type, refusal: text }
  return type === 'output_text' ? { type, annotations: [], logprobs: [], text } : { type, text }
}

/** Returns the field that contains the input of a call as text. */
export function getInputKey(item: JsonObject): string | undefined {
  return getFreeTextKey(item) ?? (typeof item['arguments'] === 'string' ? 'arguments' : undefined)
}

function createItemState(item: JsonObject): ItemState {
  const input = readStringOrEmpty(item[getInputKey(item) ?? ''])
  const { content, summary } = item
  return { item, content: createPartStates(content), summary: createPartStates(summary), input }
}

function createPartStates(wire: Json | undefined): PartStates {
  const parts = itemsOf(wire).filter((part) => isObject(part))
  return new Map(parts.map((part, index) => [index, new StreamPartState(part)]))
}

function listParts(parts: PartStates): readonly JsonObject[] {
  return [...parts].toSorted(([a], [b]) => a - b).map(([, part]) => part.toJson())
}

function findPosition(kind: string, wire: JsonObject, outputIndex: number): PartPosition {
  const list = findList(kind)
  if (list === undefined) return { outputIndex }
  const position = list === 'content' ? wire['content_index'] : wire['summary_index']
  return { outputIndex, list, position: isSafeInteger(position) && position >= 0 ? position : 0 }
}

/** Returns the list of an item to which the part of an event belongs. Most events of a stream are pieces of its text. */
function findList(kind: string): PartPosition['list'] {
  if (kind === 'response.output_text.delta' || contentEvents.test(kind)) return 'content'
  return summaryEvents.test(kind) ? 'summary' : undefined
}
