import type { Finish } from '../../canonical/model/finish.ts'
import { isObject, type Json } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import { type Encoding, silent } from '../encoding.ts'
import { finishReasons } from './codes.ts'

/** Why the model stopped, as a choice says it. */
export function decodeFinish(wire: Json | undefined): Finish | undefined {
  if (!isObject(wire)) return undefined
  const { finish_reason: raw, message } = wire
  const calls = isObject(message) ? message['tool_calls'] : undefined
  return finishFor(raw, Array.isArray(calls) && calls.length > 0)
}

/** Why the model stopped. Some hosts say `stop` when the model called a tool: the calls decide. */
export function finishFor(raw: Json | undefined, calls: boolean): Finish | undefined {
  if (typeof raw !== 'string') return undefined
  const said = finishReasons.fromWire(raw) ?? 'other'
  const reason = said === 'stop' && calls ? 'tool-calls' : said
  return { reason, ...(finishReasons.toWire(reason) !== raw && { raw }) }
}

/** Why the model stopped, in the wire's words: the word that came while it still means the same. */
export function encodeFinish(
  finish: Finish | undefined,
  at?: Path,
  encoding: Encoding = silent,
  own = true,
  calls = false,
): Json {
  if (finish === undefined) return null
  const { reason, raw, stopSequence } = finish
  if (stopSequence !== undefined) encoding.lose('stop-sequence', below(at, 'stopSequence'))
  // A word that nobody here knows is only one of ours if the answer is.
  const meant = raw === undefined ? undefined : (finishReasons.fromWire(raw) ?? (own ? 'other' : undefined))
  const still = meant === reason || (meant === 'stop' && reason === 'tool-calls')
  if (raw !== undefined && still) return raw
  if (raw !== undefined) encoding.lose('finish-approximated', below(at, 'raw'))
  const word = finishReasons.toWire(reason) ?? 'stop'
  if (finishFor(word, calls)?.reason !== reason) encoding.lose('finish-approximated', below(at, 'reason'))
  return word
}
