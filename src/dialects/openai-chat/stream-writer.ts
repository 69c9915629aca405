import type { ChatEvent, PartStartEvent } from '../../canonical/model/event.ts'
import type { ReasoningPart, ToolCallPart } from '../../canonical/model/part.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import { isObject, type Json, type JsonObject, isList } from '../../wire/json.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import type { StreamWriter } from '../engine/stream-frames.ts'
import { FreeTextReader } from '../shared/free-text.ts'
import { encodeToolName } from '../shared/tool-names.ts'
import { createLogprobsRules, createContentBoundKeys } from '../engine/content-bound.ts'
import { getHints } from '../engine/residue-slots.ts'
import { DIALECT_SLOT, toolNameRule } from './constants.ts'
import { encodeFinish, encodeUsage } from './response-metadata.ts'
import { StreamPlan } from './stream-plan.ts'
import { encodeReasoningStart, encodeSignatureDelta, encodeReasoningDelta } from './stream-reasoning.ts'

/** Deltas as one: texts are joined, and fragments of one call are one entry. */
export function mergeDeltas(deltas: readonly JsonObject[]): JsonObject {
  const [first = {}] = deltas
  return deltas.length < 2 ? first : mergeBy(deltas, mergeValues)
}

/** Objects as one, by what is made of the values of each key: all at once, so that many cost no more than their length. */
function mergeBy(
  objects: readonly JsonObject[],
  merge: (values: readonly Json[], key: string) => Json,
): JsonObject {
  const found = new Map<string, Json[]>()
  for (const each of objects) {
    for (const [key, value] of Object.entries(each)) {
      const values = found.get(key)
      if (values === undefined) found.set(key, [value])
      else values.push(value)
    }
  }
  return Object.fromEntries(Array.from(found, ([key, values]) => [key, merge(values, key)]))
}

function mergeValues(values: readonly Json[], key: string): Json {
  const last = values.at(-1) ?? null
  if (typeof last === 'string') return takeLast(values, isText).join('')
  if (isList(last)) {
    const entries = takeLast(values, isList).flat(1) as readonly Json[]
    return key === 'tool_calls' ? mergeCalls(entries) : entries
  }
  return mergeFields(values)
}

/** Objects are one; of anything else the last counts. */
function mergeFields(values: readonly Json[]): Json {
  const last = values.at(-1) ?? null
  return isJsonObject(last) ? mergeDeltas(takeLast(values, isJsonObject)) : last
}

function mergeCalls(calls: readonly Json[]): readonly Json[] {
  const byIndex = new Map<Json | undefined, JsonObject[]>()
  for (const call of calls) {
    if (!isObject(call)) continue
    const known = byIndex.get(call['index'])
    if (known === undefined) byIndex.set(call['index'], [call])
    else known.push(call)
  }
  return [...byIndex.values()].map((same) => mergeBy(same, mergeFields))
}

/** The values of a kind behind the last one of another kind. */
function takeLast<T extends Json>(values: readonly Json[], is: (value: Json) => value is T): readonly T[] {
  return values.slice(values.findLastIndex((value) => !is(value)) + 1) as T[]
}

function isJsonObject(value: Json): value is JsonObject {
  return isObject(value)
}

function isText(value: Json): value is string {
  return typeof value === 'string'
}

/** What every chunk of a stream repeats. */
type ChunkMetadata = { readonly [key in 'id' | 'object' | 'created' | 'model']: Json }

/** Where a part's deltas go: text and sounds by their field, thoughts by their part, calls by their position. */
interface DeltaTarget {
  readonly field: string
  readonly reasoning?: ReasoningPart
  readonly call?: number
  /** The free text of a custom tool. */
  readonly freeText?: FreeTextReader
}

/** Writes the chunks of a streamed completion. Id, time and model are those of the chunk before. */
export function createStreamWriter(context: EncodeContext = noReport): StreamWriter {
  const now = context.options.now ?? Date.now
  const targets = new DeltaTargets()
  const plan = new StreamPlan(context, targets)
  let head: ChunkMetadata = { id: '', object: 'chat.completion.chunk', created: 0, model: '' }
  let usage: Usage | undefined

  const frame = (_kind: string, events: readonly ChatEvent[]): JsonObject => {
    const start = events.find((event) => event.type === 'start')
    const counted = events.find((event) => event.type === 'usage')?.usage
    const { id, object, created, model } = start === undefined ? head : { ...head, ...encodeStart(start) }
    const choices = encodeChoices(events, targets)
    return {
      id,
      object,
      created,
      model,
      choices,
      ...(counted !== undefined && encodeUsageField(counted)),
    }
  }

  return {
    contentBoundKeys: createContentBoundKeys(createLogprobsRules(['logprobs']), DIALECT_SLOT, context),
    encodeFrame: frame,
    noteWritten({ id = head.id, object = head.object, created = head.created, model = head.model }) {
      head = { id, object, created, model }
    },
    plan(event) {
      if (event.type === 'usage') usage = event.usage
      else return plan.plan(addDate(event, now)).map((events) => ['chunk', events] as const)
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
function encodeUsageField(usage: Usage): JsonObject {
  const counted = { usage: encodeUsage(usage) }
  return getHints(usage, DIALECT_SLOT)['usageField'] === 'x_groq' ? { x_groq: counted } : counted
}

/** Where the parts of the answers go. */
export class DeltaTargets {
  readonly #targets = new Map<string, DeltaTarget>()
  readonly #calls = new Map<number, number>()
  readonly #candidatesWithCalls = new Set<number>()

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
  hasToolCalls(candidate: number): boolean {
    return this.#candidatesWithCalls.has(candidate)
  }

  /** The delta that an event says. */
  encodeDelta(event: ChatEvent): JsonObject {
    if (event.type === 'part-start') return this.#open(event)
    if (event.type === 'opaque') return isObject(event.value) ? event.value : {}
    const target = 'index' in event ? this.#targets.get(`${event.candidate ?? 0} ${event.index}`) : undefined
    if (target === undefined) return {}
    const { field, reasoning } = target
    if (event.type === 'arguments-delta') return encodeCallDelta(target, event.json)
    if (event.type === 'media-delta') return field === 'audio' ? { audio: { data: event.data } } : {}
    if (event.type === 'part-update') {
      const { signature } = event
      return reasoning && signature ? encodeSignatureDelta(reasoning, signature.value) : {}
    }
    if (!('text' in event)) return {}
    return reasoning === undefined ? { [field]: event.text } : encodeReasoningDelta(reasoning, event.text)
  }

  #open({ part, index, candidate = 0 }: PartStartEvent): JsonObject {
    const set = (target: DeltaTarget): void => void this.#targets.set(`${candidate} ${index}`, target)
    if (part.type === 'tool-call') return this.#openCall(part, candidate, set)
    if (part.type === 'reasoning') set({ field: '', reasoning: part })
    if (part.type === 'text') set({ field: 'content' })
    if (part.type === 'refusal') set({ field: 'refusal' })
    if (part.type === 'audio') set({ field: 'audio' })
    if (part.type === 'opaque') return { content: [part.value] }
    return part.type === 'reasoning' ? encodeReasoningStart(part) : {}
  }

  #openCall(part: ToolCallPart, candidate: number, set: (target: DeltaTarget) => void): JsonObject {
    this.#candidatesWithCalls.add(candidate)
    const hints = getHints(part, DIALECT_SLOT)
    const name = encodeToolName(part.name, hints, toolNameRule, undefined, noReport)
    if (hints['wireType'] === 'function_call') {
      set({ field: 'function_call' })
      return { function_call: { name, arguments: '' } }
    }
    const position = this.nextCall(candidate)
    const custom = hints['wireType'] === 'custom'
    set({
      field: custom ? 'custom' : 'function',
      call: position,
      ...(custom && { freeText: new FreeTextReader() }),
    })
    const body = custom ? { custom: { name, input: '' } } : { function: { name, arguments: '' } }
    return { tool_calls: [{ index: position, id: part.id, type: custom ? 'custom' : 'function', ...body }] }
  }
}

function encodeCallDelta({ field, call = 0, freeText }: DeltaTarget, json: string): JsonObject {
  if (field === 'function_call') return { function_call: { arguments: json } }
  const body =
    freeText === undefined ? { function: { arguments: json } } : { custom: { input: freeText.push(json) } }
  return { tool_calls: [{ index: call, ...body }] }
}

/** A stream of another format that has no date is dated when it is written. */
function addDate(event: ChatEvent, now: () => number): ChatEvent {
  if (event.type !== 'start' || event.createdAt !== undefined) return event
  return { ...event, createdAt: new Date(now()).toISOString() }
}

function encodeStart({ id, model, createdAt }: ChatEvent & { readonly type: 'start' }): JsonObject {
  return {
    ...(id !== undefined && { id }),
    ...(model !== undefined && { model }),
    ...(createdAt !== undefined && { created: Math.floor(Date.parse(createdAt) / 1000) }),
  }
}

/** The choices of a chunk: one per candidate that the events are about, their deltas joined. */
function encodeChoices(events: readonly ChatEvent[], targets: DeltaTargets): readonly JsonObject[] {
  const choices = new Map<number, { readonly deltas: JsonObject[]; finish: Json }>()
  for (const event of events) {
    if (event.type === 'usage') continue
    const number = event.candidate ?? 0
    const choice = choices.get(number) ?? { deltas: [], finish: null }
    choices.set(number, choice)
    if (event.type === 'start') choice.deltas.unshift({ role: 'assistant', content: '' })
    else if (event.type === 'finish')
      choice.finish = encodeFinish({
        finish: event.finish,
        hasToolCalls: targets.hasToolCalls(number),
        isOwnFormat: true,
      })
    else choice.deltas.push(targets.encodeDelta(event))
  }
  return Array.from(choices, ([index, { deltas, finish }]) => ({
    index,
    delta: mergeDeltas(deltas),
    finish_reason: finish,
  }))
}
