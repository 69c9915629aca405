import type { ToolCallPart, ToolResultPart } from '../model/part.ts'
import { isSynthesizedResult } from './repair-marks.ts'

/** A tool call, its position, and its result. */
export interface PairedCall {
  readonly message: number
  readonly part: number
  readonly value: ToolCallPart
  /** The result of the call, anywhere in the conversation. */
  readonly answer?: PairedResult
}

/** A tool result, its position, and its relation to the calls. */
export interface PairedResult {
  readonly message: number
  readonly part: number
  readonly value: ToolResultPart
  /** True for a result in an assistant message, where only results of provider-executed tools belong. */
  readonly isInline: boolean
  /**
   * `answer`: the result of its call. `early`: the result of a call in a later message. `extra`: its call has another
   * result, or no longer waits for one. `orphan`: no call has its id.
   */
  readonly kind: 'answer' | 'early' | 'extra' | 'orphan'
  /** The call that the result belongs to; undefined for an orphan. */
  readonly call?: PairedCall
}

type Mutable<T> = { -readonly [key in keyof T]: T[key] }
type OpenCall = Mutable<PairedCall>

/** Calls of one id in one message that have no result yet. */
interface OpenCallGroup {
  readonly message: number
  readonly turn: number
  readonly calls: OpenCall[]
  next: number
}

/** All calls of one id. */
interface CallIdState {
  application?: OpenCallGroup[]
  provider?: OpenCallGroup[]
  /** Calls whose result was added by an earlier repair; a real result replaces it. */
  synthesized?: OpenCall[]
  lastApplication?: PairedCall
  lastProvider?: PairedCall
}

/**
 * Matches tool results with tool calls, one message at a time, for `repair`, `validate` and the encoders, which must
 * agree on the call of every result. The calls of a message are added before its results.
 *
 * A result in a tool message belongs to a call that the application runs: of the calls of its id without a result, the
 * first one in the latest message. A result in an assistant message belongs to a call that the provider ran, and to a call
 * of the application only if there is no other.
 */
export class CallMatcher {
  readonly #ids: Map<string, CallIdState>
  readonly #openCalls: Set<PairedCall>
  readonly #replacesSynthesized: boolean
  #turn = 0

  /** `replacesSynthesized`: a real result takes the call of a result that an earlier repair added. */
  constructor(
    replacesSynthesized = false,
    ids: Map<string, CallIdState> = new Map(),
    openCalls: Iterable<PairedCall> = [],
  ) {
    this.#replacesSynthesized = replacesSynthesized
    this.#ids = ids
    this.#openCalls = new Set(openCalls)
  }

  /** The number of calls of the application that wait for a result. */
  get openCount(): number {
    return this.#openCalls.size
  }

  addCall(value: ToolCallPart, message: number, part: number): PairedCall {
    const call: OpenCall = { message, part, value }
    let state = this.#ids.get(value.id)
    if (state === undefined) this.#ids.set(value.id, (state = {}))
    const isApplication = value.executedBy === undefined
    const groups = isApplication ? (state.application ??= []) : (state.provider ??= [])
    const group = groups.at(-1)
    if (group?.message === message) group.calls.push(call)
    else groups.push({ message, turn: this.#turn, calls: [call], next: 0 })
    state[isApplication ? 'lastApplication' : 'lastProvider'] = call
    if (isApplication) this.#openCalls.add(call)
    return call
  }

  addResult(value: ToolResultPart, message: number, part: number, isInline: boolean): PairedResult {
    const result: PairedResult = { message, part, value, isInline, kind: 'orphan' }
    this.assign(result, 'answer')
    return result
  }

  /** Assigns a call to an orphan: one without a result, else as an extra result; without a call of its id, none. */
  assign(result: Mutable<PairedResult>, kind: 'answer' | 'early'): void {
    const state = this.#ids.get(result.value.callId)
    if (state === undefined) return
    const call =
      (result.isInline ? takeFirst(state.provider) : undefined) ??
      takeFirst(state.application, this.#turn) ??
      (isSynthesizedResult(result.value) ? undefined : state.synthesized?.pop())
    if (call === undefined) {
      const last = (result.isInline ? state.lastProvider : undefined) ?? state.lastApplication
      if (last === undefined) return
      result.kind = 'extra'
      result.call = last
      return
    }
    if (call.answer !== undefined) (call.answer as Mutable<PairedResult>).kind = 'extra'
    result.kind = kind
    result.call = call
    call.answer = result
    this.#openCalls.delete(call)
    if (this.#replacesSynthesized && isSynthesizedResult(result.value)) (state.synthesized ??= []).push(call)
  }

  /** Returns the calls that wait for a result, in order. From then on, they no longer wait. */
  closeCalls(): readonly PairedCall[] {
    const calls = [...this.#openCalls]
    this.#openCalls.clear()
    this.#turn += 1
    return calls
  }

  /** Returns a copy whose calls can be closed; nothing may be added to it. */
  fork(): CallMatcher {
    return new CallMatcher(this.#replacesSynthesized, this.#ids, this.#openCalls)
  }
}

/** Removes and returns the first call of the latest message, of the given turn if there is one. */
function takeFirst(groups: OpenCallGroup[] | undefined, turn?: number): OpenCall | undefined {
  const group = groups?.at(-1)
  if (groups === undefined || group === undefined || (turn !== undefined && group.turn !== turn))
    return undefined
  const call = group.calls[group.next]
  group.next += 1
  if (group.next === group.calls.length) groups.pop()
  return call
}
