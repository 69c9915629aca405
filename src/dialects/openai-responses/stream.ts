import type { ChatEvent } from '../../canonical/model/event.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import { isObject, itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import type { Hints } from '../../wire/residue.ts'
import type { DecodeOptions } from '../dialect.ts'
import type { StreamReader } from '../frames.ts'
import { namesGiven, underOwnName } from '../shared/names.ts'
import { restoringCalls } from '../shared/restored.ts'
import { decodeCitation } from './citations.ts'
import { SLOT, toolNames } from './codes.ts'
import { finishFor } from './finish.ts'
import { freeKey, hostedKind } from './hosted.ts'
import { decodeItem } from './items.ts'
import { leaderHint } from './pairing.ts'
import { decodeHead } from './head.ts'
import { type ItemReading, StreamedItem } from './streamed-item.ts'
import { decodeUsage } from './usage.ts'
import type { OpenAIResponsesHint } from './hints.ts'

type Wire = { readonly [key: string]: Json }

const blank: { readonly [type in 'text' | 'refusal' | 'thought' | 'summary']: AssistantPart } = {
  text: { type: 'text', text: '' },
  refusal: { type: 'refusal', text: '' },
  thought: { type: 'reasoning', text: '' },
  summary: { type: 'reasoning', text: '', summary: true },
}

/** The lists of an item, and the key of a position in each. */
const positions = { content: 'content_index', summary: 'summary_index' } as const

/** A kind of delta: which part it is more of, and the list of the item that the part stands in. */
const deltas: ReadonlyMap<string, readonly [part: keyof typeof blank, list: keyof typeof positions]> =
  new Map([
    ['response.output_text.delta', ['text', 'content']],
    ['response.refusal.delta', ['refusal', 'content']],
    ['response.reasoning_text.delta', ['thought', 'content']],
    ['response.reasoning_summary_text.delta', ['summary', 'summary']],
  ])

/** Deltas of what a call is given. */
const callDeltas: ReadonlyMap<unknown, string> = new Map([
  ['response.function_call_arguments.delta', 'arguments'],
  ['response.mcp_call_arguments.delta', 'arguments'],
  ['response.custom_tool_call_input.delta', 'input'],
  ['response.code_interpreter_call_code.delta', 'code'],
])

const endings: ReadonlySet<unknown> = new Set([
  'response.completed',
  'response.incomplete',
  'response.failed',
  'response.cancelled',
])

/** Events that say how far something is: what they repeat is known, and they add nothing. */
const steps: readonly RegExp[] = [
  /^response\.(queued|in_progress|compaction\.compacting)$/,
  /^response\.(content_part|output_text|refusal|reasoning_text|reasoning_summary_text|reasoning_summary_part)\.done$/,
  /^response\.((function_call|mcp_call)_arguments|custom_tool_call_input|code_interpreter_call_code)\.done$/,
  /^response\.(web_search|file_search|code_interpreter|image_generation|mcp)_call\.[a-z_]+(?<!partial_image)$/,
  /^response\.mcp_list_tools\.(in_progress|completed|failed)$/,
]

/** Reads the events of a streamed response. */
export function streamReader({ request, limits }: DecodeOptions = {}): StreamReader {
  const names = namesGiven(request, toolNames)
  const restored = restoringCalls(request, SLOT)
  const read: ItemReading['read'] = (item, hints) =>
    decodeItem(item, 'response', hints).map((part) => restored(underOwnName(part, names, SLOT)))
  let answer = new Answer({ read, limits })
  return {
    read: (wire) => {
      if (wire['type'] === 'response.created' && isObject(wire['response']))
        answer = new Answer({ read, limits })
      const events = answer.read(wire)
      return events.length === 0 && isStep(wire) ? [step(wire)] : events
    },
    end: () => [],
  }
}

function isStep({ type, response, item }: Wire): boolean {
  if (typeof type !== 'string') return false
  return steps.some((kind) => kind.test(type)) || endings.has(type) || isObject(response) || isObject(item)
}

/** A wire event that is known and says nothing new. */
function step({ type }: Wire): ChatEvent {
  return { type: 'opaque', dialect: SLOT, value: { type: type ?? null } }
}

/** An answer that is being told. */
class Answer {
  readonly #items = new Map<number, StreamedItem>()
  readonly #wires = new Map<number, Json>()
  readonly #reading: ItemReading
  #parts = 0

  constructor(reading: Omit<ItemReading, 'next'>) {
    this.#reading = { ...reading, next: () => this.#parts++ }
  }

  read(wire: Wire): readonly ChatEvent[] {
    const { type, response } = wire
    if (type === 'response.created')
      return isObject(response) ? [{ type: 'start', ...decodeHead(response) }] : []
    if (endings.has(type)) return isObject(response) ? this.#end(response) : []
    if (isObject(response)) return countedIn(response)
    if (typeof type !== 'string') return []
    const output = typeof wire['output_index'] === 'number' ? wire['output_index'] : 0
    return this.#readItem(type, wire, output) ?? this.#readPart(type, wire, this.#item(output))
  }

  #item(output: number): StreamedItem {
    const found = this.#items.get(output) ?? new StreamedItem(this.#reading)
    this.#items.set(output, found)
    return found
  }

  #readItem(type: string, { item }: Wire, output: number): readonly ChatEvent[] | undefined {
    if (type !== 'response.output_item.added' && type !== 'response.output_item.done') return undefined
    if (item === undefined) return []
    this.#wires.set(output, item)
    if (type === 'response.output_item.done') return this.#item(output).end(item, this.#hints(output))
    const [call] = this.#reading.read(item)
    // What the application is to run is told by its arguments: in deltas, or at the end.
    if (call?.type !== 'tool-call' || (call.executedBy !== 'provider' && hostedKind(call) !== undefined))
      return []
    return this.#item(output).begin(freeKey(item) ?? 'arguments', opened(call))
  }

  /** What an item remembers of the thoughts before it. */
  #hints(output: number): Hints<OpenAIResponsesHint> {
    return leaderHint(this.#wires.get(output - 1))
  }

  #readPart(type: string, wire: Wire, item: StreamedItem): readonly ChatEvent[] {
    const { part, delta, annotation } = wire
    if (typeof delta === 'string') {
      const row = deltas.get(type)
      if (row !== undefined) return item.grow(keyOf(row[1], wire), blank[row[0]], delta)
      const called = callDeltas.get(type)
      if (called !== undefined) return item.has(called) ? item.grow(called, blank.text, delta) : []
    }
    if (type === 'response.content_part.added') return beginContent(wire, item)
    if (type === 'response.reasoning_summary_part.added')
      return item.begin(keyOf('summary', wire), textOf(part, blank.summary))
    if (type === 'response.output_text.annotation.added' && annotation !== undefined)
      return item.update(keyOf('content', wire), { citations: [decodeCitation(annotation)] })
    return type.endsWith('.done') ? this.#readDone(type.replace(/done$/, 'delta'), wire, item) : []
  }

  /** The end of a text repeats it; some hosts tell it there only. */
  #readDone(type: string, wire: Wire, item: StreamedItem): readonly ChatEvent[] {
    const { text, refusal, arguments: given, input, code } = wire
    const said = [text, refusal, given, input, code].find((each) => typeof each === 'string')
    if (typeof said !== 'string') return []
    const called = callDeltas.get(type)
    if (called !== undefined)
      return item.has(called) ? [...item.late(called, blank.text, said), ...item.close(called)] : []
    const row = deltas.get(type)
    return row === undefined ? [] : item.late(keyOf(row[1], wire), blank[row[0]], said)
  }

  #end(response: Wire): readonly ChatEvent[] {
    const { output } = response
    const corrected = itemsOf(output).flatMap((item, number) => {
      this.#wires.set(number, item)
      return this.#item(number).correct(item, this.#hints(number))
    })
    const finish = finishFor(
      response,
      [...this.#items.values()].flatMap((item) => item.parts()),
    )
    return [
      ...corrected,
      ...countedIn(response),
      ...(finish === undefined ? [] : [{ type: 'finish', finish } as const]),
    ]
  }
}

function countedIn({ usage }: Wire): readonly ChatEvent[] {
  const counted = decodeUsage(usage)
  return counted === undefined ? [] : [{ type: 'usage', usage: counted }]
}

/** A call before its arguments. */
function opened(call: AssistantPart & { readonly type: 'tool-call' }): AssistantPart {
  const { rawArguments: raw, ...rest } = call
  return raw === '' ? rest : call
}

/** The key of the part of an item that a wire event is about. */
function keyOf(list: keyof typeof positions, wire: Wire): string {
  const position = wire[positions[list]]
  return `${list} ${typeof position === 'number' ? position : JSON.stringify(position)}`
}

function beginContent(wire: Wire, item: StreamedItem): ChatEvent[] {
  const { part } = wire
  const type = isObject(part) ? part['type'] : undefined
  const kind = type === 'refusal' ? 'refusal' : type === 'reasoning_text' ? 'thought' : 'text'
  if (type !== 'refusal' && type !== 'reasoning_text' && type !== 'output_text') return []
  return item.begin(keyOf('content', wire), textOf(part, blank[kind]))
}

/** A part with the text that it opens with. */
function textOf(wire: Json | undefined, part: AssistantPart): AssistantPart {
  const text = isObject(wire) ? (wire['text'] ?? wire['refusal']) : undefined
  return typeof text === 'string' && text !== '' ? ({ ...part, text } as AssistantPart) : part
}

/** The kind of a wire event is its type. */
export function kindOf({ type }: JsonObject): string {
  return typeof type === 'string' ? type : ''
}
