import type { Message } from '../model/message.ts'
import { listRawResults } from '../read/message-content.ts'
import { checkIterable } from '../shape/shape.ts'
import { CallMatcher, type PairedCall, type PairedResult } from './call-matcher.ts'

/** The calls and results of a conversation, in the order of the parts. */
export interface CallPairing {
  readonly calls: readonly PairedCall[]
  readonly results: readonly PairedResult[]
  /** By the index of a tool message: the message whose calls it answers, if only results separate them. */
  readonly rounds: ReadonlyMap<number, number>
}

const snapshots = new WeakSet<readonly Message[]>()
const pairings = new WeakMap<readonly Message[], CallPairing>()

/** Returns a frozen copy of the list. Its calls are paired only once for all rules. */
export function snapshotMessages(messages: Iterable<Message>): readonly Message[] {
  const list = Object.freeze([...checkIterable(messages, 'a list of messages')])
  snapshots.add(list)
  return list
}

/** Pairs calls and results. Unlike an encoder, it may pair a result with a call of any message, even a later one. */
export function pairCalls(messages: readonly Message[]): CallPairing {
  const known = pairings.get(messages)
  if (known !== undefined) return known
  const pairing = buildPairing(messages)
  if (snapshots.has(messages)) pairings.set(messages, pairing)
  return pairing
}

function buildPairing(messages: readonly Message[]): CallPairing {
  const matcher = new CallMatcher(true)
  const calls: PairedCall[] = []
  const results: PairedResult[] = []
  const rounds = new Map<number, number>()
  let host = -1
  for (const [message, source] of messages.entries()) {
    const { role, content } = source
    for (const [part, value] of content.entries())
      if (value.type === 'tool-call') calls.push(matcher.addCall(value, message, part))
    let continuesRound = false
    // The results in a raw message answer their calls, but cannot be moved or checked.
    for (const value of listRawResults(source)) {
      const result = matcher.addResult(value, message, 0, false)
      continuesRound ||= result.kind === 'answer' && result.call?.message === host
    }
    for (const [part, value] of content.entries()) {
      if (value.type !== 'tool-result') continue
      const result = matcher.addResult(value, message, part, role !== 'tool')
      results.push(result)
      continuesRound ||= role === 'tool' && result.kind === 'answer' && result.call?.message === host
    }
    if (continuesRound) rounds.set(message, host)
    else host = message
  }
  for (const result of results) if (result.kind === 'orphan') matcher.assign(result, 'early')
  return { calls, results, rounds }
}
