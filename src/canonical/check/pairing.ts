import type { Message } from '../model/message.ts'
import type { ToolCallPart, ToolResultPart } from '../model/part.ts'
import { isSynthesized } from './mark.ts'

/** A tool call and where it stands. */
export interface Call {
  readonly message: number
  readonly part: number
  readonly value: ToolCallPart
  /** The result that answers it, wherever that stands. */
  readonly answer?: Result
}

/** A tool result, where it stands, and what it is to the calls. */
export interface Result {
  readonly message: number
  readonly part: number
  readonly value: ToolResultPart
  /** It stands in an assistant message, where only results of the provider's own tools belong. */
  readonly inline: boolean
  /** The last message before it that is not a tool message; -1 when there is none. */
  readonly follows: number
  /** `early`: it answers a call that comes only later. `extra`: its call has another answer. */
  readonly kind: 'answer' | 'early' | 'extra' | 'orphan'
  /** The call that it belongs to; an orphan has none. */
  readonly call?: Call
}

/** Who answers whom in a conversation, in the order of the parts. */
export interface Pairing {
  readonly calls: readonly Call[]
  readonly results: readonly Result[]
}

type Draft<T> = { -readonly [key in keyof T]: T[key] }

/** Everything about one call id. */
interface Account {
  /** Unanswered calls by message: the latest message is served first, its calls in their order. */
  readonly open: { readonly message: number; readonly calls: Draft<Call>[]; next: number }[]
  /** Calls whose answer an earlier repair made up: a real result takes its place. */
  readonly provisional: Draft<Call>[]
  /** Results that came before any call of their id. */
  readonly early: Draft<Result>[]
  latest?: Draft<Call>
}

const snapshots = new WeakSet<readonly Message[]>()
const pairings = new WeakMap<readonly Message[], Pairing>()

/** A frozen list of our own, whose calls are paired once for all the rules that ask. */
export function snapshot(messages: Iterable<Message>): readonly Message[] {
  const list = Object.freeze([...messages])
  snapshots.add(list)
  return list
}

/**
 * Pairs calls and results in one pass. A result belongs to the unanswered call of its id in the latest message before it;
 * a result before all calls of its id, to one that is still unanswered at the end.
 */
export function pairCalls(messages: readonly Message[]): Pairing {
  const known = pairings.get(messages)
  if (known !== undefined) return known
  const pairing = pair(messages)
  if (snapshots.has(messages)) pairings.set(messages, pairing)
  return pairing
}

function pair(messages: readonly Message[]): Pairing {
  const calls: Call[] = []
  const results: Result[] = []
  const accounts = new Map<string, Account>()
  let follows = -1
  for (const [message, { role, content }] of messages.entries()) {
    if (role !== 'tool') follows = message
    for (const [part, value] of content.entries()) {
      if (value.type === 'tool-call') {
        const call = { message, part, value }
        calls.push(call)
        open(accountOf(accounts, value.id), call)
      } else if (value.type === 'tool-result') {
        const result: Draft<Result> = {
          message,
          part,
          value,
          inline: role !== 'tool',
          follows,
          kind: 'orphan',
        }
        results.push(result)
        answer(accountOf(accounts, value.callId), result)
      }
    }
  }
  for (const account of accounts.values()) {
    for (const result of account.early) claim(account, result, 'early')
  }
  return { calls, results }
}

function accountOf(accounts: Map<string, Account>, id: string): Account {
  const known = accounts.get(id)
  if (known !== undefined) return known
  const account: Account = { open: [], provisional: [], early: [] }
  accounts.set(id, account)
  return account
}

function open(account: Account, call: Draft<Call>): void {
  const group = account.open.at(-1)
  if (group?.message === call.message) group.calls.push(call)
  else account.open.push({ message: call.message, calls: [call], next: 0 })
  account.latest = call
}

function answer(account: Account, result: Draft<Result>): void {
  if (account.latest === undefined) account.early.push(result)
  else claim(account, result, 'answer')
}

/** Gives the result a call: an unanswered one, else one with a provisional answer, else as one result too many. */
function claim(account: Account, result: Draft<Result>, kind: 'answer' | 'early'): void {
  const provisional = isSynthesized(result.value)
  const call = takeOpen(account) ?? (provisional ? undefined : account.provisional.pop())
  if (call === undefined) {
    if (account.latest !== undefined) Object.assign(result, { kind: 'extra', call: account.latest })
    return
  }
  if (call.answer !== undefined) (call.answer as Draft<Result>).kind = 'extra'
  Object.assign(result, { kind, call })
  call.answer = result
  if (provisional) account.provisional.push(call)
}

function takeOpen(account: Account): Draft<Call> | undefined {
  const group = account.open.at(-1)
  if (group === undefined) return undefined
  const call = group.calls[group.next]
  group.next += 1
  if (group.next === group.calls.length) account.open.pop()
  return call
}
