import type { Finish } from '../../canonical/model/finish.ts'
import { isObject, type Json } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { Encoding } from '../encoding.ts'
import { finishNumbers, finishReasons } from './codes.ts'
import { listOf } from './messages.ts'
import { kindOfPart } from './parts.ts'
import { camel, type Wire } from './spelling.ts'

/** Why the model stopped. A word for calls is missing: they decide. */
export function finishFor(wire: Json | undefined, calls: boolean): Finish | undefined {
  const raw = typeof wire === 'number' ? (finishNumbers[wire] ?? String(wire)) : wire
  if (typeof raw !== 'string' || raw === '') return undefined
  const said = finishReasons.fromWire(raw) ?? 'other'
  const reason = said === 'stop' && calls ? 'tool-calls' : said
  return { reason, ...(finishReasons.toWire(reason) !== raw && { raw }) }
}

/** Why the model stopped, from a candidate, or from a response whose prompt was refused. */
export function decodeFinish(wire: Json | undefined): Finish | undefined {
  if (!isObject(wire)) return undefined
  const said = camel(wire)
  if (isBlocked(said)) return { reason: 'content-filter' }
  const { content, finishReason } = said
  const parts = isObject(content) ? (listOf(content['parts']) ?? []) : []
  return finishFor(finishReason, parts.some(isCall))
}

function isCall(wire: Json): boolean {
  return isObject(wire) && kindOfPart(camel(wire)) === 'functionCall'
}

/** Whether the prompt was refused: there is no answer then, and the feedback says why. */
export function isBlocked({ candidates, promptFeedback: feedback }: Wire): boolean {
  if (Array.isArray(candidates) ? candidates.length > 0 : candidates !== undefined) return false
  const reason = isObject(feedback) ? camel(feedback)['blockReason'] : undefined
  return reason !== undefined && reason !== 'BLOCKED_REASON_UNSPECIFIED' && reason !== 0
}

/** Why the model stopped, in the wire's words: the word that came while it still means the same. */
export function encodeFinish(
  { reason, raw, stopSequence }: Finish,
  at: Path | undefined,
  encoding: Encoding,
  own: boolean,
  calls: boolean,
): string {
  if (stopSequence !== undefined) encoding.lose('stop-sequence', below(at, 'stopSequence'))
  // A word that nobody here knows is only one of ours if the answer is.
  const meant = raw === undefined ? undefined : (finishReasons.fromWire(raw) ?? (own ? 'other' : undefined))
  if (raw !== undefined && meant === reason) return raw
  if (raw !== undefined) encoding.lose('finish-approximated', below(at, 'raw'))
  const word = finishReasons.toWire(reason) ?? 'OTHER'
  if (finishFor(word, calls)?.reason !== reason) encoding.lose('finish-approximated', below(at, 'reason'))
  return word
}
