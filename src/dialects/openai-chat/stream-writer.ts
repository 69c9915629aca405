import type { ChatEvent, PartStartEvent } from '../../canonical/model/event.ts'
import type { ReasoningPart, ToolCallPart } from '../../canonical/model/part.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { type Encoding, silent } from '../encoding.ts'
import type { StreamWriter } from '../frames.ts'
import { FreeText } from '../shared/free-text.ts'
import { writeName } from '../shared/names.ts'
import { logprobsIn, vouchersOf } from '../shared/vouchers.ts'
import { hintsFor } from '../unit.ts'
import { SLOT, toolNames } from './codes.ts'
import { encodeFinish } from './finish.ts'
import { StreamPlan } from './stream-plan.ts'
import { mergedDeltas } from './stream-deltas.ts'
import { openThought, signatureDelta, thoughtDelta } from './streamed-thoughts.ts'
import { encodeUsage } from './usage.ts'

/** What every chunk of a stream repeats. */
type Head = { readonly [key in 'id' | 'object' | 'created' | 'model']: Json }

/** Where a part's deltas go: text and sounds by their field, thoughts by their part, calls by their position. */
interface Target {
  readonly field: string
  readonly thought?: ReasoningPart
  readonly call?: number
  /** The free text of a custom tool. */
  readonly free?: FreeText
}

/** Writes the chunks of a streamed completion. Id, time and model are those of the chunk before. */
export function streamWriter(encoding: Encoding = silent): StreamWriter {
  const now = encoding.options.now ?? Date.now
  const targets = new Targets()
  const plan = new StreamPlan(encoding, targets)
  let head: Head = { id: '', object: 'chat.completion.chunk', created: 0, model: '' }
  let usage: Usage | undefined

  const frame = (_kind: string, events: readonly ChatEvent[]): JsonObject => {
    const start = events.find((event) => event.type === 'start')
    const counted = events.find((event) => event.type === 'usage')?.usage
    const { id, object, created, model } = start === undefined ? head : { ...head, ...startOf(start) }
    const choices = choicesOf(events, targets)
    return {
      id,
      object,
      created,
      model,
      choices,
      ...(counted !== undefined && countedIn(counted)),
    }
  }

  return {
    vouchers: vouchersOf(logprobsIn(['logprobs']), SLOT, encoding),
    frame,
    wrote({ id = head.id, object = head.object, created = head.created, model = head.model }) {
      head = { id, object, created, model }
    },
    plan(event) {
      if (event.type === 'usage') usage = event.usage
      else return plan.plan(dated(event, now)).map((events) => ['chunk', events] as const)
      return []
    },
    end: () => {
      const left = plan.end().map((events) => frame('chunk', events))
      // Usage counts up, and the last one counts: it has a chunk of its own.
      return usage === undefined ? left : [...left, { ...frame('chunk', []), usage: encodeUsage(usage) }]
    },
  }
}

/** Usage in the field that it came in. */
function countedIn(usage: Usage): JsonObject {
  const counted = { usage: encodeUsage(usage) }
  return hintsFor(usage, SLOT)['usageField'] === 'x_groq' ? { x_groq: counted } : counted
}

/** Where the parts of the answers go. */
export class Targets {
  readonly #targets = new Map<string, Target>()
  readonly #calls = new Map<number, number>()
  readonly #calling = new Set<number>()

  has({ candidate = 0, index }: ChatEvent & { readonly index: number }): boolean {
    return this.#targets.has(`${candidate} ${index}`)
  }

  /** The position of the next call. */
  nextCall(candidate: number): number {
    const position = this.#calls.get(candidate) ?? 0
    this.#calls.set(candidate, position + 1)
    return position
  }

  /** Whether an answer calls tools that the application runs. */
  calls(candidate: number): boolean {
    return this.#calling.has(candidate)
  }

  /** The delta that an event says. */
  deltaOf(event: ChatEvent): JsonObject {
    if (event.type === 'part-start') return this.#open(event)
    if (event.type === 'opaque') return isObject(event.value) ? event.value : {}
    const target = 'index' in event ? this.#targets.get(`${event.candidate ?? 0} ${event.index}`) : undefined
    if (target === undefined) return {}
    const { field, thought } = target
    if (event.type === 'arguments-delta') return callDelta(target, event.json)
    if (event.type === 'media-delta') return field === 'audio' ? { audio: { data: event.data } } : {}
    if (event.type === 'part-update') {
      const { signature } = event
      return thought && signature ? signatureDelta(thought, signature.value) : {}
    }
    if (!('text' in event)) return {}
    return thought === undefined ? { [field]: event.text } : thoughtDelta(thought, event.text)
  }

  #open({ part, index, candidate = 0 }: PartStartEvent): JsonObject {
    const set = (target: Target): void => void this.#targets.set(`${candidate} ${index}`, target)
    if (part.type === 'tool-call') return this.#openCall(part, candidate, set)
    if (part.type === 'reasoning') set({ field: '', thought: part })
    if (part.type === 'text') set({ field: 'content' })
    if (part.type === 'refusal') set({ field: 'refusal' })
    if (part.type === 'audio') set({ field: 'audio' })
    if (part.type === 'opaque') return { content: [part.value] }
    return part.type === 'reasoning' ? openThought(part) : {}
  }

  #openCall(part: ToolCallPart, candidate: number, set: (target: Target) => void): JsonObject {
    this.#calling.add(candidate)
    const hints = hintsFor(part, SLOT)
    const name = writeName(part.name, hints, toolNames, undefined, silent)
    if (hints['wireType'] === 'function_call') {
      set({ field: 'function_call' })
      return { function_call: { name, arguments: '' } }
    }
    const position = this.nextCall(candidate)
    const custom = hints['wireType'] === 'custom'
    set({ field: custom ? 'custom' : 'function', call: position, ...(custom && { free: new FreeText() }) })
    const body = custom ? { custom: { name, input: '' } } : { function: { name, arguments: '' } }
    return { tool_calls: [{ index: position, id: part.id, type: custom ? 'custom' : 'function', ...body }] }
  }
}

function callDelta({ field, call = 0, free }: Target, json: string): JsonObject {
  if (field === 'function_call') return { function_call: { arguments: json } }
  const body = free === undefined ? { function: { arguments: json } } : { custom: { input: free.push(json) } }
  return { tool_calls: [{ index: call, ...body }] }
}

/** A stream of another format that has no date is dated when it is written. */
function dated(event: ChatEvent, now: () => number): ChatEvent {
  if (event.type !== 'start' || event.createdAt !== undefined) return event
  return { ...event, createdAt: new Date(now()).toISOString() }
}

function startOf({ id, model, createdAt }: ChatEvent & { readonly type: 'start' }): JsonObject {
  return {
    ...(id !== undefined && { id }),
    ...(model !== undefined && { model }),
    ...(createdAt !== undefined && { created: Math.floor(Date.parse(createdAt) / 1000) }),
  }
}

/** The choices of a chunk: one per candidate that the events are about, their deltas joined. */
function choicesOf(events: readonly ChatEvent[], targets: Targets): readonly JsonObject[] {
  const choices = new Map<number, { readonly deltas: JsonObject[]; finish: Json }>()
  for (const event of events) {
    if (event.type === 'usage') continue
    const number = event.candidate ?? 0
    const choice = choices.get(number) ?? { deltas: [], finish: null }
    choices.set(number, choice)
    if (event.type === 'start') choice.deltas.unshift({ role: 'assistant', content: '' })
    else if (event.type === 'finish')
      choice.finish = encodeFinish({ finish: event.finish, calls: targets.calls(number), own: true })
    else choice.deltas.push(targets.deltaOf(event))
  }
  return Array.from(choices, ([index, { deltas, finish }]) => ({
    index,
    delta: mergedDeltas(deltas),
    finish_reason: finish,
  }))
}
