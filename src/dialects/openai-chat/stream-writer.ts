import type { ChatEvent } from '../../canonical/model/event.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below } from '../../wire/pointer.ts'
import { type Encoding, silent } from '../encoding.ts'
import type { StreamWriter } from '../frames.ts'
import { customText } from '../shared/custom-text.ts'
import { hintsFor } from '../unit.ts'
import { SLOT } from './codes.ts'
import { encodeFinish } from './response.ts'
import { encodeUsage } from './usage.ts'

/** The rules by which parts cannot be streamed; what is not listed is media. */
const refusals: ReadonlyMap<string, string> = new Map([
  ['reasoning', 'foreign-reasoning'],
  ['tool-call', 'provider-call-dropped'],
  ['tool-result', 'provider-call-dropped'],
  ['opaque', 'foreign-opaque'],
])

/** Where a part's deltas go: which kind it is, and for a call its position among the calls. */
interface Target {
  readonly field: string
  readonly call?: number
}

/** Writes the chunks of a streamed completion. Id, time and model are those of the chunk before. */
export function streamWriter(encoding: Encoding = silent): StreamWriter {
  const now = encoding.options.now ?? Date.now
  let head: JsonObject = {
    id: '',
    object: 'chat.completion.chunk',
    created: 0,
    model: '',
  }
  const targets = new Map<string, Target>()
  const calls = new Map<number, number>()

  /** The delta that an event says. */
  const deltaOf = (event: ChatEvent): JsonObject => {
    const candidate = event.candidate ?? 0
    if (event.type === 'part-start') return open(event, candidate)
    if (!('index' in event)) return {}
    const target = targets.get(`${candidate} ${event.index}`)
    if (target === undefined) return {}
    if (event.type === 'arguments-delta')
      return { tool_calls: [{ index: target.call ?? 0, ...bodyOf(target, event.json) }] }
    return 'text' in event ? { [target.field]: event.text } : {}
  }

  const open = (
    { part, index }: ChatEvent & { readonly type: 'part-start' },
    candidate: number,
  ): JsonObject => {
    const position = calls.get(candidate) ?? 0
    const custom = hintsFor(part, SLOT)['kind'] === 'custom'
    const provided = part.type === 'tool-call' && part.executedBy === 'provider'
    const field =
      part.type !== 'tool-call' ? fieldOf(part) : provided ? undefined : custom ? 'custom' : 'function'
    if (field === undefined) {
      const content = below(below(below(undefined, 'candidates'), candidate), 'content')
      encoding.lose(refusals.get(part.type) ?? 'dropped-media', below(content, index))
      return {}
    }
    targets.set(`${candidate} ${index}`, { field, ...(part.type === 'tool-call' && { call: position }) })
    if (part.type !== 'tool-call') return {}
    calls.set(candidate, position + 1)
    const body = custom
      ? { custom: { name: part.name, input: '' } }
      : { function: { name: part.name, arguments: '' } }
    return { tool_calls: [{ index: position, id: part.id, type: custom ? 'custom' : 'function', ...body }] }
  }

  return {
    frame(_kind, events) {
      const start = events.find((event) => event.type === 'start')
      const usage = events.find((event) => event.type === 'usage')?.usage
      const stated = start === undefined ? head : { ...head, ...startOf(start) }
      return {
        ...stated,
        choices: choicesOf(events, deltaOf),
        ...(usage !== undefined && { usage: encodeUsage(usage) }),
      }
    },
    wrote({ id, object, created, model }) {
      head = Object.fromEntries(
        Object.entries({ ...head, id, object, created, model }).filter(([, value]) => value !== undefined),
      ) as JsonObject
    },
    plan: (event) => {
      reportCitations(event, encoding)
      return says(event) ? [['chunk', [dated(event, now)]]] : []
    },
    end: () => [],
  }
}

/** Citations come with a text or after it; chunks have no place for them. */
function reportCitations(event: ChatEvent, encoding: Encoding): void {
  const said = event.type === 'part-start' && event.part.type === 'text' ? event.part : event
  if (!('index' in event) || !('citations' in said) || (said.citations?.length ?? 0) === 0) return
  const content = below(below(below(undefined, 'candidates'), event.candidate ?? 0), 'content')
  encoding.lose('citations-dropped', below(below(content, event.index), 'citations'))
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

/** The field of text, refusals and thoughts; undefined for what this format cannot stream. */
function fieldOf(part: (ChatEvent & { readonly type: 'part-start' })['part']): string | undefined {
  if (part.type === 'text') return 'content'
  if (part.type === 'refusal') return 'refusal'
  const field = part.type === 'reasoning' ? hintsFor(part, SLOT)['field'] : undefined
  return typeof field === 'string' ? field : undefined
}

function bodyOf({ field }: Target, text: string): JsonObject {
  return field === 'custom' ? { custom: { input: customText(text) } } : { function: { arguments: text } }
}

function says(event: ChatEvent): boolean {
  return [
    'start',
    'part-start',
    'text-delta',
    'refusal-delta',
    'reasoning-delta',
    'arguments-delta',
    'finish',
    'usage',
  ].includes(event.type)
}

/** The choices of a chunk: one per candidate that the events are about, their deltas joined. */
function choicesOf(
  events: readonly ChatEvent[],
  deltaOf: (event: ChatEvent) => JsonObject,
): readonly JsonObject[] {
  const choices = new Map<number, { delta: JsonObject; finish: Json }>()
  for (const event of events) {
    if (event.type === 'usage') continue
    const number = event.candidate ?? 0
    const choice = choices.get(number) ?? { delta: {}, finish: null }
    choices.set(number, choice)
    if (event.type === 'start') choice.delta = { role: 'assistant', content: '', ...choice.delta }
    else if (event.type === 'finish') choice.finish = encodeFinish(event.finish)
    else choice.delta = merged(choice.delta, deltaOf(event))
  }
  return [...choices].map(([index, { delta, finish }]) => ({ index, delta, finish_reason: finish }))
}

function merged(a: JsonObject, b: JsonObject): JsonObject {
  const out: Record<string, Json> = { ...a }
  for (const [key, value] of Object.entries(b)) {
    const before = out[key]
    out[key] =
      typeof before === 'string' && typeof value === 'string'
        ? before + value
        : isList(before) && isList(value)
          ? mergedCalls(before, value)
          : value
  }
  return out
}

/** Fragments of one call in one chunk are one entry. */
function mergedCalls(a: readonly Json[], b: readonly Json[]): readonly Json[] {
  const out = [...a]
  for (const call of b) {
    const at = out.findIndex((each) => isObject(each) && isObject(call) && each['index'] === call['index'])
    out[at === -1 ? out.length : at] = at === -1 ? call : joined(out[at] as JsonObject, call as JsonObject)
  }
  return out
}

function joined(a: JsonObject, b: JsonObject): JsonObject {
  const out: Record<string, Json> = { ...a }
  for (const [key, value] of Object.entries(b)) {
    const before = out[key]
    out[key] = isObject(before) && isObject(value) ? merged(before, value) : value
  }
  return out
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}
