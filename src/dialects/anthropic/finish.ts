import type { Finish } from '../../canonical/model/finish.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import { type Encoding, silent } from '../encoding.ts'
import { finishReasons } from './codes.ts'

/** Why the model stopped. */
export function decodeFinish(wire: Json | undefined): Finish | undefined {
  const { stop_reason: raw, stop_sequence: sequence } = isObject(wire) ? wire : {}
  if (typeof raw !== 'string') return undefined
  const reason = finishReasons.fromWire(raw) ?? 'other'
  const plain = finishReasons.toWire(reason) === raw
  return { reason, ...(!plain && { raw }), ...(typeof sequence === 'string' && { stopSequence: sequence }) }
}

/** Why the model stopped, in the wire's words: its own word while that still means the same. */
export function encodeFinish(
  finish: Finish | undefined,
  at?: Path,
  encoding: Encoding = silent,
  own = true,
): JsonObject {
  const { reason, raw, stopSequence } = finish ?? {}
  // What ended the text is said with the word for it, also where the reason has no word of its own.
  const ended = stopSequence === undefined ? 'end_turn' : 'stop_sequence'
  const fresh =
    reason === undefined ? null : reason === 'stop' ? ended : (finishReasons.toWire(reason) ?? ended)
  // A word that nobody here knows is only one of ours if the answer is.
  const meant = raw === undefined ? undefined : (finishReasons.fromWire(raw) ?? (own ? 'other' : undefined))
  const kept = meant === reason ? raw : undefined
  const word = kept ?? fresh
  if (word !== null && finishReasons.fromWire(word) !== reason && kept === undefined)
    encoding.lose('finish-approximated', below(at, 'reason'))
  if (raw !== undefined && kept === undefined) encoding.lose('finish-approximated', below(at, 'raw'))
  const details = word === 'refusal' ? { type: 'refusal', category: null, explanation: null } : null
  return { stop_reason: word, stop_sequence: stopSequence ?? null, stop_details: details }
}
