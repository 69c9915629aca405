import type { ChatEvent } from '../../canonical/model/event.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import type { JsonObject } from '../../wire/json.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import type { StreamWriter } from '../engine/frame-reader-writer.ts'
import type { FinishEncodeInput } from '../shared/response-metadata.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import { applyResidue } from '../engine/residue-slots.ts'
import { encodeCitation } from './citations.ts'
import { DIALECT_SLOT } from './constants.ts'
import { encodeFinish, encodeUsage } from './response-metadata.ts'
import { encodePart } from './parts.ts'
import { createWireMessage } from './response.ts'
import { StreamPlan } from './stream-plan.ts'

/** Creates the writer of a streamed message. */
export function createStreamWriter(context: EncodeContext = noReport): StreamWriter {
  const plan = new StreamPlan(context)
  const encodeFrame = (kind: string, events: readonly ChatEvent[]): JsonObject =>
    writeFrame(kind, events, plan.hasToolCalls)
  return {
    encodeFrame,
    recordWritten: (wire) => plan.recordWritten(wire),
    plan: (event) => plan.plan(event),
    end: () => plan.end().map(([kind, events]) => encodeFrame(kind, events)),
  }
}

function writeFrame(kind: string, events: readonly ChatEvent[], hasToolCalls: boolean): JsonObject {
  if (kind === 'message_start') return { type: kind, message: writeStart(events) }
  if (kind === 'message_delta') return writeDelta(events, hasToolCalls)
  const isDelta = kind === 'content_block_delta'
  // For a delta without an opened block, the event that opens the part precedes the delta.
  const event = events.find(({ type }) => !isDelta || type !== 'part-start')
  if (event === undefined || !('index' in event)) return { type: kind }
  const { index } = event
  if (event.type === 'part-start') return { type: kind, index, content_block: encodeBlockStart(event.part) }
  return event.type === 'part-end' ? { type: kind, index } : { type: kind, index, delta: encodeDelta(event) }
}

function writeStart(events: readonly ChatEvent[]): JsonObject {
  const start = events.find((event) => event.type === 'start')
  const usage = events.find((event) => event.type === 'usage')?.usage
  const parts = events.flatMap((event) => (event.type === 'part-start' ? [event.part] : []))
  const content = parts.map((part) => encodePart(part, undefined, noReport, 'response') ?? {})
  const finish = encodeFinish(findStoppedMessage(events, parts.some(isApplicationCall)))
  return createWireMessage(start, content, finish, encodeUsage(usage))
}

/** Returns why the message stopped, if the events contain a finish event. */
function findStoppedMessage(
  events: readonly ChatEvent[],
  hasToolCalls: boolean,
): FinishEncodeInput | undefined {
  const event = events.find(({ type }) => type === 'finish')
  return event?.type === 'finish' ? { finish: event.finish, hasToolCalls, isOwnFormat: true } : undefined
}

function writeDelta(events: readonly ChatEvent[], hasToolCalls: boolean): JsonObject {
  const usage = encodeUsage(events.find((event) => event.type === 'usage')?.usage)
  const counters = Object.entries(usage).filter(
    ([key, value]) => value !== null || !completeUsageKeys.has(key),
  )
  return {
    type: 'message_delta',
    delta: { ...encodeFinish(findStoppedMessage(events, hasToolCalls)), container: null },
    usage: Object.fromEntries(counters),
  }
}

/** Keys of the usage of a complete message; a delta contains them only with a value. */
const completeUsageKeys: ReadonlySet<string> = new Set([
  'cache_creation',
  'service_tier',
  'inference_geo',
  'speed',
])

/** Encodes the start of a block: fields that deltas will fill are empty. */
function encodeBlockStart(part: AssistantPart): JsonObject {
  if (part.type === 'text') return applyResidue({ type: 'text', text: part.text }, part, DIALECT_SLOT)
  if (part.type === 'reasoning' && !part.redacted)
    return { type: 'thinking', thinking: part.text, signature: '' }
  return encodePart(part, undefined, noReport, 'response') ?? { type: 'text', text: '' }
}

/** Encodes a delta; empty for an event that no delta can contain. */
function encodeDelta(event: ChatEvent): JsonObject {
  if (event.type === 'text-delta' || event.type === 'refusal-delta')
    return { type: 'text_delta', text: event.text }
  if (event.type === 'reasoning-delta') return { type: 'thinking_delta', thinking: event.text }
  if (event.type === 'arguments-delta') return { type: 'input_json_delta', partial_json: event.json }
  if (event.type !== 'part-update') return {}
  if (event.signature !== undefined) return { type: 'signature_delta', signature: event.signature.value }
  const [citation] = event.citations ?? []
  const encoded = citation && encodeCitation(citation, undefined, noReport, 'response')
  return encoded === undefined ? {} : { type: 'citations_delta', citation: encoded }
}
