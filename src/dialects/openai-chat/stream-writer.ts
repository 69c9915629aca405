import type { ChatEvent, StartEvent } from '../../canonical/model/event.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import { isObject, type Json, type JsonObject, isList } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import type { StreamWriter } from '../engine/frame-reader-writer.ts'
import { createStaleLogprobsRules, createContentBoundKeys } from '../engine/stream-bound-keys.ts'
import { getHints } from '../engine/residue-slots.ts'
import { DIALECT_SLOT } from './constants.ts'
import { encodeFinish, encodeUsage } from './response-metadata.ts'
import { StreamPlan } from './stream-plan.ts'
import { StreamPartWriter } from './stream-part-writer.ts'

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

/** The fields that every chunk repeats. */
type ChunkMetadata = { readonly [key in 'id' | 'object' | 'created' | 'model']: Json }

/** Creates the writer of a streamed completion. Each chunk repeats id, time and model of the chunk before. */
export function createStreamWriter(context: EncodeContext = noReport): StreamWriter {
  const parts = new StreamPartWriter()
  const plan = new StreamPlan(context, parts)
  let metadata: ChunkMetadata = { id: '', object: 'chat.completion.chunk', created: 0, model: '' }

  const encodeFrame = (_kind: string, events: readonly ChatEvent[]): JsonObject => {
    const start = events.find((event) => event.type === 'start')
    const usage = events.find((event) => event.type === 'usage')?.usage
    const { id, object, created, model } =
      start === undefined ? metadata : { ...metadata, ...encodeStart(start) }
    const choices = encodeChoices(events, parts)
    return { id, object, created, model, choices, ...(usage !== undefined && encodeUsageField(usage)) }
  }

  return {
    contentBoundKeys: createContentBoundKeys(createStaleLogprobsRules(['logprobs']), DIALECT_SLOT, context),
    encodeFrame,
    recordWritten({
      id = metadata.id,
      object = metadata.object,
      created = metadata.created,
      model = metadata.model,
    }) {
      metadata = { id, object, created, model }
    },
    plan: (event) => plan.plan(event),
    end: () => {
      const chunks = plan.end().map(([kind, events]) => encodeFrame(kind, events))
      const { usage } = plan
      if (usage === undefined) return chunks
      // The last usage has a chunk of its own, without choices: a client that did not ask for it may fail.
      if (isUsageRequested(context.options.request))
        return [...chunks, { ...encodeFrame('chunk', []), usage: encodeUsage(usage) }]
      context.report('usage-not-requested', child(undefined, 'usage'))
      return chunks
    },
  }
}

/** Returns whether a request asked for usage in its stream; true if the request is not known. */
function isUsageRequested(request: ChatRequest | undefined): boolean {
  const options = request?.extra?.[DIALECT_SLOT]?.['stream_options']
  return request === undefined || (isObject(options) && options['include_usage'] === true)
}

/** Encodes usage in the field from which it was read. */
function encodeUsageField(usage: Usage): JsonObject {
  const fields = { usage: encodeUsage(usage) }
  return getHints(usage, DIALECT_SLOT)['usageField'] === 'x_groq' ? { x_groq: fields } : fields
}

function encodeStart({ id, model, createdAt }: StartEvent): JsonObject {
  return {
    ...(id !== undefined && { id }),
    ...(model !== undefined && { model }),
    ...(createdAt !== undefined && { created: Math.floor(Date.parse(createdAt) / 1000) }),
  }
}

/** Encodes the choices of a chunk: one for each candidate of the events, with its deltas merged. */
function encodeChoices(events: readonly ChatEvent[], parts: StreamPartWriter): readonly JsonObject[] {
  const choices = new Map<number, { readonly deltas: JsonObject[]; finish: Json }>()
  for (const event of events) {
    if (event.type === 'usage') continue
    const candidate = event.candidate ?? 0
    const choice = choices.get(candidate) ?? { deltas: [], finish: null }
    choices.set(candidate, choice)
    if (event.type === 'start') choice.deltas.unshift({ role: 'assistant', content: '' })
    else if (event.type === 'finish') {
      const hasToolCalls = parts.hasToolCalls(candidate)
      choice.finish = encodeFinish({ finish: event.finish, hasToolCalls, isOwnFormat: true })
    } else choice.deltas.push(parts.encodeDelta(event))
  }
  return Array.from(choices, ([index, { deltas, finish }]) => {
    return { index, delta: mergeDeltas(deltas), finish_reason: finish }
  })
}
