import type { ChatEvent } from '../../canonical/model/event.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import type { JsonObject } from '../../wire/json.ts'
import { below } from '../../wire/pointer.ts'
import { type Encoding, silent } from '../encoding.ts'
import type { StreamWriter } from '../frames.ts'
import type { Stopped } from '../shared/finish.ts'
import { candidatePath } from '../shared/open-parts.ts'
import { isOwnCall } from '../shared/own-calls.ts'
import { applyResidue } from '../unit.ts'
import { encodeCitation } from './citations.ts'
import { SLOT } from './codes.ts'
import { encodeFinish, isCall } from './finish.ts'
import { encodePart } from './parts.ts'
import { StreamPlan, type Planned } from './stream-plan.ts'
import { encodeUsage } from './usage.ts'

type Start = ChatEvent & { readonly type: 'start' }

/** Writes the events of a streamed message. */
export function streamWriter(encoding: Encoding = silent): StreamWriter {
  const blocks = new StreamPlan(encoding)
  const dropped = new Set<number>()
  let begun = false
  let stopped = false
  let own = true
  let calls = false
  let finish: ChatEvent | undefined
  let usage: Usage | undefined

  const begin = (event: Start): Planned => {
    begun = true
    own = event.origin?.dialect === SLOT
    reportStart(event, encoding)
    return [['message_start', [event]]]
  }
  const drop = (candidate: number): Planned => {
    if (!dropped.has(candidate)) encoding.lose('candidates-dropped', candidatePath(candidate))
    dropped.add(candidate)
    return []
  }
  const plan = (event: ChatEvent): Planned => {
    if ((event.candidate ?? 0) !== 0) return drop(event.candidate ?? 0)
    if (event.type === 'start') return begin(event)
    if (event.type === 'part-start') calls ||= isOwnCall(event.part)
    if (event.type === 'finish') finish = event
    else if (event.type === 'usage') usage = event.usage
    else if ('index' in event) return [...(begun ? [] : begin({ type: 'start' })), ...blocks.plan(event)]
    return []
  }
  /** What is known at the end alone: usage counts up, and the last one counts. */
  const ending = (): Planned => {
    const told: ChatEvent[] = []
    if (finish?.type === 'finish') {
      const at = below(candidatePath(0), 'finish')
      const { stop_reason: raw } = encodeFinish({ finish: finish.finish, own, calls }, at, encoding)
      told.push({ type: 'finish', finish: { ...finish.finish, raw: raw as string } })
    }
    if (usage !== undefined) {
      encodeUsage(usage, encoding)
      told.push({ type: 'usage', usage })
    }
    return [...blocks.end(), ...(told.length === 0 ? [] : ([['message_delta', told]] as const))]
  }

  const frame = (kind: string, events: readonly ChatEvent[]): JsonObject => writeFrame(kind, events, calls)

  return {
    frame,
    wrote: (wire) => {
      if (wire['type'] === 'message_start') {
        begun = true
        calls = false
      }
      if (wire['type'] === 'message_stop') stopped = true
      calls ||= isCall(wire['content_block'])
      blocks.wrote(wire)
    },
    plan,
    end: () => {
      if (stopped) return []
      return [...ending().map(([kind, events]) => frame(kind, events)), { type: 'message_stop' }]
    },
  }
}

/** What a message has no field for. */
function reportStart({ createdAt, message }: Start, encoding: Encoding): void {
  if (createdAt !== undefined) encoding.lose('response-metadata', below(undefined, 'createdAt'))
  if (message?.name !== undefined) encoding.lose('message-name', below(candidatePath(0), 'name'))
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
    return { type: kind, index, content_block: encodeStart(event.part) ?? { type: 'text', text: '' } }
  return event.type === 'part-end'
    ? { type: kind, index }
    : { type: kind, index, delta: writePiece(event) ?? {} }
}

function writeMessage(events: readonly ChatEvent[]): JsonObject {
  const start = events.find((event) => event.type === 'start')
  const usage = events.find((event) => event.type === 'usage')?.usage
  const calls = events.some((event) => event.type === 'part-start' && isOwnCall(event.part))
  return {
    id: start?.id ?? '',
    type: 'message',
    role: 'assistant',
    model: start?.model ?? '',
    content: events.flatMap((event) =>
      event.type === 'part-start' ? [encodePart(event.part, undefined, silent, 'response') ?? {}] : [],
    ),
    ...encodeFinish(stoppedIn(events, calls)),
    usage: encodeUsage(usage),
    container: null,
    diagnostics: null,
  }
}

/** Why the answer stopped, where that is among what is told. */
function stoppedIn(events: readonly ChatEvent[], calls: boolean): Stopped | undefined {
  const event = events.find(({ type }) => type === 'finish')
  return event?.type === 'finish' ? { finish: event.finish, calls, own: true } : undefined
}

function writeDelta(events: readonly ChatEvent[], calls: boolean): JsonObject {
  const usage = events.find((event) => event.type === 'usage')?.usage
  return {
    type: 'message_delta',
    delta: { ...encodeFinish(stoppedIn(events, calls)), container: null },
    usage: deltaUsage(encodeUsage(usage)),
  }
}

/** Counters that only a whole message has. */
const unsaid: ReadonlySet<string> = new Set(['cache_creation', 'service_tier', 'inference_geo', 'speed'])

function deltaUsage(usage: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(usage).filter(([key, value]) => value !== null || !unsaid.has(key)),
  )
}

/** How a block opens: what deltas will say is empty. */
function encodeStart(part: AssistantPart): JsonObject | undefined {
  if (part.type === 'text')
    return applyResidue({ type: 'text', text: part.text, citations: null }, part, SLOT)
  if (part.type === 'reasoning' && !part.redacted)
    return { type: 'thinking', thinking: part.text, signature: '' }
  return encodePart(part, undefined, silent, 'response')
}

/** What a delta says; undefined where none can say it. */
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
      const made =
        citation === undefined ? undefined : encodeCitation(citation, undefined, silent, 'response')
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
