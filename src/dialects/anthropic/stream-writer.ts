import type { ChatEvent, PartStartEvent } from '../../canonical/model/event.ts'
import type { AssistantPart, ReasoningPart } from '../../canonical/model/part.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import { signatureHolds } from '../../canonical/read/digest.ts'
import type { JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import { type Encoding, silent } from '../encoding.ts'
import type { StreamWriter } from '../frames.ts'
import { encodeCitation } from './citations.ts'
import { MAKER, SLOT } from './codes.ts'
import { encodeBlock } from './parts.ts'
import { encodeFinish, encodeUsage } from './response.ts'

type Planned = readonly (readonly [kind: string, events: readonly ChatEvent[]])[]

/** Writes the events of a streamed message. */
export function streamWriter(encoding: Encoding = silent): StreamWriter {
  const blocks = new BlockPlan(encoding)
  let stopped = false
  let finish: ChatEvent | undefined
  let usage: Usage | undefined
  const writer: StreamWriter = {
    frame: writeFrame,
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
  /** Thoughts that came with a signature, and their words so far: it goes out only with the words that it vouches for. */
  #signed: { readonly part: ReasoningPart; readonly words: string[] } | undefined

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
    if (event.type === 'part-end')
      return [...this.#vouch(event.index, index), ['content_block_stop', [{ ...event, index }]]]
    if (event.type === 'reasoning-delta') this.#signed?.words.push(event.text)
    return this.#deltas(event, event.index, index)
  }

  #begin(event: PartStartEvent): Planned {
    const { part } = event
    const closing: Planned =
      this.#open === undefined ? [] : [['content_block_stop', [{ type: 'part-end', index: this.#open }]]]
    const rule = this.#refusal(part)
    if (rule !== undefined) {
      this.#encoding.lose(rule, partAt(event.index))
      return closing
    }
    const index = this.#next++
    this.#blocks.set(event.index, index)
    this.#signed =
      part.type === 'reasoning' && part.signature !== undefined && !part.redacted
        ? { part, words: [part.text] }
        : undefined
    encodeStart(part, this.#encoding, partAt(event.index)) // reports what the block cannot say
    const citations =
      part.type === 'text' && part.citations !== undefined ? { citations: part.citations } : {}
    const cited = this.#deltas({ type: 'part-update', index: event.index, ...citations }, event.index, index)
    return [...closing, ['content_block_start', [{ ...event, index }]], ...cited]
  }

  /** A delta event for each thing that an event says; what none can say is reported. */
  #deltas(event: ChatEvent, part: number, index: number): Planned {
    const said = singles(event).filter((each, number) => {
      const fits = writePiece(each) !== undefined
      if (!fits)
        this.#encoding.lose(
          event.type === 'part-update' ? 'unverifiable-citation' : 'dropped-media',
          below(partAt(part), number),
        )
      return fits
    })
    return said.map((each) => ['content_block_delta', [{ ...each, index } as ChatEvent]])
  }

  #vouch(part: number, index: number): Planned {
    if (this.#signed === undefined) return []
    const whole = { ...this.#signed.part, text: this.#signed.words.join('') }
    this.#signed = undefined
    const { signature } = whole
    if (signature !== undefined && signatureHolds(whole))
      return [['content_block_delta', [{ type: 'part-update', index, signature }]]]
    this.#encoding.lose('stale-signature', partAt(part))
    return []
  }

  /** The rule by which a part cannot be streamed. */
  #refusal(part: AssistantPart): string | undefined {
    if (part.type === 'reasoning') {
      const ours = part.signature === undefined ? this.#native : part.signature.maker === MAKER
      return ours ? undefined : 'foreign-reasoning'
    }
    const made = encodeStart(part)
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

function partAt(index: number): Path {
  return below(below(below(below(undefined, 'candidates'), 0), 'content'), index)
}

/** An update may say several things, but a delta says one. */
function singles(event: ChatEvent): readonly ChatEvent[] {
  if (event.type !== 'part-update') return [event]
  const { index, signature, citations = [] } = event
  const signed: ChatEvent[] = signature === undefined ? [] : [{ type: 'part-update', index, signature }]
  return [
    ...citations.map((citation): ChatEvent => ({ type: 'part-update', index, citations: [citation] })),
    ...signed,
  ]
}

function writeFrame(kind: string, events: readonly ChatEvent[]): JsonObject {
  const [event] = events
  if (kind === 'message_start') return { type: kind, message: writeMessage(events) }
  if (kind === 'message_delta') return writeDelta(events)
  if (event === undefined || !('index' in event)) return { type: kind }
  const { index } = event
  if (event.type === 'part-start')
    return {
      type: kind,
      index,
      content_block: encodeStart(event.part) ?? { type: 'text', text: '' },
    }
  return event.type === 'part-end'
    ? { type: kind, index }
    : { type: kind, index, delta: writePiece(event) ?? {} }
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
      event.type === 'part-start' ? [encodeBlock(event.part, undefined, silent, 'stream') ?? {}] : [],
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
function encodeStart(part: AssistantPart, encoding: Encoding = silent, at?: Path): JsonObject | undefined {
  if (part.type === 'text') return { type: 'text', text: part.text }
  if (part.type === 'reasoning' && !part.redacted)
    return { type: 'thinking', thinking: part.text, signature: '' }
  return encodeBlock(part, at, encoding, 'stream')
}

function writePiece(event: ChatEvent): JsonObject | undefined {
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
      const made = citation === undefined ? undefined : encodeCitation(citation, undefined, silent)
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
