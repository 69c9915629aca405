import type { ChatEvent } from '../../canonical/model/event.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import type { JsonObject } from '../../wire/json.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import type { StreamWriter } from '../engine/stream-frames.ts'
import type { StoppedMessage } from '../shared/response-metadata.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import { applyResidue } from '../engine/residue-slots.ts'
import { encodeCitation } from './citations.ts'
import { DIALECT_SLOT } from './constants.ts'
import { encodeFinish, encodeUsage } from './response-metadata.ts'
import { encodePart } from './parts.ts'
import { StreamPlan } from './stream-plan.ts'

/** Creates the writer of a streamed message. */
export function createStreamWriter(context: EncodeContext = noReport): StreamWriter {
  const plan = new StreamPlan(context)
  const encodeFrame = (kind: string, events: readonly ChatEvent[]): JsonObject =>
    writeFrame(kind, events, plan.hasToolCalls)
  return {
    encodeFrame,
    noteWritten: (wire) => plan.noteWritten(wire),
    plan: (event) => plan.plan(event),
    end: () => plan.end().map(([kind, events]) => encodeFrame(kind, events)),
  }
}

function writeFrame(kind: string, events: readonly ChatEvent[], hasToolCalls: boolean): JsonObject {
  if (kind === 'message_start') return { type: kind, message: writeMessage(events) }
  if (kind === 'message_delta') return writeDelta(events, hasToolCalls)
  const isDelta = kind === 'content_block_delta'
  // For a delta without an opened block, the event that opens the part precedes the delta.
  const event = events.find(({ type }) => !isDelta || type !== 'part-start')
  if (event === undefined || !('index' in event)) return { type: kind }
  const { index } = event
  if (event.type === 'part-start')
    return { type: kind, index, content_block: encodeBlockStart(event.part) ?? { type: 'text', text: '' } }
  return event.type === 'part-end'
    ? { type: kind, index }
    : { type: kind, index, delta: encodeDelta(event) ?? {} }
}

function writeMessage(events: readonly ChatEvent[]): JsonObject {
  const start = events.find((event) => event.type === 'start')
  const usage = events.find((event) => event.type === 'usage')?.usage
  const hasToolCalls = events.some((event) => event.type === 'part-start' && isApplicationCall(event.part))
  return {
    id: start?.id ?? '',
    type: 'message',
    role: 'assistant',
    model: start?.model ?? '',
    content: events.flatMap((event) =>
      event.type === 'part-start' ? [encodePart(event.part, undefined, noReport, 'response') ?? {}] : [],
    ),
    ...encodeFinish(findStoppedMessage(events, hasToolCalls)),
    usage: encodeUsage(usage),
    container: null,
    diagnostics: null,
  }
}

/** Returns why the message stopped, if the events contain a finish event. */
function findStoppedMessage(events: readonly ChatEvent[], hasToolCalls: boolean): StoppedMessage | undefined {
  const event = events.find(({ type }) => type === 'finish')
  return event?.type === 'finish' ? { finish: event.finish, hasToolCalls, isOwnFormat: true } : undefined
}

function writeDelta(events: readonly ChatEvent[], hasToolCalls: boolean): JsonObject {
  const usage = events.find((event) => event.type === 'usage')?.usage
  return {
    type: 'message_delta',
    delta: { ...encodeFinish(findStoppedMessage(events, hasToolCalls)), container: null },
    usage: encodeDeltaUsage(encodeUsage(usage)),
  }
}

/** Counters that only a complete message contains. */
const wholeMessageCounters: ReadonlySet<string> = new Set([
  'cache_creation',
  'service_tier',
  'inference_geo',
  'speed',
])

function encodeDeltaUsage(usage: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(usage).filter(([key, value]) => value !== null || !wholeMessageCounters.has(key)),
  )
}

/** Encodes the start of a block: fields that deltas will fill are empty. */
function encodeBlockStart(part: AssistantPart): JsonObject | undefined {
  if (part.type === 'text')
    return applyResidue({ type: 'text', text: part.text, citations: null }, part, DIALECT_SLOT)
  if (part.type === 'reasoning' && !part.redacted)
    return { type: 'thinking', thinking: part.text, signature: '' }
  return encodePart(part, undefined, noReport, 'response')
}

/** Encodes a delta; undefined for an event that no delta can contain. */
function encodeDelta(event: ChatEvent): JsonObject | undefined {
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
      const encoded =
        citation === undefined ? undefined : encodeCitation(citation, undefined, noReport, 'response')
      return encoded === undefined ? undefined : { type: 'citations_delta', citation: encoded }
    }
    case 'start':
    case 'part-start':
    case 'part-end':
    case 'media-delta':
    case 'usage':
    case 'finish':
    case 'loss':
    case 'retry':
    case 'error':
    case 'opaque':
      return undefined
  }
}
