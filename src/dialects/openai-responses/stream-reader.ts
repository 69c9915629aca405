import type { ChatEvent } from '../../canonical/model/event.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import { isObject, itemsOf, type Json, type JsonObject, readStringOrEmpty } from '../../wire/json.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import type { StreamReader } from '../engine/frame-reader-writer.ts'
import { createCallNullStripper } from '../shared/strict-nulls.ts'
import { collectOriginalToolNames, restoreToolName } from '../shared/tool-names.ts'
import { decodeCitation } from './citations.ts'
import { DIALECT_SLOT, toolNameRule } from './constants.ts'
import { createStreamedItemHints } from './item-pairing.ts'
import { decodeItem } from './items.ts'
import { getFreeTextKey, getProviderItemType } from './provider-tools.ts'
import { decodeFinishWithCalls, decodeUsage, decodeResponseMetadata } from './response-metadata.ts'
import { type ItemReadContext, StreamItemReader } from './stream-item-reader.ts'
import { callInputKeys, createDeltaDoneTable } from './stream-state.ts'

const emptySummary: AssistantPart = { type: 'reasoning', text: '', summary: true }

/** The empty part of each type of content. */
const emptyParts: ReadonlyMap<string, AssistantPart> = new Map<string, AssistantPart>([
  ['output_text', { type: 'text', text: '' }],
  ['refusal', { type: 'refusal', text: '' }],
  ['reasoning_text', { type: 'reasoning', text: '' }],
])

/** The empty part of the text that an event extends or repeats. */
const textEventParts: ReadonlyMap<string, AssistantPart> = createDeltaDoneTable([
  ...emptyParts,
  ['reasoning_summary_text', emptySummary],
  // The name of `reasoning_text` in the Open Responses specification.
  ['reasoning', { type: 'reasoning', text: '' }],
])

/** The types of the events that end a stream. */
export const endEventTypes: ReadonlySet<unknown> = new Set([
  'response.completed',
  'response.incomplete',
  'response.failed',
  'response.cancelled',
])

/** The types of events that report progress and repeat known content. */
const progressPatterns: readonly RegExp[] = [
  /^response\.(queued|in_progress|compaction\.compacting)$/,
  /^response\.(content_part|output_text|refusal|reasoning|reasoning_text|reasoning_summary_text|reasoning_summary_part)\.done$/,
  /^response\.((function_call|mcp_call)_arguments|custom_tool_call_input|code_interpreter_call_code)\.done$/,
  /^response\.(web_search|file_search|code_interpreter|image_generation|mcp)_call\.[a-z_]+(?<!partial_image)$/,
  /^response\.mcp_list_tools\.(in_progress|completed|failed)$/,
]

/** Creates the reader of a streamed response. */
export function createStreamReader(options: DecodeOptions = {}): StreamReader {
  return new ResponseStreamReader(options)
}

/** Reads the items of a streamed response. */
class ResponseStreamReader implements StreamReader {
  readonly #items = new Map<number, StreamItemReader>()
  readonly #wireItems = new Map<number, Json>()
  readonly #context: ItemReadContext
  #partCount = 0

  constructor({ request, limits }: DecodeOptions) {
    const renamedTools = collectOriginalToolNames(request, toolNameRule)
    const stripNulls = createCallNullStripper(request, DIALECT_SLOT)
    this.#context = {
      getNextIndex: () => this.#partCount++,
      decodeItem: (item, hints) =>
        decodeItem(item, 'response', hints).map((part) =>
          stripNulls(restoreToolName(part, renamedTools, DIALECT_SLOT)),
        ),
      limits,
    }
  }

  read(wire: JsonObject): readonly ChatEvent[] {
    const events = this.#readEvent(wire)
    if (events.length > 0 || !isProgressEvent(wire)) return events
    return [{ type: 'opaque', dialect: DIALECT_SLOT, value: { type: wireEventType(wire) } }]
  }

  end(): readonly ChatEvent[] {
    return []
  }

  #readEvent(wire: JsonObject): readonly ChatEvent[] {
    const { type, response, output_index: index } = wire
    if (type === 'response.created') return isObject(response) ? this.#start(response) : []
    if (endEventTypes.has(type)) return isObject(response) ? this.#end(response) : []
    if (isObject(response)) return createUsageEvents(response)
    const output = typeof index === 'number' ? index : 0
    if (type === 'response.output_item.added') return this.#readOpening(wire, output)
    if (type === 'response.output_item.done') return this.#readFinished(wire['item'], output)
    return typeof type === 'string' ? readPart(type, wire, this.#getItem(output)) : []
  }

  #start(response: JsonObject): readonly ChatEvent[] {
    this.#items.clear()
    this.#wireItems.clear()
    this.#partCount = 0
    return [{ type: 'start', ...decodeResponseMetadata(response) }]
  }

  #getItem(output: number): StreamItemReader {
    const known = this.#items.get(output)
    if (known !== undefined) return known
    const opened = new StreamItemReader(this.#context)
    this.#items.set(output, opened)
    return opened
  }

  #readOpening({ item }: JsonObject, output: number): readonly ChatEvent[] {
    if (item === undefined) return []
    this.#wireItems.set(output, item)
    const [call] = this.#context.decodeItem(item)
    if (call?.type !== 'tool-call') return []
    // Calls of built-in tools that the application runs are read from the finished item.
    if (call.executedBy !== 'provider' && getProviderItemType(call) !== undefined) return []
    const { rawArguments: raw, ...callWithoutText } = call
    const opening = raw === '' ? callWithoutText : call
    return this.#getItem(output).begin(getFreeTextKey(item) ?? 'arguments', opening)
  }

  #readFinished(item: Json | undefined, output: number): readonly ChatEvent[] {
    if (item === undefined) return []
    this.#wireItems.set(output, item)
    return this.#getItem(output).end(item, createStreamedItemHints(item, this.#wireItems.get(output - 1)))
  }

  /** Marks reasoning that is the last item: it was sent without the item that it precedes in other responses. */
  #markLastItem(): readonly ChatEvent[] {
    let last = -1
    for (const output of this.#wireItems.keys()) last = Math.max(last, output)
    return this.#items.get(last)?.markLast() ?? []
  }

  #end(response: JsonObject): readonly ChatEvent[] {
    const corrections = itemsOf(response['output']).flatMap((item, output) =>
      this.#readFinished(item, output),
    )
    const parts = [...this.#items.values()].flatMap((item) => item.parts())
    const finish = decodeFinishWithCalls(response, parts)
    return [
      ...corrections,
      ...this.#markLastItem(),
      ...createUsageEvents(response),
      ...(finish === undefined ? [] : [{ type: 'finish', finish } as const]),
    ]
  }
}

function isProgressEvent({ type, response, item }: JsonObject): boolean {
  if (typeof type !== 'string') return false
  if (isObject(response) || isObject(item) || endEventTypes.has(type)) return true
  return progressPatterns.some((pattern) => pattern.test(type))
}

function createUsageEvents({ usage }: JsonObject): readonly ChatEvent[] {
  const decodedUsage = decodeUsage(usage)
  return decodedUsage === undefined ? [] : [{ type: 'usage', usage: decodedUsage }]
}

function readPart(type: string, wire: JsonObject, item: StreamItemReader): readonly ChatEvent[] {
  const { part, delta, annotation } = wire
  const emptyPart = textEventParts.get(type)
  const key = emptyPart === undefined ? callInputKeys.get(type) : createPartKey(wire, emptyPart)
  if (key !== undefined && type.endsWith('.done')) return readDone(wire, item, key, emptyPart)
  if (key !== undefined) return typeof delta === 'string' ? item.append(key, emptyPart, delta) : []
  if (type === 'response.output_text.annotation.added' && annotation !== undefined)
    return item.update(createPartKey(wire), { citations: [decodeCitation(annotation)] })
  const opening =
    type === 'response.reasoning_summary_part.added'
      ? emptySummary
      : type === 'response.content_part.added' && isObject(part)
        ? emptyParts.get(readStringOrEmpty(part['type']))
        : undefined
  return opening === undefined ? [] : item.begin(createPartKey(wire, opening), setText(part, opening))
}

/** Reads the event that ends a text and repeats it: some hosts send the text only in this event. */
function readDone(
  { text, refusal, arguments: json, input, code }: JsonObject,
  item: StreamItemReader,
  key: string,
  emptyPart: AssistantPart | undefined,
): readonly ChatEvent[] {
  const complete = [text, refusal, json, input, code].find((each) => typeof each === 'string')
  if (complete === undefined) return []
  return [...item.addCompleteText(key, emptyPart, complete), ...item.close(key)]
}

/** Returns the key of the part of an item to which a wire event belongs. Most items have one part. */
function createPartKey(wire: JsonObject, part?: AssistantPart): string {
  const isSummary = part === emptySummary
  const position = isSummary ? wire['summary_index'] : wire['content_index']
  if (position === 0) return isSummary ? 'summary 0' : 'content 0'
  return `${isSummary ? 'summary' : 'content'} ${typeof position === 'number' ? position : JSON.stringify(position)}`
}

/** Returns a part with the text of the event that opens it. */
function setText(wire: Json | undefined, part: AssistantPart): AssistantPart {
  const text = isObject(wire) ? (wire['text'] ?? wire['refusal']) : undefined
  return typeof text === 'string' && text !== '' ? ({ ...part, text } as AssistantPart) : part
}

export function wireEventType({ type }: JsonObject): string {
  return readStringOrEmpty(type)
}
