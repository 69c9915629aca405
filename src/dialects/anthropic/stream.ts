import type { ChatEvent } from '../../canonical/model/event.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import type { StreamReader } from '../frames.ts'
import { decodeCitation } from './citations.ts'
import { MAKER, SLOT } from './codes.ts'
import { decodeBlock } from './parts.ts'
import { decodeFinish, decodeUsage } from './response.ts'

type Wire = { readonly [key: string]: Json }

/** Reads the events of a streamed message. */
export function streamReader(): StreamReader {
  let usage: Wire = {}
  const counted = (wire: Json | undefined): readonly ChatEvent[] => {
    if (!isObject(wire)) return []
    // Counters are cumulative; null means that nothing changed.
    usage = { ...usage, ...Object.fromEntries(Object.entries(wire).filter(([, value]) => value !== null)) }
    const total = decodeUsage(usage)
    return total === undefined ? [] : [{ type: 'usage', usage: total }]
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

/** The kind of a wire event is its type. */
export function kindOf({ type }: JsonObject): string {
  return typeof type === 'string' ? type : ''
}
