import type { Finish } from '../../canonical/model/finish.ts'
import { isObject, type Json } from '../../wire/json.ts'
import type { Path } from '../../wire/pointer.ts'
import { type Encoding, silent } from '../encoding.ts'
import { readFinish, type Stopped, writeWord } from '../shared/finish.ts'
import { finishNumbers, finishReasons } from './codes.ts'
import { listOf } from './messages.ts'
import { kindOfPart } from './parts.ts'
import { camel, type Wire } from './spelling.ts'

/** Why the model stopped. A word for calls is missing: they decide. */
export function finishFor(wire: Json | undefined, calls: boolean): Finish | undefined {
  const raw = typeof wire === 'number' ? (finishNumbers[wire] ?? String(wire)) : wire
  return typeof raw === 'string' && raw !== '' ? readFinish(finishReasons, raw, calls) : undefined
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

/** Why the model stopped, in the wire's words. */
export function encodeFinish(stopped: Stopped, at?: Path, encoding: Encoding = silent): string {
  return writeWord(finishReasons, stopped, 'OTHER', at, encoding)
}
