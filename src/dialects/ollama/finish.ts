import type { Finish } from '../../canonical/model/finish.ts'
import { isObject, type Json } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import { type Encoding, silent } from '../encoding.ts'
import { callIds } from '../shared/call-ids.ts'
import { decodeCalls } from './calls.ts'
import { finishReasons, RESPONSE } from './codes.ts'
import { messageOf } from './parts.ts'

type Wire = { readonly [key: string]: Json }

/** Why the model stopped, as a whole answer says it. */
export function decodeFinish(wire: Json | undefined): Finish | undefined {
  if (!isObject(wire)) return undefined
  const { tool_calls: calls } = messageOf(wire)
  return finishFor(wire, decodeCalls(calls, RESPONSE, callIds()).length > 0)
}

/** Why the model stopped: old servers say only that it did, and none says that it called: the calls do. */
export function finishFor({ done, done_reason: raw }: Wire, calls: boolean): Finish | undefined {
  if (typeof raw !== 'string' && done !== true) return undefined
  const word = typeof raw === 'string' ? raw : 'stop'
  const said = finishReasons.fromWire(word) ?? 'other'
  const reason = said === 'stop' && calls ? 'tool-calls' : said
  return { reason, ...(finishReasons.toWire(reason) !== word && { raw: word }) }
}

/** Why the model stopped, in the wire's words: the word that came while it still means the same. */
export function encodeFinish(
  finish: Finish,
  calls: boolean,
  at?: Path,
  encoding: Encoding = silent,
  own = true,
): string {
  const { reason, raw, stopSequence } = finish
  if (stopSequence !== undefined) encoding.lose('stop-sequence', below(at, 'stopSequence'))
  const means = (word: string): unknown => finishFor({ done_reason: word }, calls)?.reason
  // A word that nobody here knows is only one of ours if the answer is.
  const known = raw !== undefined && (own || finishReasons.fromWire(raw) !== undefined)
  if (known && means(raw) === reason) return raw
  if (raw !== undefined) encoding.lose('finish-approximated', below(at, 'raw'))
  const word = finishReasons.toWire(reason) ?? 'stop'
  if (means(word) !== reason) encoding.lose('finish-approximated', below(at, 'reason'))
  return word
}
