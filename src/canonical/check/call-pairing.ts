import type { Message } from '../model/message.ts'
import type { ToolCallPart, ToolResultPart } from '../model/part.ts'
import { isSynthesizedResult } from './repair-marks.ts'

/** A tool call and where it stands. */
export interface PairedCall {
  readonly message: number
  readonly part: number
  readonly value: ToolCallPart
  /** The result that answers it, wherever that stands. */
  readonly answer?: PairedResult
}

/** A tool result, where it stands, and what it is to the calls. */
export interface PairedResult {
  readonly message: number
  readonly part: number
  readonly value: ToolResultPart
  /** It stands in an assistant message, where only results of the provider's own tools belong. */
  readonly isInline: boolean
  /** The last message before it that is not a tool message; -1 when there is none. */
  readonly precedingMessage: number
  /** `early`: it answers a call that comes only later. `extra`: its call has another answer. */
  readonly kind: 'answer' | 'early' | 'extra' | 'orphan'
  /** The call that it belongs to; an orphan has none. */
  readonly call?: PairedCall
}

/** Who answers whom in a conversation, in the order of the parts. */
export interface CallPairing {
  readonly calls: readonly PairedCall[]
  readonly results: readonly PairedResult[]
}

type Mutable<T> = { -readonly [key in keyof T]: T[key] }

/** Everything about one call id. */
interface CallIdState {
  /** Unanswered calls by message: the latest message is served first, its calls in their order. */
  readonly open: { readonly message: number; readonly calls: Mutable<PairedCall>[]; next: number }[]
  /** Calls whose answer an earlier repair made up: a real result takes its place. */
  readonly provisional: Mutable<PairedCall>[]
  /** Results that came before any call of their id. */
  readonly early: Mutable<PairedResult>[]
  latest?: Mutable<PairedCall>
}

const snapshots = new WeakSet<readonly Message[]>()
const pairings = new WeakMap<readonly Message[], CallPairing>()

/** A frozen list of our own, whose calls are paired once for all the rules that ask. */
export function snapshotMessages(messages: Iterable<Message>): readonly Message[] {
  const list = Object.freeze([...messages])
  snapshots.add(list)
  return list
}

/**
 * Pairs calls and results in one pass. A result belongs to the unanswered call of its id in the latest message before it;
 * a result before all calls of its id, to one that is still unanswered at the end.
 */
export function pairCalls(messages: readonly Message[]): CallPairing {
  const known = pairings.get(messages)
  if (known !== undefined) return known
  const pairing = buildPairing(messages)
  if (snapshots.has(messages)) pairings.set(messages, pairing)
  return pairing
}

function buildPairing(messages: readonly Message[]): CallPairing {
  const calls: PairedCall[] = []
  const results: PairedResult[] = []
  const accounts = new Map<string, CallIdState>()
  let follows = -1
  for (const [message, { role, content }] of messages.entries()) {
    if (role !== 'tool') follows = message
    for (const [part, value] of content.entries()) {
      if (value.type === 'tool-call') {
        const call = { message, part, value }
        calls.push(call)
        addCall(getCallIdState(accounts, value.id), call)
      } else if (value.type === 'tool-result') {
        const result: Mutable<PairedResult> = {
          message,
          part,
          value,
          isInline: role !== 'tool',
          precedingMessage: follows,
          kind: 'orphan',
        }
        results.push(result)
        addResult(getCallIdState(accounts, value.callId), result)
      }
    }
  }
  for (const account of accounts.values()) {
    for (const result of account.early) assignCall(account, result, 'early')
  }
  return { calls, results }
}

function getCallIdState(accounts: Map<string, CallIdState>, id: string): CallIdState {
  const known = accounts.get(id)
  if (known !== undefined) return known
  const account: CallIdState = { open: [], provisional: [], early: [] }
  accounts.set(id, account)
  return account
}

function addCall(account: CallIdState, call: Mutable<PairedCall>): void {
  const group = account.open.at(-1)
  if (group?.message === call.message) group.calls.push(call)
  else account.open.push({ message: call.message, calls: [call], next: 0 })
  account.latest = call
}

function addResult(account: CallIdState, result: Mutable<PairedResult>): void {
  if (account.latest === undefined) account.early.push(result)
  else assignCall(account, result, 'answer')
}

/** Gives the result a call: an unanswered one, else one with a provisional answer, else as one result too many. */
function assignCall(account: CallIdState, result: Mutable<PairedResult>, kind: 'answer' | 'early'): void {
  const provisional = isSynthesizedResult(result.value)
  const call = takeUnansweredCall(account) ?? (provisional ? undefined : account.provisional.pop())
  if (call === undefined) {
    if (account.latest !== undefined) Object.assign(result, { kind: 'extra', call: account.latest })
    return
  }
  if (call.answer !== undefined) (call.answer as Mutable<PairedResult>).kind = 'extra'
  Object.assign(result, { kind, call })
  call.answer = result
  if (provisional) account.provisional.push(call)
}

function takeUnansweredCall(account: CallIdState): Mutable<PairedCall> | undefined {
  const group = account.open.at(-1)
  if (group === undefined) return undefined
  const call = group.calls[group.next]
  group.next += 1
  if (group.next === group.calls.length) account.open.pop()
  return call
}
