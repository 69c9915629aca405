import type { ChatEvent } from '../../canonical/model/event.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import type { StreamReader } from '../frames.ts'
import { callIds } from '../shared/call-ids.ts'
import { SLOT } from './codes.ts'
import { textFields } from './reasoning.ts'
import { decodeFinish } from './response.ts'
import { decodeUsage } from './usage.ts'

type Wire = { readonly [key: string]: Json }

/** One answer of a stream: which parts are open, and where the next one goes. */
class Candidate {
  readonly #number: number
  readonly #ids = callIds()
  readonly #calls = new Map<unknown, number>()
  #parts = 0
  /** The part that grows: at most one, since this format tells them one after the other. */
  #open: { readonly kind: string; readonly index: number } | undefined

  constructor(number: number) {
    this.#number = number
  }

  get hasCalls(): boolean {
    return this.#calls.size > 0
  }

  #event(event: ChatEvent): ChatEvent {
    return this.#number === 0 ? event : { ...event, candidate: this.#number }
  }

  /** Ends the open part. */
  close(): ChatEvent[] {
    if (this.#open === undefined) return []
    const { index } = this.#open
    this.#open = undefined
    return [this.#event({ type: 'part-end', index })]
  }

  #begin(kind: string, part: AssistantPart): ChatEvent[] {
    const ended = this.close()
    const index = this.#parts++
    this.#open = { kind, index }
    return [...ended, this.#event({ type: 'part-start', index, part })]
  }

  /** More text of a kind, in the open part or a new one. */
  text(type: 'text' | 'refusal' | 'reasoning', text: string, field: string): ChatEvent[] {
    const hints = type === 'reasoning' ? { extra: { [SLOT]: { $: { hints: { field } } } } } : {}
    const begun = this.#open?.kind === field ? [] : this.#begin(field, { type, text: '', ...hints })
    const index = this.#open?.index ?? 0
    return [...begun, this.#event({ type: `${type}-delta`, index, text })]
  }

  /** A fragment of a call, told by its index, else by its id, else the one that is open. */
  call(wire: Wire, position: number): ChatEvent[] {
    const { id, index, function: called, custom } = wire
    const body = isObject(called) ? called : isObject(custom) ? custom : {}
    const key = this.#keyOf(index, id, position, body['name'])
    const begun = this.#calls.has(key) ? [] : this.#beginCall(key, id, body['name'], isObject(custom))
    const part = this.#calls.get(key)
    const text = body['arguments'] ?? body['input']
    if (part === undefined || typeof text !== 'string' || text === '') return begun
    return [...begun, this.#event({ type: 'arguments-delta', index: part, json: text })]
  }

  /** Some hosts repeat an index for another call, or leave it out: an id that is new begins a new call. */
  #keyOf(index: Json | undefined, id: Json | undefined, position: number, name: Json | undefined): unknown {
    const known = typeof id === 'string' && id !== '' ? `id ${id}` : undefined
    if (typeof index !== 'number')
      return known ?? (typeof name === 'string' ? `new ${this.#parts}` : `last ${this.#lastKey ?? position}`)
    const byIndex = `index ${index}`
    if (known === undefined || this.#idAt.get(byIndex) === undefined || this.#idAt.get(byIndex) === known) {
      if (known !== undefined) this.#idAt.set(byIndex, known)
      return byIndex
    }
    return known
  }

  readonly #idAt = new Map<string, string>()
  #lastKey: unknown

  #beginCall(key: unknown, id: Json | undefined, name: Json | undefined, isCustom: boolean): ChatEvent[] {
    const called = typeof name === 'string' && name !== '' ? name : 'unknown'
    const own = typeof id === 'string' && id !== '' ? id : this.#ids.next(called, String(this.#parts))
    const hints = isCustom ? { extra: { [SLOT]: { $: { hints: { kind: 'custom' } } } } } : {}
    const begun = this.#begin(`call ${this.#parts}`, {
      type: 'tool-call',
      id: own,
      name: called,
      arguments: {},
      ...hints,
    })
    this.#calls.set(key, this.#parts - 1)
    this.#lastKey = key
    return begun
  }

  finish(raw: Json): ChatEvent[] {
    const finish = decodeFinish(raw, this.hasCalls)
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
      const start = started ? [] : [readStart(wire)]
      started = true
      const listed = Array.isArray(choices) ? (choices as readonly Json[]).filter(isObject) : []
      const said = listed.flatMap((choice) => {
        const { index } = choice as Wire
        return readChoice(choice as Wire, candidateAt(typeof index === 'number' ? index : 0))
      })
      const counted = decodeUsage(usage)
      return [
        ...start,
        ...said,
        ...(counted === undefined ? [] : [{ type: 'usage', usage: counted } as const]),
      ]
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
  return [
    ...(field === undefined ? [] : candidate.text('reasoning', delta[field] as string, field)),
    ...(typeof content === 'string' && content !== '' ? candidate.text('text', content, 'content') : []),
    ...(typeof refusal === 'string' && refusal !== '' ? candidate.text('refusal', refusal, 'refusal') : []),
    ...(Array.isArray(calls)
      ? (calls as readonly Json[]).flatMap((call, position) =>
          isObject(call) ? candidate.call(call, position) : [],
        )
      : []),
  ]
}

/** Every wire event is a chunk. */
export function kindOf(_wire: JsonObject): string {
  return 'chunk'
}
