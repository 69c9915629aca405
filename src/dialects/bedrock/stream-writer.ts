import type { ChatEvent } from '../../canonical/model/event.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import type { StreamWriter } from '../engine/frame-reader-writer.ts'
import { encodeCitation } from './citations.ts'
import { mediaFormatTables } from './constants.ts'
import { getBlockKey } from './part-context.ts'
import { encodePart } from './parts.ts'
import { encodeFinish, encodeUsage } from './response-metadata.ts'
import { StreamPlan } from './stream-plan.ts'

/** Creates the writer of a streamed message. */
export function createStreamWriter(context: EncodeContext = noReport): StreamWriter {
  const plan = new StreamPlan(context)
  const encodeFrame = (kind: string, events: readonly ChatEvent[]): JsonObject => ({
    [kind]: writeEvent(kind, events, plan.hasToolCalls),
  })
  return {
    encodeFrame,
    recordWritten: (wire) => plan.recordWritten(wire),
    plan: (event) => plan.plan(event),
    end: () => plan.end().map(([kind, events]) => encodeFrame(kind, events)),
  }
}

function writeEvent(kind: string, events: readonly ChatEvent[], hasToolCalls: boolean): JsonObject {
  if (kind === 'messageStart') return { role: 'assistant' }
  if (kind === 'messageStop') return writeStop(events, hasToolCalls)
  if (kind === 'metadata') return writeMetadata(events)
  const isDelta = kind === 'contentBlockDelta'
  // For a delta without an opened block, the event that opens the part precedes the delta.
  const event = events.find(({ type }) => !isDelta || type !== 'part-start')
  if (event === undefined || !('index' in event)) return {}
  const index = { contentBlockIndex: event.index }
  if (event.type === 'part-start') return { ...index, start: encodeBlockStart(event.part) }
  if (!isDelta) return index
  const opened = events.find(({ type }) => type === 'part-start')
  return { ...index, delta: encodeDelta(event, isRedacted(opened)) }
}

function isRedacted(event: ChatEvent | undefined): boolean {
  return event?.type === 'part-start' && event.part.type === 'reasoning' && event.part.redacted === true
}

function writeStop(events: readonly ChatEvent[], hasToolCalls: boolean): JsonObject {
  const finish = events.find((event) => event.type === 'finish')?.finish
  return encodeFinish(finish && { finish, hasToolCalls, isOwnFormat: true })
}

function writeMetadata(events: readonly ChatEvent[]): JsonObject {
  const usage = events.find((event) => event.type === 'usage')?.usage
  return { usage: encodeUsage(usage), metrics: { latencyMs: 0 } }
}

/** Encodes the start of a block: fields that deltas will fill are missing. */
function encodeBlockStart(part: AssistantPart): JsonObject {
  if (part.type === 'image') return { image: { format: getImageFormat(part) } }
  const block = encodePart(part, undefined, noReport, 'response') ?? {}
  const key = getBlockKey(block) ?? ''
  const value = block[key]
  const { input: _input, content: _content, ...start } = isObject(value) ? value : {}
  return { [key]: start }
}

function getImageFormat({ source }: Extract<AssistantPart, { type: 'image' }>): string {
  const mediaType = source.kind === 'base64' ? source.mediaType : ''
  return mediaFormatTables.image.toWire(mediaType) ?? 'png'
}

/** Encodes a delta; empty for an event that no delta can contain. */
function encodeDelta(event: ChatEvent, isRedactedReasoning: boolean): JsonObject {
  if (event.type === 'text-delta' || event.type === 'refusal-delta') return { text: event.text }
  if (event.type === 'reasoning-delta') return { reasoningContent: { text: event.text } }
  if (event.type === 'arguments-delta') return { toolUse: { input: event.json } }
  if (event.type === 'media-delta') return { image: { source: { bytes: event.data } } }
  if (event.type === 'part-end') return event.part === undefined ? {} : encodeWholeDelta(event.part)
  if (event.type !== 'part-update') return {}
  if (event.signature !== undefined) {
    const { value } = event.signature
    return { reasoningContent: isRedactedReasoning ? { redactedContent: value } : { signature: value } }
  }
  const [citation] = event.citations ?? []
  const encoded = citation && encodeCitation(citation, undefined, noReport)
  return encoded === undefined ? {} : { citation: encoded }
}

/** Encodes the content of a complete part: an image, a tool result, or redacted reasoning. */
function encodeWholeDelta(part: AssistantPart): JsonObject {
  const block = encodePart(part, undefined, noReport, 'response') ?? {}
  const { image, toolResult, reasoningContent } = block
  if (isObject(image)) return { image: { source: image['source'] as Json } }
  if (isObject(toolResult)) return { toolResult: toolResult['content'] as Json }
  return reasoningContent === undefined ? {} : { reasoningContent }
}
