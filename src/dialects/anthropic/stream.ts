import type { ChatEvent, PartStartEvent } from '../../canonical/model/event.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below } from '../../wire/pointer.ts'
import { type Encoding, silent } from '../encoding.ts'
import type { StreamReader, StreamWriter } from '../frames.ts'
import { decodeCitation, encodeCitation } from './citations.ts'
import { MAKER, SLOT } from './codes.ts'
import { decodeBlock, encodeBlock } from './parts.ts'
import { decodeFinish, decodeUsage, encodeFinish, encodeUsage } from './response.ts'

type Wire = { readonly [key: string]: Json }

/** Reads the events of a streamed message. */
export function streamReader(): StreamReader {
  let usage: Wire = {}
  const counted = (wire: Json | undefined): readonly ChatEvent[] => {
    if (!isObject(wire)) return []
    // Counters are cumulative; null means that nothing changed.
    usage = { ...usage, ...Object.fromEntries(Object.entries(wire).filter(([, value]) => value !== null)) }
    return [{ type: 'usage', usage: decodeUsage(usage) }]
  }
  return {
    read: (wire) => {
      const event = wire
      if (event['type'] === 'message_start') return readStart(event, counted)
      if (event['type'] === 'message_delta') return readDelta(event, counted)
      return readBlockEvent(event)
    },
    end: () => [],
  }
}

type Count = (wire: Json | undefined) => readonly ChatEvent[]

function readStart({ message }: Wire, counted: Count): readonly ChatEvent[] {
  if (!isObject(message)) return []
  const { id, model, content, usage } = message
  const about = { ...(typeof id === 'string' && { id }), ...(typeof model === 'string' && { model }) }
  const origin = {
    dialect: SLOT,
    ...(typeof model === 'string' && { model }),
    ...(typeof id === 'string' && { responseId: id }),
  }
  const blocks = Array.isArray(content) ? (content as readonly Json[]).map((block) => decodeBlock(block)) : []
  const finish = decodeFinish(message)
  return [
    { type: 'start', ...about, origin },
    ...blocks.map((part, index): ChatEvent => ({ type: 'part-start', index, part: part as AssistantPart })),
    ...(finish === undefined ? [] : [{ type: 'finish', finish } as const]),
    ...counted(usage),
  ]
}

function readDelta({ delta, usage }: Wire, counted: Count): readonly ChatEvent[] {
  const finish = isObject(delta) ? decodeFinish(delta) : undefined
  return [...(finish === undefined ? [] : [{ type: 'finish', finish } as const]), ...counted(usage)]
}

function readBlockEvent({ type, index, content_block: block, delta }: Wire): readonly ChatEvent[] {
  if (typeof index !== 'number') return []
  if (type === 'content_block_start' && block !== undefined) {
    return [{ type: 'part-start', index, part: opened(decodeBlock(block)) as AssistantPart }]
  }
  if (type === 'content_block_stop') return [{ type: 'part-end', index }]
  return type === 'content_block_delta' && isObject(delta) ? readPiece(delta, index) : []
}

/** An open block has the form hints of an empty one; the finished part must not. */
function opened(part: ReturnType<typeof decodeBlock>): ReturnType<typeof decodeBlock> {
  if (part.type !== 'text' && part.type !== 'reasoning') return part
  if (part.type === 'reasoning' && part.redacted) return part
  const { extra: _extra, ...rest } = part
  return rest
}

function readPiece(delta: Wire, index: number): readonly ChatEvent[] {
  const { type, text, thinking, partial_json: json, signature, citation } = delta
  if (type === 'text_delta' && typeof text === 'string') return [{ type: 'text-delta', index, text }]
  if (type === 'thinking_delta' && typeof thinking === 'string')
    return [{ type: 'reasoning-delta', index, text: thinking }]
  if (type === 'input_json_delta' && typeof json === 'string')
    return [{ type: 'arguments-delta', index, json }]
  if (type === 'signature_delta' && typeof signature === 'string') {
    return [{ type: 'part-update', index, signature: { maker: MAKER, value: signature } }]
  }
  if (type !== 'citations_delta' || citation === undefined) return []
  return [{ type: 'part-update', index, citations: [decodeCitation(citation)] }]
}

/** Kinds of wire events that are not deltas. */
const kinds: { readonly [type: string]: string } = { 'part-end': 'content_block_stop' }

type Planned = readonly (readonly [kind: string, events: readonly ChatEvent[]])[]

/** Writes the events of a streamed message. */
export function streamWriter(encoding: Encoding = silent): StreamWriter {
  const blocks = new BlockPlan(encoding)
  let stopped = false
  let finish: ChatEvent | undefined
  let usage: Usage | undefined
  const writer: StreamWriter = {
    frame: (kind, events) => writeFrame(kind, events, encoding),
    wrote: (wire) => {
      if (wire['type'] === 'message_stop') stopped = true
      blocks.wrote(wire)
    },
    plan: (event) => {
      if (event.type === 'finish') finish = event
      else if (event.type === 'usage') usage = event.usage
      else return blocks.plan(event)
      return []
    },
    end: () => {
      if (stopped) return []
      const told = [
        ...(finish === undefined ? [] : [finish]),
        ...(usage === undefined ? [] : [{ type: 'usage', usage } as const]),
      ]
      return [...(told.length === 0 ? [] : [writer.frame('message_delta', told)]), { type: 'message_stop' }]
    },
  }
  return writer
}

/** Which blocks the parts of another format become: one open at a time, their positions without gaps. */
class BlockPlan {
  readonly #encoding: Encoding
  readonly #blocks = new Map<number, number>()
  readonly #dropped = new Set<number>()
  #next = 0
  #open: number | undefined
  #native = false

  constructor(encoding: Encoding) {
    this.#encoding = encoding
  }

  wrote({ type, index }: JsonObject): void {
    if (typeof index !== 'number') return
    if (type === 'content_block_stop') this.#open = undefined
    if (type !== 'content_block_start') return
    this.#open = index
    if (index >= this.#next) this.#blocks.set(index, index) // a frame of our own: its positions are the parts'
    this.#next = Math.max(this.#next, index + 1)
  }

  plan(event: ChatEvent): Planned {
    const candidate = event.candidate ?? 0
    if (candidate !== 0) return this.#drop(candidate)
    if (event.type === 'start') {
      this.#native = event.origin?.dialect === SLOT
      return [['message_start', [event]]]
    }
    if (!('index' in event)) return []
    if (event.type === 'part-start') return this.#begin(event)
    const index = this.#blocks.get(event.index)
    if (index === undefined || index !== this.#open) return []
    return [[kinds[event.type] ?? 'content_block_delta', [{ ...event, index }]]]
  }

  #begin(event: PartStartEvent): Planned {
    const closing: Planned =
      this.#open === undefined ? [] : [['content_block_stop', [{ type: 'part-end', index: this.#open }]]]
    const rule = this.#refusal(event.part)
    if (rule !== undefined) {
      const content = below(below(below(undefined, 'candidates'), 0), 'content')
      this.#encoding.lose(rule, below(content, event.index))
      return closing
    }
    const index = this.#next++
    this.#blocks.set(event.index, index)
    return [...closing, ['content_block_start', [{ ...event, index }]]]
  }

  /** The rule by which a part cannot be streamed. */
  #refusal(part: AssistantPart): string | undefined {
    if (part.type === 'reasoning')
      return this.#native || part.signature?.maker === MAKER ? undefined : 'foreign-reasoning'
    const made = encodeStart(part, silent)
    if (made === undefined) return part.type === 'opaque' ? 'foreign-opaque' : 'dropped-media'
    const told = part.type === 'tool-call' || part.type === 'tool-result' || part.type === 'opaque'
    return told && made['type'] === 'text' ? 'provider-call-dropped' : undefined
  }

  #drop(candidate: number): Planned {
    if (!this.#dropped.has(candidate))
      this.#encoding.lose('candidates-dropped', below(below(undefined, 'candidates'), candidate))
    this.#dropped.add(candidate)
    return []
  }
}

function writeFrame(kind: string, events: readonly ChatEvent[], encoding: Encoding): JsonObject {
  const [event] = events
  if (kind === 'message_start') return { type: kind, message: writeMessage(events) }
  if (kind === 'message_delta') return writeDelta(events)
  if (event === undefined || !('index' in event)) return { type: kind }
  const { index } = event
  if (event.type === 'part-start')
    return {
      type: kind,
      index,
      content_block: encodeStart(event.part, encoding) ?? { type: 'text', text: '' },
    }
  return event.type === 'part-end'
    ? { type: kind, index }
    : { type: kind, index, delta: writePiece(event, encoding) ?? {} }
}

function writeMessage(events: readonly ChatEvent[]): JsonObject {
  const start = events.find((event) => event.type === 'start')
  const usage = events.find((event) => event.type === 'usage')?.usage
  const finish = events.find((event) => event.type === 'finish')?.finish
  return {
    id: start?.id ?? '',
    type: 'message',
    role: 'assistant',
    model: start?.model ?? '',
    content: events.flatMap((event) =>
      event.type === 'part-start' ? [encodeBlock(event.part, undefined, silent) ?? {}] : [],
    ),
    ...encodeFinish(finish),
    usage: encodeUsage(usage),
    container: null,
    diagnostics: null,
  }
}

function writeDelta(events: readonly ChatEvent[]): JsonObject {
  const finish = events.find((event) => event.type === 'finish')?.finish
  const usage = events.find((event) => event.type === 'usage')?.usage
  return {
    type: 'message_delta',
    delta: { ...encodeFinish(finish), container: null },
    usage: encodeUsage(usage),
  }
}

/** How a block opens: what deltas will say is empty. */
function encodeStart(part: AssistantPart, encoding: Encoding): JsonObject | undefined {
  if (part.type === 'text') return { type: 'text', text: part.text }
  if (part.type === 'reasoning' && !part.redacted)
    return { type: 'thinking', thinking: part.text, signature: '' }
  return encodeBlock(part, undefined, encoding)
}

function writePiece(event: ChatEvent, encoding: Encoding): JsonObject | undefined {
  switch (event.type) {
    case 'text-delta':
    case 'refusal-delta':
      return { type: 'text_delta', text: event.text }
    case 'reasoning-delta':
      return { type: 'thinking_delta', thinking: event.text }
    case 'arguments-delta':
      return { type: 'input_json_delta', partial_json: event.json }
    case 'part-update': {
      if (event.signature !== undefined) return { type: 'signature_delta', signature: event.signature.value }
      const [citation] = event.citations ?? []
      const made = citation === undefined ? undefined : encodeCitation(citation, undefined, encoding)
      return made === undefined ? undefined : { type: 'citations_delta', citation: made }
    }
    case 'start':
    case 'part-start':
    case 'part-end':
    case 'media-delta':
    case 'usage':
    case 'finish':
    case 'loss':
    case 'error':
    case 'opaque':
      return undefined
  }
}

/** The kind of a wire event is its type. */
export function kindOf({ type }: JsonObject): string {
  return typeof type === 'string' ? type : ''
}
