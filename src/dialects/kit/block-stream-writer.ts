import type { ChatEvent, PartStartEvent } from '../../canonical/model/event.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import { PartAccumulator } from '../../canonical/stream/part-accumulator.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import type { Json, JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import type { StreamWriter } from '../engine/frame-reader-writer.ts'
import { createCandidatePath, type PartEvent } from '../engine/parts-being-written.ts'
import { addHints } from '../engine/residue-slots.ts'
import type { BlockFormat } from './block-format.ts'
import type { BlockPartCodec } from './block-parts.ts'
import type { BlockResponseCodec } from './block-response.ts'
import { BlockStreamPlan, EVENT_KIND } from './block-stream-plan.ts'

type PieceType = 'text' | 'reasoning' | 'refusal' | 'tool-call'

/** Writes the payloads of a stream. */
export class BlockStreamWriter implements StreamWriter {
  readonly #format: BlockFormat
  readonly #parts: BlockPartCodec
  readonly #responses: BlockResponseCodec
  readonly #context: EncodeContext
  readonly #plan: BlockStreamPlan
  /** The positions of the blocks on the wire, by the index of their part: omitted parts have none. */
  readonly #positions = new Map<number, number>()
  #hasToolCalls = false
  #isDone = false

  constructor(
    format: BlockFormat,
    parts: BlockPartCodec,
    responses: BlockResponseCodec,
    context: EncodeContext = noReport,
  ) {
    this.#format = format
    this.#parts = parts
    this.#responses = responses
    this.#context = context
    this.#plan = new BlockStreamPlan(context, parts, format.name)
  }

  /** Encodes events as one payload: what each of them adds to it is merged. */
  encodeFrame(_kind: string, events: readonly ChatEvent[]): JsonObject {
    const payload: Record<string, Json> = {}
    const opened = new Set<number>()
    for (const event of events) {
      if (event.type === 'start')
        Object.assign(payload, this.#format.stream.writeStart(this.#responses.writeStartFields(event)))
      if (event.type === 'part-start') {
        if (this.#writeBlock(event, events, payload)) opened.add(event.index)
      } else if ('index' in event && !opened.has(event.index))
        Object.assign(payload, this.#writePartEvent(event))
    }
    const finish = events.find((event) => event.type === 'finish')?.finish
    const usage = events.find((event) => event.type === 'usage')?.usage
    if (finish === undefined && usage === undefined) return payload
    if (finish !== undefined) this.#isDone = true
    const stopped = finish && { finish, hasToolCalls: this.#hasToolCalls, isOwnFormat: true }
    const fields = {
      ...(stopped && { [this.#format.response.finish]: this.#responses.encodeFinish(stopped) }),
      ...(usage && this.#responses.writeUsage(usage, noReport)),
    }
    return Object.assign(payload, this.#format.stream.writeFinish(fields))
  }

  /** Writes the start of a block with the content that the same payload has. Returns false if there is no such payload. */
  #writeBlock(event: PartStartEvent, events: readonly ChatEvent[], payload: Record<string, Json>): boolean {
    const { index } = event
    const content = new PartAccumulator(event.part)
    for (const each of events) {
      if (!('index' in each) || each.index !== index) continue
      if ('text' in each) content.append(each.text)
      if ('json' in each) content.append(each.json)
    }
    const part = content.build()
    this.#hasToolCalls ||= isApplicationCall(part)
    const position = this.#positions.get(index) ?? this.#positions.size
    this.#positions.set(index, position)
    // The losses of a part are reported once, when it is complete.
    const quiet = { ...this.#context, report: () => {} }
    const block = this.#parts.encode(this.#markReasoning(part), undefined, quiet, this.#parts.slots.response)
    const wire = block && this.#format.stream.writeBlock(position, block)
    Object.assign(payload, wire)
    return wire !== undefined
  }

  /** Marks reasoning as that of this dialect: its text may follow, and reasoning without a text is otherwise omitted. */
  #markReasoning(part: AssistantPart): AssistantPart {
    if (part.type !== 'reasoning' || part.redacted) return part
    return addHints(part, this.#parts.slots.dialect, { ownReasoning: true })
  }

  #writePartEvent(event: PartEvent): JsonObject | undefined {
    const { stream } = this.#format
    const position = this.#positions.get(event.index) ?? 0
    if (event.type === 'part-end') return stream.writeBlockEnd(position)
    if ('json' in event) return stream.writePiece(position, event.json, 'tool-call')
    if (!('text' in event)) return undefined
    return stream.writePiece(position, event.text, event.type.slice(0, -'-delta'.length) as PieceType)
  }

  recordWritten(): void {
    // The state follows the events, which `encodeFrame` receives with every payload.
  }

  plan(event: ChatEvent): ReturnType<StreamWriter['plan']> {
    return this.#plan.plan(event).filter(([, events]) => this.#hasPayload(events))
  }

  /** Returns false for the end of a block in a format that has no payload for it. */
  #hasPayload([event, ...others]: readonly ChatEvent[]): boolean {
    if (event?.type !== 'part-end' || others.length > 0) return true
    return this.#format.stream.writeBlockEnd(this.#positions.get(event.index) ?? 0) !== undefined
  }

  end(): readonly JsonObject[] {
    if (this.#isDone) return []
    const ends = this.#plan.end().filter(([, events]) => this.#hasPayload(events))
    return [...ends.map(([kind, events]) => this.encodeFrame(kind, events)), ...this.#encodeLast()]
  }

  /** Encodes the last payload. It contains finish reason and usage, which arrive in any order. */
  #encodeLast(): readonly JsonObject[] {
    const { usage, isOwnFormat } = this.#plan
    const finish = this.#plan.finish?.finish
    if (finish === undefined)
      return usage === undefined ? [] : [this.encodeFrame(EVENT_KIND, [{ type: 'usage', usage }])]
    const stopped = { finish, hasToolCalls: this.#hasToolCalls, isOwnFormat }
    const path = child(createCandidatePath(), 'finish')
    const fields = {
      [this.#format.response.finish]: this.#responses.encodeFinish(stopped, path, this.#context),
      ...(usage && this.#responses.writeUsage(usage, this.#context)),
    }
    return [this.#format.stream.writeFinish(fields)]
  }
}
