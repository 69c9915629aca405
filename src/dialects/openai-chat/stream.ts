import type { ChatEvent } from '../../canonical/model/event.ts'
import type { AssistantPart, ToolCallPart } from '../../canonical/model/part.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import type { StreamReader } from '../frames.ts'
import { callIds } from '../shared/call-ids.ts'
import { SLOT } from './codes.ts'
import { textFields } from './reasoning.ts'
import { decodeFinish } from './response.ts'
import { StreamedCall } from './streamed-call.ts'
import { decodeUsage } from './usage.ts'

type Wire = { readonly [key: string]: Json }

/** One answer of a stream: which parts are open, and where the next one goes. */
class Candidate {
  readonly #number: number
  readonly #ids = callIds()
  readonly #calls = new Map<string, StreamedCall>()
  /** Which call an index was last used for. */
  readonly #byIndex = new Map<number, string>()
  #latest: string | undefined
  #parts = 0
  /** The part that grows: at most one, since this format tells them one after the other. */
  #open: { readonly field: string; readonly index: number; readonly call?: StreamedCall } | undefined

  constructor(number: number) {
    this.#number = number
  }

  #event(event: ChatEvent): ChatEvent {
    return this.#number === 0 ? event : { ...event, candidate: this.#number }
  }

  /** Ends the open part. */
  close(): ChatEvent[] {
    if (this.#open === undefined) return []
    const { index, call } = this.#open
    this.#open = undefined
    return [...(call?.ending() ?? []), { type: 'part-end' as const, index, ...call?.correction() }].map(
      (event) => this.#event(event),
    )
  }

  #begin(field: string, part: AssistantPart, call?: StreamedCall): ChatEvent[] {
    const ended = this.close()
    const index = this.#parts++
    this.#open = { field, index, ...(call && { call }) }
    return [...ended, this.#event({ type: 'part-start', index, part })]
  }

  /** More text of a kind, in the open part or a new one. */
  text(type: 'text' | 'refusal' | 'reasoning', text: string, field: string): ChatEvent[] {
    const hints = type === 'reasoning' ? { extra: { [SLOT]: { $: { hints: { field } } } } } : {}
    const begun = this.#open?.field === field ? [] : this.#begin(field, { type, text: '', ...hints })
    const index = this.#open?.index ?? 0
    return [...begun, this.#event({ type: `${type}-delta`, index, text })]
  }

  /** A fragment of a call. */
  call(wire: Wire): ChatEvent[] {
    const { id, index, function: called, custom } = wire
    const body = isObject(called) ? called : isObject(custom) ? custom : {}
    const name = typeof body['name'] === 'string' && body['name'] !== '' ? body['name'] : undefined
    const key = this.#keyOf(index, typeof id === 'string' && id !== '' ? id : undefined, name)
    const known = this.#calls.get(key)
    if (name !== undefined) known?.rename(name)
    const begun = known === undefined ? this.#beginCall(key, id, name, isObject(custom)) : []
    const text = body['arguments'] ?? body['input']
    const grown = typeof text === 'string' ? (this.#calls.get(key)?.grow(text) ?? []) : []
    return [...begun, ...grown.map((event) => this.#event(event))]
  }

  /**
   * Which call a fragment belongs to: the one of its index, unless the id is another's (some hosts repeat an index); without
   * an index the one of its id, a new one where a name begins it, else the latest.
   */
  #keyOf(index: Json | undefined, id: string | undefined, name: string | undefined): string {
    const byId = id === undefined ? undefined : `id ${id}`
    if (typeof index !== 'number')
      return byId ?? (name === undefined ? (this.#latest ?? 'first') : `part ${this.#parts}`)
    const before = this.#byIndex.get(index)
    const other = byId !== undefined && before !== undefined && before !== byId && before.startsWith('id ')
    const key = before === undefined || other ? (byId ?? `index ${index}`) : before
    this.#byIndex.set(index, key)
    return key
  }

  #beginCall(key: string, id: Json | undefined, name: string | undefined, isCustom: boolean): ChatEvent[] {
    const called = name ?? 'unknown'
    const own = typeof id === 'string' && id !== '' ? id : this.#ids.next(called, String(this.#parts))
    const hints = isCustom ? { extra: { [SLOT]: { $: { hints: { kind: 'custom' } } } } } : {}
    const part: ToolCallPart = { type: 'tool-call', id: own, name: called, arguments: {}, ...hints }
    const call = new StreamedCall(this.#parts, part, isCustom)
    this.#calls.set(key, call)
    this.#latest = key
    return this.#begin(key, part, call)
  }

  finish(raw: Json): ChatEvent[] {
    const finish = decodeFinish(raw, this.#calls.size > 0)
    return [...this.close(), ...(finish === undefined ? [] : [this.#event({ type: 'finish', finish })])]
  }
}

/** Reads the chunks of a streamed completion. */
export function streamReader(): StreamReader {
  const candidates = new Map<number, Candidate>()
  let started = false
  const candidateAt = (number: number): Candidate => {
    const found = candidates.get(number) ?? new Candidate(number)
    candidates.set(number, found)
    return found
  }
  return {
    read(wire) {
      const { choices, usage, object } = wire
      if (!Array.isArray(choices) && usage === undefined && object !== 'chat.completion.chunk') return []
      const events: ChatEvent[] = started ? [] : [readStart(wire)]
      started = true
      for (const choice of Array.isArray(choices) ? (choices as readonly Json[]) : []) {
        if (!isObject(choice)) continue
        const { index } = choice
        events.push(...readChoice(choice, candidateAt(typeof index === 'number' ? index : 0)))
      }
      const counted = decodeUsage(usage)
      if (counted !== undefined) events.push({ type: 'usage', usage: counted })
      return events
    },
    end: () => [...candidates.values()].flatMap((candidate) => candidate.close()),
  }
}

function readStart({ id, model, created }: Wire): ChatEvent {
  const named = { ...(typeof model === 'string' && { model }) }
  const seconds =
    typeof created === 'number' && Number.isSafeInteger(created) && created > 0 && created < 1e11
  return {
    type: 'start',
    ...(typeof id === 'string' && { id }),
    ...named,
    ...(seconds && { createdAt: new Date(created * 1000).toISOString() }),
    origin: { dialect: SLOT, ...named, ...(typeof id === 'string' && { responseId: id }) },
  }
}

function readChoice({ delta, finish_reason: finish }: Wire, candidate: Candidate): ChatEvent[] {
  const said = isObject(delta) ? readDelta(delta, candidate) : []
  return typeof finish === 'string' ? [...said, ...candidate.finish(finish)] : said
}

function readDelta(delta: Wire, candidate: Candidate): ChatEvent[] {
  const { content, refusal, tool_calls: calls } = delta
  const field = textFields.find((each) => typeof delta[each] === 'string' && delta[each] !== '')
  const events: ChatEvent[] = []
  if (field !== undefined) events.push(...candidate.text('reasoning', delta[field] as string, field))
  if (typeof content === 'string' && content !== '')
    events.push(...candidate.text('text', content, 'content'))
  if (typeof refusal === 'string' && refusal !== '')
    events.push(...candidate.text('refusal', refusal, 'refusal'))
  for (const call of Array.isArray(calls) ? (calls as readonly Json[]) : []) {
    if (isObject(call)) events.push(...candidate.call(call))
  }
  return events
}

/** Every wire event is a chunk. */
export function kindOf(_wire: JsonObject): string {
  return 'chunk'
}
