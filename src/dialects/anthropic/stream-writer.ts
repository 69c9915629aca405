import type { ChatEvent } from '../../canonical/model/event.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import type { JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import type { StreamWriter } from '../engine/stream-frames.ts'
import type { StoppedMessage } from '../shared/response-metadata.ts'
import { createCandidatePath } from '../engine/parts-being-written.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import { applyResidue } from '../engine/residue-slots.ts'
import { encodeCitation } from './citations.ts'
import { DIALECT_SLOT } from './constants.ts'
import { encodeFinish, isToolUse, encodeUsage } from './response-metadata.ts'
import { encodePart } from './parts.ts'
import { StreamPlan, type WireEventPlan } from './stream-plan.ts'

type MessageStartEvent = ChatEvent & { readonly type: 'start' }

/** Writes the events of a streamed message. */
export function createStreamWriter(context: EncodeContext = noReport): StreamWriter {
  const blocks = new StreamPlan(context)
  const dropped = new Set<number>()
  let begun = false
  let stopped = false
  let own = true
  let calls = false
  let finish: ChatEvent | undefined
  let usage: Usage | undefined

  const begin = (event: MessageStartEvent): WireEventPlan => {
    begun = true
    own = event.origin?.dialect === DIALECT_SLOT
    reportStartFields(event, context)
    return [['message_start', [event]]]
  }
  const drop = (candidate: number): WireEventPlan => {
    if (!dropped.has(candidate)) context.report('candidates-dropped', createCandidatePath(candidate))
    dropped.add(candidate)
    return []
  }
  const plan = (event: ChatEvent): WireEventPlan => {
    if ((event.candidate ?? 0) !== 0) return drop(event.candidate ?? 0)
    if (event.type === 'start') return begin(event)
    if (event.type === 'part-start') calls ||= isApplicationCall(event.part)
    if (event.type === 'finish') finish = event
    else if (event.type === 'usage') usage = event.usage
    else if ('index' in event) return [...(begun ? [] : begin({ type: 'start' })), ...blocks.plan(event)]
    return []
  }
  /** What is known at the end alone: usage counts up, and the last one counts. */
  const ending = (): WireEventPlan => {
    const told: ChatEvent[] = []
    if (finish?.type === 'finish') {
      const path = child(createCandidatePath(0), 'finish')
      const { stop_reason: raw } = encodeFinish(
        { finish: finish.finish, isOwnFormat: own, hasToolCalls: calls },
        path,
        context,
      )
      told.push({ type: 'finish', finish: { ...finish.finish, raw: raw as string } })
    }
    if (usage !== undefined) {
      encodeUsage(usage, context)
      told.push({ type: 'usage', usage })
    }
    return [...blocks.end(), ...(told.length === 0 ? [] : ([['message_delta', told]] as const))]
  }

  const frame = (kind: string, events: readonly ChatEvent[]): JsonObject => writeFrame(kind, events, calls)

  return {
    encodeFrame: frame,
    noteWritten: (wire) => {
      if (wire['type'] === 'message_start') {
        begun = true
        calls = false
      }
      if (wire['type'] === 'message_stop') stopped = true
      calls ||= isToolUse(wire['content_block'])
      blocks.noteWritten(wire)
    },
    plan,
    end: () => {
      if (stopped) return []
      return [...ending().map(([kind, events]) => frame(kind, events)), { type: 'message_stop' }]
    },
  }
}

/** What a message has no field for. */
function reportStartFields({ createdAt, message }: MessageStartEvent, context: EncodeContext): void {
  if (createdAt !== undefined) context.report('response-metadata', child(undefined, 'createdAt'))
  if (message?.name !== undefined) context.report('message-name', child(createCandidatePath(0), 'name'))
}

function writeFrame(kind: string, events: readonly ChatEvent[], calls: boolean): JsonObject {
  if (kind === 'message_start') return { type: kind, message: writeMessage(events) }
  if (kind === 'message_delta') return writeDelta(events, calls)
  const delta = kind === 'content_block_delta'
  // Where a delta came without its block, the event that opens the part stands before it.
  const event = events.find(({ type }) => !delta || type !== 'part-start')
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
  const calls = events.some((event) => event.type === 'part-start' && isApplicationCall(event.part))
  return {
    id: start?.id ?? '',
    type: 'message',
    role: 'assistant',
    model: start?.model ?? '',
    content: events.flatMap((event) =>
      event.type === 'part-start' ? [encodePart(event.part, undefined, noReport, 'response') ?? {}] : [],
    ),
    ...encodeFinish(findStoppedMessage(events, calls)),
    usage: encodeUsage(usage),
    container: null,
    diagnostics: null,
  }
}

/** Why the answer stopped, where that is among what is told. */
function findStoppedMessage(events: readonly ChatEvent[], calls: boolean): StoppedMessage | undefined {
  const event = events.find(({ type }) => type === 'finish')
  return event?.type === 'finish'
    ? { finish: event.finish, hasToolCalls: calls, isOwnFormat: true }
    : undefined
}

function writeDelta(events: readonly ChatEvent[], calls: boolean): JsonObject {
  const usage = events.find((event) => event.type === 'usage')?.usage
  return {
    type: 'message_delta',
    delta: { ...encodeFinish(findStoppedMessage(events, calls)), container: null },
    usage: encodeDeltaUsage(encodeUsage(usage)),
  }
}

/** Counters that only a whole message has. */
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

/** How a block opens: what deltas will say is empty. */
function encodeBlockStart(part: AssistantPart): JsonObject | undefined {
  if (part.type === 'text')
    return applyResidue({ type: 'text', text: part.text, citations: null }, part, DIALECT_SLOT)
  if (part.type === 'reasoning' && !part.redacted)
    return { type: 'thinking', thinking: part.text, signature: '' }
  return encodePart(part, undefined, noReport, 'response')
}

/** What a delta says; undefined where none can say it. */
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
      const made =
        citation === undefined ? undefined : encodeCitation(citation, undefined, noReport, 'response')
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
