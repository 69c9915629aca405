import type { ChatEvent } from '../../canonical/model/event.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import { isObject, itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import type { StreamReader } from '../engine/stream-frames.ts'
import { collectRenamedTools, restoreToolName } from '../shared/tool-names.ts'
import { createCallNullStripper } from '../shared/strict-nulls.ts'
import { decodeCitation } from './citations.ts'
import { DIALECT_SLOT, toolNameRule } from './constants.ts'
import { decodeFinishWithCalls, decodeUsage, decodeResponseMetadata } from './response-metadata.ts'
import { getFreeTextKey, getProviderItemType } from './provider-tools.ts'
import { decodeItem } from './items.ts'
import { createLeaderHint } from './item-pairing.ts'
import { type ItemReadContext, StreamItemReader } from './stream-item-reader.ts'
import type { ResponsesHints } from './hints.ts'

const emptyParts: { readonly [type in 'text' | 'refusal' | 'reasoning' | 'summary']: AssistantPart } = {
  text: { type: 'text', text: '' },
  refusal: { type: 'refusal', text: '' },
  reasoning: { type: 'reasoning', text: '' },
  summary: { type: 'reasoning', text: '', summary: true },
}

/** The field with the position of a part, by the list of the item that contains the part. */
const positionKeys = { content: 'content_index', summary: 'summary_index' } as const

/** The part and the list of the item to which a delta belongs, by the type of the event. */
const deltaTypes: ReadonlyMap<
  string,
  readonly [part: keyof typeof emptyParts, list: keyof typeof positionKeys]
> = new Map([
  ['response.output_text.delta', ['text', 'content']],
  ['response.refusal.delta', ['refusal', 'content']],
  ['response.reasoning_text.delta', ['reasoning', 'content']],
  ['response.reasoning_summary_text.delta', ['summary', 'summary']],
])

/** The field of the item that a delta of a call extends, by the type of the event. */
const callDeltaTypes: ReadonlyMap<unknown, string> = new Map([
  ['response.function_call_arguments.delta', 'arguments'],
  ['response.mcp_call_arguments.delta', 'arguments'],
  ['response.custom_tool_call_input.delta', 'input'],
  ['response.code_interpreter_call_code.delta', 'code'],
])

const endEventTypes: ReadonlySet<unknown> = new Set([
  'response.completed',
  'response.incomplete',
  'response.failed',
  'response.cancelled',
])

/** The types of events that report progress and repeat known content. */
const progressPatterns: readonly RegExp[] = [
  /^response\.(queued|in_progress|compaction\.compacting)$/,
  /^response\.(content_part|output_text|refusal|reasoning_text|reasoning_summary_text|reasoning_summary_part)\.done$/,
  /^response\.((function_call|mcp_call)_arguments|custom_tool_call_input|code_interpreter_call_code)\.done$/,
  /^response\.(web_search|file_search|code_interpreter|image_generation|mcp)_call\.[a-z_]+(?<!partial_image)$/,
  /^response\.mcp_list_tools\.(in_progress|completed|failed)$/,
]

/** Creates the reader of a streamed response. */
export function createStreamReader({ request, limits }: DecodeOptions = {}): StreamReader {
  const renamedTools = collectRenamedTools(request, toolNameRule)
  const stripNulls = createCallNullStripper(request, DIALECT_SLOT)
  const read: ItemReadContext['decodeItem'] = (item, hints) =>
    decodeItem(item, 'response', hints).map((part) =>
      stripNulls(restoreToolName(part, renamedTools, DIALECT_SLOT)),
    )
  let reader = new StreamCandidateReader({ decodeItem: read, limits })
  return {
    read: (wire) => {
      if (wire['type'] === 'response.created' && isObject(wire['response']))
        reader = new StreamCandidateReader({ decodeItem: read, limits })
      const events = reader.read(wire)
      return events.length === 0 && isProgressEvent(wire) ? [createProgressEvent(wire)] : events
    },
    end: () => [],
  }
}

function isProgressEvent({ type, response, item }: JsonObject): boolean {
  if (typeof type !== 'string') return false
  return (
    progressPatterns.some((kind) => kind.test(type)) ||
    endEventTypes.has(type) ||
    isObject(response) ||
    isObject(item)
  )
}

/** Creates the event of a known wire event without new content. */
function createProgressEvent({ type }: JsonObject): ChatEvent {
  return { type: 'opaque', dialect: DIALECT_SLOT, value: { type: type ?? null } }
}

/** Reads the items of a streamed response. */
class StreamCandidateReader {
  readonly #items = new Map<number, StreamItemReader>()
  readonly #wireItems = new Map<number, Json>()
  readonly #context: ItemReadContext
  #parts = 0

  constructor(context: Omit<ItemReadContext, 'getNextIndex'>) {
    this.#context = { ...context, getNextIndex: () => this.#parts++ }
  }

  read(wire: JsonObject): readonly ChatEvent[] {
    const { type, response } = wire
    if (type === 'response.created')
      return isObject(response) ? [{ type: 'start', ...decodeResponseMetadata(response) }] : []
    if (endEventTypes.has(type)) return isObject(response) ? this.#end(response) : []
    if (isObject(response)) return createUsageEvents(response)
    if (typeof type !== 'string') return []
    const output = typeof wire['output_index'] === 'number' ? wire['output_index'] : 0
    return this.#readItem(type, wire, output) ?? this.#readPart(type, wire, this.#getItem(output))
  }

  #getItem(output: number): StreamItemReader {
    const found = this.#items.get(output) ?? new StreamItemReader(this.#context)
    this.#items.set(output, found)
    return found
  }

  #readItem(type: string, { item }: JsonObject, output: number): readonly ChatEvent[] | undefined {
    if (type !== 'response.output_item.added' && type !== 'response.output_item.done') return undefined
    if (item === undefined) return []
    this.#wireItems.set(output, item)
    if (type === 'response.output_item.done')
      return this.#getItem(output).end(item, this.#createHints(output))
    const [call] = this.#context.decodeItem(item)
    // Calls of built-in tools that the application runs are read from the finished item.
    if (
      call?.type !== 'tool-call' ||
      (call.executedBy !== 'provider' && getProviderItemType(call) !== undefined)
    )
      return []
    return this.#getItem(output).begin(getFreeTextKey(item) ?? 'arguments', createOpeningCall(call))
  }

  /** Returns the hint about the reasoning item that precedes an item. */
  #createHints(output: number): ResponsesHints {
    return createLeaderHint(this.#wireItems.get(output - 1))
  }

  #readPart(type: string, wire: JsonObject, item: StreamItemReader): readonly ChatEvent[] {
    const { part, delta, annotation } = wire
    if (typeof delta === 'string') {
      const row = deltaTypes.get(type)
      if (row !== undefined) return item.append(createPartKey(row[1], wire), emptyParts[row[0]], delta)
      const inputKey = callDeltaTypes.get(type)
      if (inputKey !== undefined)
        return item.has(inputKey) ? item.append(inputKey, emptyParts.text, delta) : []
    }
    if (type === 'response.content_part.added') return beginContent(wire, item)
    if (type === 'response.reasoning_summary_part.added')
      return item.begin(createPartKey('summary', wire), setText(part, emptyParts.summary))
    if (type === 'response.output_text.annotation.added' && annotation !== undefined)
      return item.update(createPartKey('content', wire), { citations: [decodeCitation(annotation)] })
    return type.endsWith('.done') ? this.#readDone(type.replace(/done$/, 'delta'), wire, item) : []
  }

  /** Reads the event that ends a text and repeats it: some hosts send the text only in this event. */
  #readDone(type: string, wire: JsonObject, item: StreamItemReader): readonly ChatEvent[] {
    const { text, refusal, arguments: callArguments, input, code } = wire
    const complete = [text, refusal, callArguments, input, code].find((each) => typeof each === 'string')
    if (typeof complete !== 'string') return []
    const inputKey = callDeltaTypes.get(type)
    if (inputKey !== undefined)
      return item.has(inputKey)
        ? [...item.addCompleteText(inputKey, emptyParts.text, complete), ...item.close(inputKey)]
        : []
    const row = deltaTypes.get(type)
    return row === undefined
      ? []
      : item.addCompleteText(createPartKey(row[1], wire), emptyParts[row[0]], complete)
  }

  #end(response: JsonObject): readonly ChatEvent[] {
    const { output } = response
    const corrections = itemsOf(output).flatMap((item, number) => {
      this.#wireItems.set(number, item)
      return this.#getItem(number).correct(item, this.#createHints(number))
    })
    const finish = decodeFinishWithCalls(
      response,
      [...this.#items.values()].flatMap((item) => item.parts()),
    )
    return [
      ...corrections,
      ...createUsageEvents(response),
      ...(finish === undefined ? [] : [{ type: 'finish', finish } as const]),
    ]
  }
}

function createUsageEvents({ usage }: JsonObject): readonly ChatEvent[] {
  const decodedUsage = decodeUsage(usage)
  return decodedUsage === undefined ? [] : [{ type: 'usage', usage: decodedUsage }]
}

/** Returns a call as it is before its arguments. */
function createOpeningCall(call: AssistantPart & { readonly type: 'tool-call' }): AssistantPart {
  const { rawArguments: raw, ...rest } = call
  return raw === '' ? rest : call
}

/** Returns the key of the part of an item to which a wire event belongs. */
function createPartKey(list: keyof typeof positionKeys, wire: JsonObject): string {
  const position = wire[positionKeys[list]]
  return `${list} ${typeof position === 'number' ? position : JSON.stringify(position)}`
}

function beginContent(wire: JsonObject, item: StreamItemReader): ChatEvent[] {
  const { part } = wire
  const type = isObject(part) ? part['type'] : undefined
  const kind = type === 'refusal' ? 'refusal' : type === 'reasoning_text' ? 'reasoning' : 'text'
  if (type !== 'refusal' && type !== 'reasoning_text' && type !== 'output_text') return []
  return item.begin(createPartKey('content', wire), setText(part, emptyParts[kind]))
}

/** Returns a part with the text of the event that opens it. */
function setText(wire: Json | undefined, part: AssistantPart): AssistantPart {
  const text = isObject(wire) ? (wire['text'] ?? wire['refusal']) : undefined
  return typeof text === 'string' && text !== '' ? ({ ...part, text } as AssistantPart) : part
}

/** Returns the type of a wire event. */
export function wireEventType({ type }: JsonObject): string {
  return typeof type === 'string' ? type : ''
}
