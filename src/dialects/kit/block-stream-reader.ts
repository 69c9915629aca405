import type { ChatEvent } from '../../canonical/model/event.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import { stringifyArguments } from '../../canonical/build/call-arguments.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import type { StreamLimits } from '../../wire/stream-limits.ts'
import { createHintExtra } from '../engine/residue-slots.ts'
import { StreamArgumentsReader } from '../shared/tool-arguments.ts'
import type { BlockEventReader } from './block-format.ts'
import type { BlockPartCodec } from './block-parts.ts'
import type { BlockResponseCodec } from './block-response.ts'

interface OpenBlock {
  readonly index: number
  readonly type: AssistantPart['type']
  readonly arguments: StreamArgumentsReader
}

/** The types of parts that arrive in pieces. */
const GROWING_TYPES: ReadonlySet<string> = new Set(['text', 'reasoning', 'refusal', 'tool-call'])

/** Reads the payloads of one stream; it tracks the open blocks. */
export class BlockStreamReader implements BlockEventReader {
  readonly #parts: BlockPartCodec
  readonly #responses: BlockResponseCodec
  readonly #limits: StreamLimits | undefined
  readonly #open = new Map<unknown, OpenBlock>()
  #nextIndex = 0
  #hasToolCalls = false

  constructor(parts: BlockPartCodec, responses: BlockResponseCodec, limits: StreamLimits | undefined) {
    this.#parts = parts
    this.#responses = responses
    this.#limits = limits
  }

  start(fields: JsonObject): readonly ChatEvent[] {
    return [{ type: 'start', ...this.#responses.decodeMetadata(fields) }]
  }

  openBlock(key: Json | undefined, block: Json | undefined): readonly ChatEvent[] {
    if (!isObject(block) || this.#open.has(key)) return []
    // The decoder returns only parts that an assistant message can contain.
    const part = this.#parts.decode(block, ['assistant'], this.#parts.slots.response) as AssistantPart
    return this.#openPart(key, part)
  }

  #openPart(key: unknown, part: AssistantPart): readonly ChatEvent[] {
    const index = this.#nextIndex++
    const open = { index, type: part.type, arguments: new StreamArgumentsReader(this.#limits) }
    this.#open.set(key, open)
    this.#hasToolCalls ||= isApplicationCall(part)
    const [empty, piece] = splitContent(part)
    return [{ type: 'part-start', index, part: empty }, ...(piece === '' ? [] : [createDelta(open, piece)])]
  }

  addPiece(key: Json | undefined, piece: Json | undefined): readonly ChatEvent[] {
    const open = this.#open.get(key)
    const canGrow = open !== undefined && GROWING_TYPES.has(open.type)
    return canGrow && typeof piece === 'string' ? [createDelta(open, piece)] : []
  }

  addText(type: 'text' | 'reasoning', piece: Json | undefined): readonly ChatEvent[] {
    if (typeof piece !== 'string' || piece === '') return []
    const open = this.#open.get(type)
    if (open !== undefined) return [createDelta(open, piece)]
    const extra = createHintExtra(this.#parts.slots.dialect, { ownReasoning: true })
    const part = { type, text: piece, ...(type === 'reasoning' && { extra }) }
    return [...this.end(), ...this.#openPart(type, part)]
  }

  closeBlock(key: Json | undefined): readonly ChatEvent[] {
    return this.#close(key)
  }

  #close(key: unknown): readonly ChatEvent[] {
    const open = this.#open.get(key)
    this.#open.delete(key)
    return open === undefined ? [] : [{ type: 'part-end', index: open.index }]
  }

  finish(fields: JsonObject): readonly ChatEvent[] {
    const finish = this.#responses.decodeFinish(fields, this.#hasToolCalls)
    return [
      ...(finish === undefined ? [] : [...this.end(), { type: 'finish', finish } as const]),
      ...this.usage(fields),
    ]
  }

  usage(fields: JsonObject): readonly ChatEvent[] {
    const usage = this.#responses.decodeUsageField(fields)
    return usage === undefined ? [] : [{ type: 'usage', usage }]
  }

  /** Ends the open blocks. */
  end(): readonly ChatEvent[] {
    return [...this.#open.keys()].flatMap((key) => this.#close(key))
  }
}

/** Returns a part without its text or arguments, and these as the first piece: consumers read pieces only. */
function splitContent(part: AssistantPart): readonly [empty: AssistantPart, piece: string] {
  if ('text' in part) return [{ ...part, text: '' }, part.text]
  if (!isApplicationCall(part)) return [part, '']
  const { rawArguments: _raw, invalidArguments: _invalid, ...call } = part
  const json = stringifyArguments(part)
  return [{ ...call, arguments: {} }, json === '{}' ? '' : json]
}

function createDelta({ index, type, arguments: json }: OpenBlock, piece: string): ChatEvent {
  if (type === 'tool-call') return json.append(index, piece)
  const text = type === 'reasoning' || type === 'refusal' ? type : 'text'
  return { type: `${text}-delta`, index, text: piece }
}
