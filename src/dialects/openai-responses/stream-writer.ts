import type { ChatEvent } from '../../canonical/model/event.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { type Encoding, silent } from '../encoding.ts'
import type { StreamWriter } from '../frames.ts'
import { FreeText } from '../shared/free-text.ts'
import { encodeFinish } from './finish.ts'
import { freeKey } from './hosted.ts'
import { derivedId, encodeRun } from './items.ts'
import { encodeOutcome } from './outcomes.ts'
import { encodeHead } from './head.ts'
import { amended, annotationOf, deltaOf, openingOf, stateOf, wholeParts } from './stream-pieces.ts'
import { StreamPlan } from './stream-plan.ts'
import { encodeUsage } from './usage.ts'
import { type Spot, textKey, Written } from './written.ts'
import { logprobsIn, vouchersOf } from '../shared/vouchers.ts'
import { SLOT } from './codes.ts'
import { wordOf } from '../shared/wire-text.ts'

/** Writes the events of a streamed response. */
export function streamWriter(encoding: Encoding = silent): StreamWriter {
  const frames = new Frames(encoding)
  const plan = new StreamPlan(encoding)
  return {
    vouchers: vouchersOf(logprobsIn(['logprobs']), SLOT, encoding),
    frame: (kind, events) => frames.frame(kind, events),
    wrote: (wire) => frames.wrote(wire),
    plan: (event) => plan.plan(event),
    end: () => {
      if (frames.ended || !frames.begun) return []
      return plan.end().map(([kind, events]) => {
        const wire = frames.frame(kind, events)
        frames.wrote(wire)
        return wire
      })
    },
  }
}

/** Makes wire events of our events and of what was written before them. */
class Frames {
  readonly #encoding: Encoding
  #written = new Written()
  #spots = new Map<number, Spot>()
  #pending: readonly ChatEvent[] = []
  /** The free texts of calls, by their item. */
  #free = new Map<number, FreeText>()

  constructor(encoding: Encoding) {
    this.#encoding = encoding
  }

  get ended(): boolean {
    return this.#written.ended
  }

  get begun(): boolean {
    return Object.keys(this.#written.response).length > 0
  }

  wrote(wire: JsonObject): void {
    if (wire['type'] === 'response.created') {
      this.#spots = new Map()
      this.#free = new Map()
    }
    const spot = this.#written.note(wire)
    for (const event of this.#pending) {
      if (event.type === 'part-start' && !this.#spots.has(event.index)) this.#spots.set(event.index, spot)
    }
    this.#pending = []
  }

  frame(kind: string, events: readonly ChatEvent[]): JsonObject {
    this.#pending = events
    const { number } = this.#written
    const made = number === undefined ? { type: kind } : { type: kind, sequence_number: number }
    return Object.assign(made, this.#body(kind, events))
  }

  #body(kind: string, events: readonly ChatEvent[]): JsonObject {
    const stage = /^response\.(created|queued|in_progress|completed|incomplete|failed|cancelled)$/.exec(
      kind,
    )?.[1]
    if (stage !== undefined) return { response: this.#response(stage, events) }
    if (kind === 'response.output_item.added') return this.#added(events)
    if (kind === 'response.output_item.done') return this.#done(events)
    return this.#part(kind, events)
  }

  #response(stage: string, events: readonly ChatEvent[]): JsonObject {
    const start = events.find((event) => event.type === 'start')
    // A date that is not known is not made up here: what came must not depend on the clock.
    if (stage === 'created') return { ...this.#head(start), ...stateOf('in_progress'), output: [] }
    const usage = events.find((event) => event.type === 'usage')?.usage
    const counted = usage === undefined ? {} : { usage: encodeUsage(usage) }
    if (stage === 'queued' || stage === 'in_progress') return { ...this.#written.response, ...counted }
    const finish = events.find((event) => event.type === 'finish')?.finish
    const state =
      finish === undefined
        ? stateOf(stage)
        : encodeFinish({ finish, content: [], own: true, short: stage === 'incomplete' }, undefined, silent)
    return {
      ...this.#written.response,
      ...state,
      output: this.#corrected(events),
      ...counted,
    }
  }

  #head(start: (ChatEvent & { readonly type: 'start' }) | undefined): JsonObject {
    const encoding = { ...this.#encoding, options: { ...this.#encoding.options, now: () => 0 } }
    return encodeHead(start ?? {}, encoding, false)
  }

  /** The items, with what the end of the stream states otherwise. */
  #corrected(events: readonly ChatEvent[]): readonly JsonObject[] {
    const items = [...this.#written.items()]
    for (const event of events) {
      if (event.type !== 'part-end' || event.part === undefined) continue
      const spot = this.#spots.get(event.index)
      const item = spot && items[spot.output]
      if (spot !== undefined && item !== undefined) items[spot.output] = amended(item, spot, event.part)
    }
    return [...items, ...this.#untold(events)]
  }

  /** Items that nothing told before the end. */
  #untold(events: readonly ChatEvent[]): readonly JsonObject[] {
    const fresh = events.filter((event) => !('index' in event && this.#spots.has(event.index)))
    return this.#encode(wholeParts(fresh), this.#written.next)
  }

  #encode(parts: readonly AssistantPart[], output: number): readonly JsonObject[] {
    const seed = `${wordOf(this.#written.response['id'])} ${output}`
    return encodeRun(parts, undefined, { side: 'response', encoding: silent, seed })
  }

  #added(events: readonly ChatEvent[]): JsonObject {
    const output = this.#written.next
    const parts = events.flatMap((event) => (event.type === 'part-start' ? [event.part] : []))
    return { output_index: output, item: this.#opening(parts, output) }
  }

  /** How an item opens: without what the events to come say. */
  #opening(parts: readonly AssistantPart[], output: number): JsonObject {
    const [first] = parts
    const seed = wordOf(this.#written.response['id'])
    if (first?.type === 'reasoning')
      return {
        id: this.#encode(parts, output)[0]?.['id'] ?? derivedId('reasoning', output, seed),
        type: 'reasoning',
        summary: [],
      }
    if (first === undefined || first.type === 'text' || first.type === 'refusal') {
      const [item] = this.#encode([{ ...(first ?? { type: 'text' }), text: 'any' }], output)
      return { ...item, status: 'in_progress', content: [] }
    }
    const [item = {}] = this.#encode(parts, output)
    // A part of ours knows how its item opened.
    const known = first.extra !== undefined || !isObject(item) || item['status'] === undefined
    return known ? item : { ...item, status: 'in_progress' }
  }

  #done(events: readonly ChatEvent[]): JsonObject {
    const indexed = events.find((event) => 'index' in event)
    const spot = indexed && 'index' in indexed ? this.#spots.get(indexed.index) : undefined
    const output = spot?.output ?? this.#written.latest.output
    const whole = wholeParts(events)
    const ends = events.filter((event) => event.type === 'part-end').length
    const [stated] = whole.length > 0 && whole.length === ends ? this.#encode(whole, output) : []
    return { output_index: output, item: stated ?? this.#finished(output, events) }
  }

  /** An item as it was told, with what only its end says. */
  #finished(output: number, events: readonly ChatEvent[]): JsonObject {
    const item = this.#grown(output, events)
    let done = item['status'] === undefined ? item : { ...item, status: 'completed' }
    for (const event of events) {
      if (event.type === 'part-start' && event.part.type === 'tool-result')
        done = { ...done, ...encodeOutcome(wordOf(item['type']), event.part, undefined, silent) }
      if (event.type !== 'part-end' || event.part === undefined) continue
      const spot = this.#spots.get(event.index)
      if (event.replaces === true && spot !== undefined) done = amended(done, spot, event.part)
      else if (event.part.signature !== undefined)
        done = { ...done, encrypted_content: event.part.signature.value }
    }
    return done
  }

  /** An item with what events still say of what its call is given. */
  #grown(output: number, events: readonly ChatEvent[]): JsonObject {
    const item = this.#written.item(output)
    const key = textKey(item)
    if (key === undefined || !events.some(({ type }) => type === 'arguments-delta')) return item
    return { ...item, [key]: `${wordOf(item[key])}${this.#given(output, events)}` }
  }

  /** What events say of what a call is given: JSON, or the free text in it. */
  #given(output: number, events: readonly ChatEvent[]): string {
    const key = freeKey(this.#written.item(output))
    if (key === undefined) return deltaOf(events)
    const free = this.#free.get(output) ?? new FreeText(key)
    this.#free.set(output, free)
    return events.map((event) => free.push(deltaOf([event]))).join('')
  }

  #part(kind: string, events: readonly ChatEvent[]): JsonObject {
    const told = events.findLast((event) => 'index' in event)
    const known = told !== undefined && 'index' in told ? this.#spots.get(told.index) : undefined
    const list = /summary/.test(kind) ? 'summary' : 'content'
    const { latest } = this.#written
    const opens = events.some((event) => event.type === 'part-start')
    const spot: Spot = opens
      ? { output: latest.output, list, position: this.#written.count(list) }
      : (known ?? latest)
    // Assigned one by one: Node 20 takes ten times as long to spread what may be absent.
    const place: Record<string, Json> = {
      item_id: this.#written.idOf(spot.output),
      output_index: spot.output,
    }
    if (spot.list !== undefined) place[`${spot.list}_index`] = spot.position ?? 0
    return Object.assign(place, this.#saying(kind, events, spot))
  }

  #saying(kind: string, events: readonly ChatEvent[], spot: Spot): JsonObject {
    const part = this.#written.part(spot)
    switch (kind) {
      case 'response.content_part.added':
      case 'response.reasoning_summary_part.added':
        return { part: openingOf(events) }
      case 'response.content_part.done':
      case 'response.reasoning_summary_part.done':
        return { part: part?.whole() ?? {} }
      case 'response.output_text.delta':
        return { delta: deltaOf(events), logprobs: [] }
      case 'response.output_text.done':
        return { text: `${part?.text ?? ''}${deltaOf(events)}`, logprobs: part?.logprobs ?? [] }
      case 'response.refusal.done':
        return { refusal: `${part?.text ?? ''}${deltaOf(events)}` }
      case 'response.reasoning_text.done':
      case 'response.reasoning_summary_text.done':
        return { text: `${part?.text ?? ''}${deltaOf(events)}` }
      case 'response.output_text.annotation.added':
        return { annotation: annotationOf(events), annotation_index: part?.annotations.length ?? 0 }
      case 'response.custom_tool_call_input.delta':
      case 'response.code_interpreter_call_code.delta':
        return { delta: this.#given(spot.output, events) }
      case 'response.custom_tool_call_input.done':
        return { input: this.#grown(spot.output, events)['input'] ?? '' }
      case 'response.code_interpreter_call_code.done':
        return { code: this.#grown(spot.output, events)['code'] ?? '' }
      case 'response.function_call_arguments.done':
      case 'response.mcp_call_arguments.done':
        return { arguments: this.#grown(spot.output, events)['arguments'] ?? '' }
      default:
        return kind.endsWith('.delta') ? { delta: deltaOf(events) } : {}
    }
  }
}
