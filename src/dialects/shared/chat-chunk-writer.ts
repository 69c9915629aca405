import type { ChatEvent, StartEvent } from '../../canonical/model/event.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import { isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import type { FinishEncoder } from './response-metadata.ts'

/** Encodes the events of parts as the fields of a delta. */
interface DeltaWriter {
  encodeDelta(event: ChatEvent): JsonObject
  /** Returns true if a candidate calls tools that the application runs. */
  hasToolCalls(candidate: number): boolean
}

/** How a format writes what surrounds its deltas. */
interface ChunkFormat {
  readonly encodeFinish: FinishEncoder
  encodeUsageField(usage: Usage): JsonObject
  /** Merges the content of several deltas of a chunk, if one of them is a list. */
  readonly mergeContent?: (contents: readonly Json[]) => Json
}

/** The fields that every chunk repeats. */
type ChunkMetadata = { readonly [key in 'id' | 'object' | 'created' | 'model']: Json }

/** Writes the chunks of a stream with `choices`. Each chunk repeats id, time and model of the chunk before. */
export class ChatChunkWriter {
  readonly #parts: DeltaWriter
  readonly #format: ChunkFormat
  #metadata: ChunkMetadata = { id: '', object: 'chat.completion.chunk', created: 0, model: '' }

  constructor(parts: DeltaWriter, format: ChunkFormat) {
    this.#parts = parts
    this.#format = format
  }

  /** Encodes events as one chunk. */
  encodeChunk(events: readonly ChatEvent[]): JsonObject {
    const start = events.find((event) => event.type === 'start')
    const usage = events.find((event) => event.type === 'usage')?.usage
    const { id, object, created, model } =
      start === undefined ? this.#metadata : { ...this.#metadata, ...encodeStart(start) }
    const choices = this.#encodeChoices(events)
    const usageFields = usage === undefined ? {} : this.#format.encodeUsageField(usage)
    return { id, object, created, model, choices, ...usageFields }
  }

  /** Keeps the metadata of a written chunk for the next one. */
  recordWritten({
    id = this.#metadata.id,
    object = this.#metadata.object,
    created = this.#metadata.created,
    model = this.#metadata.model,
  }: JsonObject): void {
    this.#metadata = { id, object, created, model }
  }

  /** Encodes the choices of a chunk: one for each candidate of the events, with its deltas merged. */
  #encodeChoices(events: readonly ChatEvent[]): readonly JsonObject[] {
    const [first] = events
    // Most chunks contain one delta.
    if (events.length === 1 && first !== undefined && 'index' in first)
      return [{ index: first.candidate ?? 0, delta: this.#parts.encodeDelta(first), finish_reason: null }]
    const choices = new Map<number, { readonly deltas: JsonObject[]; finish: Json }>()
    for (const event of events) {
      if (event.type === 'usage') continue
      const candidate = event.candidate ?? 0
      const choice = choices.get(candidate) ?? { deltas: [], finish: null }
      choices.set(candidate, choice)
      if (event.type === 'start') choice.deltas.unshift({ role: 'assistant', content: '' })
      else if (event.type === 'finish') {
        const hasToolCalls = this.#parts.hasToolCalls(candidate)
        choice.finish = this.#format.encodeFinish({ finish: event.finish, hasToolCalls, isOwnFormat: true })
      } else choice.deltas.push(this.#parts.encodeDelta(event))
    }
    return Array.from(choices, ([index, { deltas, finish }]) => {
      return { index, delta: this.#mergeDeltas(deltas), finish_reason: finish }
    })
  }

  #mergeDeltas(deltas: readonly JsonObject[]): JsonObject {
    const { mergeContent } = this.#format
    if (deltas.length < 2) return deltas[0] ?? {}
    const contents = deltas.flatMap(({ content }) => (content === undefined ? [] : [content]))
    const merged = mergeDeltas(deltas)
    if (mergeContent === undefined || contents.length < 2 || !contents.some(isList)) return merged
    return { ...merged, content: mergeContent(contents) }
  }
}

function encodeStart({ id, model, createdAt }: StartEvent): JsonObject {
  return {
    ...(id !== undefined && { id }),
    ...(model !== undefined && { model }),
    ...(createdAt !== undefined && { created: Math.floor(Date.parse(createdAt) / 1000) }),
  }
}

/** Merges deltas: texts are joined, and the fragments of a call become one entry. */
function mergeDeltas(deltas: readonly JsonObject[]): JsonObject {
  const [first = {}] = deltas
  return deltas.length < 2 ? first : mergeBy(deltas, mergeValues)
}

/** Merges objects key by key. All values of a key are merged at once, so that the cost is linear. */
function mergeBy(
  objects: readonly JsonObject[],
  merge: (values: readonly Json[], key: string) => Json,
): JsonObject {
  const valuesByKey = new Map<string, Json[]>()
  for (const each of objects) {
    for (const [key, value] of Object.entries(each)) {
      const values = valuesByKey.get(key)
      if (values === undefined) valuesByKey.set(key, [value])
      else values.push(value)
    }
  }
  return Object.fromEntries(Array.from(valuesByKey, ([key, values]) => [key, merge(values, key)]))
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

/** Merges values that are objects; otherwise returns the last value. */
function mergeFields(values: readonly Json[]): Json {
  const last = values.at(-1) ?? null
  return isJsonObject(last) ? mergeDeltas(takeLast(values, isJsonObject)) : last
}

function mergeCalls(calls: readonly Json[]): readonly Json[] {
  const byIndex = new Map<Json | undefined, JsonObject[]>()
  for (const call of calls) {
    if (!isObject(call)) continue
    const fragments = byIndex.get(call['index'])
    if (fragments === undefined) byIndex.set(call['index'], [call])
    else fragments.push(call)
  }
  return [...byIndex.values()].map((fragments) => mergeBy(fragments, mergeFields))
}

/** Returns the values of a type that follow the last value of another type. */
function takeLast<T extends Json>(
  values: readonly Json[],
  isType: (value: Json) => value is T,
): readonly T[] {
  return values.slice(values.findLastIndex((value) => !isType(value)) + 1) as T[]
}

function isJsonObject(value: Json): value is JsonObject {
  return isObject(value)
}

function isText(value: Json): value is string {
  return typeof value === 'string'
}
