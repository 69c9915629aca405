import type { ChatEvent } from '../../canonical/model/event.ts'
import type { Origin } from '../../canonical/model/message.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import { addUsage, type Usage } from '../../canonical/model/usage.ts'
import { toEvents } from '../../canonical/stream/to-events.ts'
import { readFinish, readUsage } from '../../formats/langchain/answer-fields.ts'
import { GEMINI_SIGNATURES } from '../../formats/langchain/calls.ts'
import { langchain } from '../../formats/langchain/index.ts'
import { throwFailure } from '../../wire/iterable-source.ts'
import {
  getOwnValue,
  isEmptyObject,
  isObject,
  itemsOf,
  type Json,
  type JsonObject,
  omitUndefined,
} from '../../wire/json.ts'
import type { StreamFailure, StreamTransform } from '../../wire/pull-stages.ts'

/** The fields of a message or a chunk of LangChain that a response has. */
export interface LangChainMessage {
  readonly content: unknown
  readonly id?: string | undefined
  readonly tool_call_chunks?: unknown
  readonly tool_calls?: unknown
  readonly usage_metadata?: unknown
  readonly response_metadata?: unknown
  readonly additional_kwargs?: unknown
}

/** The text of a block, by its type. */
const TEXT_KEYS: ReadonlyMap<Json | undefined, 'text' | 'reasoning' | 'thinking'> = new Map([
  ['text', 'text'],
  ['reasoning', 'reasoning'],
  ['thinking', 'thinking'],
])

/** The fields beside the content in which some providers stream text. */
const TEXT_KWARGS = { reasoning_content: 'reasoning', refusal: 'refusal' } as const

/** Blocks that repeat `tool_call_chunks`. */
const CALL_BLOCKS: ReadonlySet<Json | undefined> = new Set([
  'tool_use',
  'input_json_delta',
  'tool_call',
  'tool_call_chunk',
])

/** A part whose end has not arrived. */
interface OpenPart {
  readonly key: string
  readonly index: number
  readonly type: 'text' | 'reasoning' | 'refusal' | 'tool-call'
  /** The id of a call. */
  readonly callId: string
  readonly pieces: string[]
  /** What its blocks contain in addition to the text. */
  readonly fields: Record<string, Json>
}

/** Converts the message chunks of a chat model of LangChain to events. */
export class MessageChunkReader implements StreamTransform<LangChainMessage, ChatEvent> {
  readonly #origin: Origin
  readonly #parts = new Map<string, OpenPart>()
  readonly #metadata: Record<string, Json> = {}
  readonly #signatures: Record<string, Json> = {}
  #last: OpenPart | undefined
  #usage: Usage | undefined
  #hasStarted = false
  #nextIndex = 0

  constructor(origin: Origin) {
    this.#origin = origin
  }

  read(chunk: LangChainMessage): readonly ChatEvent[] {
    // A model that does not stream yields its complete message.
    if (!Array.isArray(chunk.tool_call_chunks)) return this.readMessage(chunk)
    const begun = this.#begin(chunk)
    this.#readMetadata(chunk)
    const kwargs = isObject(chunk.additional_kwargs) ? (chunk.additional_kwargs as JsonObject) : {}
    const { content } = chunk
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : itemsOf(content as Json)
    return [
      ...begun,
      ...Object.entries(TEXT_KWARGS).flatMap(([key, type]) => {
        const text = kwargs[key]
        return typeof text === 'string' ? this.#append(key, type, text) : []
      }),
      ...blocks.flatMap((block) => this.#readBlock(block)),
      ...this.#readCalls(chunk),
    ]
  }

  end(failure: StreamFailure | undefined): readonly ChatEvent[] {
    if (failure !== undefined) return throwFailure(failure)
    const finish = readFinish(this.#metadata)
    return [
      ...[...this.#parts.values()].flatMap((part) => this.#close(part)),
      ...(finish === undefined ? [] : [{ type: 'finish', finish } as const]),
      ...(this.#usage === undefined ? [] : [{ type: 'usage', usage: this.#usage } as const]),
    ]
  }

  /** Reads a complete message. */
  readMessage(message: LangChainMessage): readonly ChatEvent[] {
    const [answer] = langchain.fromMessages([message]).value
    if (answer?.role !== 'assistant') return this.#begin(message)
    const { usage } = answer
    const events = toEvents({ candidates: [answer], ...(usage && { usage }) })
    return [...this.#begin(message), ...events.filter(({ type }) => type !== 'start')]
  }

  #begin({ id }: LangChainMessage): readonly ChatEvent[] {
    if (this.#hasStarted) return []
    this.#hasStarted = true
    const { model } = this.#origin
    const fields = omitUndefined({ id, model })
    return [{ type: 'start', ...fields, origin: this.#origin }]
  }

  #readMetadata({
    usage_metadata: counts,
    response_metadata: metadata,
    additional_kwargs,
  }: LangChainMessage): void {
    const usage = readUsage(counts as Json | undefined)
    // Providers report the input with the first chunk and the output with the last.
    if (usage !== undefined) this.#usage = this.#usage === undefined ? usage : addUsage(this.#usage, usage)
    if (isObject(metadata)) Object.assign(this.#metadata, metadata)
    const signatures = isObject(additional_kwargs) ? additional_kwargs[GEMINI_SIGNATURES] : undefined
    if (isObject(signatures)) Object.assign(this.#signatures, signatures)
  }

  #readBlock(block: Json): readonly ChatEvent[] {
    if (typeof block === 'string') return this.#append('text', 'text', block)
    if (!isObject(block) || CALL_BLOCKS.has(block['type'])) return []
    const { type, index, ...others } = block
    const textKey = TEXT_KEYS.get(type)
    if (textKey === undefined) return this.#addWhole(block)
    const { [textKey]: text, ...fields } = others
    const kind = type === 'text' ? 'text' : 'reasoning'
    const position = toKey(index)
    const key = position === undefined ? this.#keyOf(kind) : `block ${position}`
    const isEmpty = (text === undefined || text === '') && isEmptyObject(fields)
    if (isEmpty && !this.#parts.has(key)) return []
    const events = this.#append(key, kind, typeof text === 'string' ? text : '')
    const open = this.#parts.get(key)
    if (open !== undefined) mergeFields(open.fields, fields)
    return events
  }

  /** Returns the key for a block without an index: it continues the last part if that has the same type. */
  #keyOf(type: OpenPart['type']): string {
    return this.#last?.type === type ? this.#last.key : `next ${this.#nextIndex}`
  }

  #addWhole(block: JsonObject): readonly ChatEvent[] {
    const { index: _index, ...wire } = block
    const part = readAnswerPart(wire)
    if (part === undefined) return []
    const index = this.#nextIndex++
    this.#last = undefined
    return [
      { type: 'part-start', index, part },
      { type: 'part-end', index },
    ]
  }

  #append(key: string, type: 'text' | 'reasoning' | 'refusal', text: string): readonly ChatEvent[] {
    const known = this.#parts.get(key)
    if (known === undefined && text === '' && key === 'text') return []
    const open = known ?? this.#open(key, type, '')
    open.pieces.push(text)
    const started: ChatEvent[] =
      known === undefined ? [{ type: 'part-start', index: open.index, part: { type, text: '' } }] : []
    return text === '' ? started : [...started, { type: `${type}-delta`, index: open.index, text }]
  }

  #open(key: string, type: OpenPart['type'], callId: string): OpenPart {
    const open: OpenPart = { key, index: this.#nextIndex++, type, callId, pieces: [], fields: {} }
    this.#parts.set(key, open)
    this.#last = open
    return open
  }

  /** Reads the chunks of calls, or the calls of a chunk that has only complete ones. */
  #readCalls({ tool_call_chunks: given, tool_calls: calls }: LangChainMessage): readonly ChatEvent[] {
    const chunks = itemsOf(given as Json)
    if (chunks.length > 0) return chunks.flatMap((chunk) => this.#readCallChunk(chunk))
    return itemsOf(calls as Json).flatMap((call) =>
      isObject(call) ? this.#readCallChunk({ ...call, args: JSON.stringify(call['args'] ?? {}) }) : [],
    )
  }

  #readCallChunk(wire: Json): readonly ChatEvent[] {
    if (!isObject(wire)) return []
    const { index, id, name, args } = wire
    const key = `call ${toKey(index) ?? toKey(id) ?? this.#nextIndex}`
    const known = this.#parts.get(key)
    // Some providers give all calls the same index.
    const isOther = typeof id === 'string' && id !== '' && known !== undefined && known.callId !== id
    const ownKey = isOther ? `${key} ${id}` : key
    const open = this.#parts.get(ownKey)
    const json = typeof args === 'string' ? args : ''
    if (open !== undefined) return json === '' ? [] : [{ type: 'arguments-delta', index: open.index, json }]
    const callId = typeof id === 'string' && id !== '' ? id : `call_${this.#nextIndex}`
    const call = this.#open(ownKey, 'tool-call', callId)
    const toolName = typeof name === 'string' && name !== '' ? name : 'unknown'
    const part: AssistantPart = { type: 'tool-call', id: callId, name: toolName, arguments: {} }
    return [
      { type: 'part-start', index: call.index, part },
      ...(json === '' ? [] : [{ type: 'arguments-delta', index: call.index, json } as const]),
    ]
  }

  #close({ index, type, callId, pieces, fields }: OpenPart): readonly ChatEvent[] {
    const end: ChatEvent = { type: 'part-end', index }
    if (type === 'tool-call') {
      const value = getOwnValue(this.#signatures, callId)
      if (typeof value !== 'string') return [end]
      return [{ type: 'part-update', index, signature: { vendor: 'google', value } }, end]
    }
    if (isEmptyObject(fields)) return [end]
    // A signature beside the text is that of Anthropic, whose blocks have a type of their own.
    const kind = type === 'reasoning' && typeof fields['signature'] === 'string' ? 'thinking' : type
    const part = readAnswerPart({ ...fields, type: kind, [kind]: pieces.join('') })
    return [{ ...end, ...(part && { part, replaces: true }) }]
  }
}

function toKey(value: Json | undefined): string | undefined {
  return typeof value === 'number' || typeof value === 'string' ? String(value) : undefined
}

/** Merges the fields of a block as LangChain does: texts and lists grow, other values are replaced. */
function mergeFields(target: Record<string, Json>, fields: JsonObject): void {
  for (const [key, value] of Object.entries(fields)) {
    const before = target[key]
    if (typeof before === 'string' && typeof value === 'string') target[key] = before + value
    else if (Array.isArray(before) && Array.isArray(value)) for (const item of value) before.push(item)
    else if (Array.isArray(value)) target[key] = [...value]
    else if (isObject(before) && isObject(value)) target[key] = { ...before, ...value }
    else target[key] = value
  }
}

function readAnswerPart(block: JsonObject): AssistantPart | undefined {
  const [message] = langchain.fromMessages([{ type: 'ai', data: { content: [block] } }]).value
  return message?.role === 'assistant' ? message.content[0] : undefined
}
