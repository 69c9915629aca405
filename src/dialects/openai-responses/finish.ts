import type { Finish } from '../../canonical/model/finish.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import { isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { Encoding } from '../encoding.ts'
import { isOwnCall } from '../shared/own-calls.ts'
import { shortfalls, statuses } from './codes.ts'
import { decodeRun } from './items.ts'

type Wire = { readonly [key: string]: Json }

/** Why the model stopped, as a response says it. */
export function decodeFinish(wire: Json | undefined): Finish | undefined {
  if (!isObject(wire)) return undefined
  const { output } = wire
  return finishFor(wire, isList(output) ? decodeRun(output, 'response') : [])
}

/** Why the model stopped; undefined while it has not. Calls for the application to answer decide what `completed` means. */
export function finishFor(
  { status, incomplete_details: details }: Wire,
  content: readonly AssistantPart[],
): Finish | undefined {
  if (typeof status !== 'string' || status === 'in_progress' || status === 'queued') return undefined
  if (status === 'incomplete') {
    const raw = isObject(details) && typeof details['reason'] === 'string' ? details['reason'] : status
    const reason = shortfalls.fromWire(raw)
    return reason === undefined ? { reason: 'other', raw } : { reason }
  }
  const said = statuses.fromWire(status)
  if (said === undefined) return { reason: 'other', raw: status }
  return { reason: said === 'stop' && content.some(isOwnCall) ? 'tool-calls' : said }
}

/** An answer that is to say why it stopped. */
export interface Stopped {
  readonly finish: Finish
  readonly content: readonly AssistantPart[]
  /** Whether the answer is of this format, so that unknown words are. */
  readonly own: boolean
  /** Whether an unknown word says why the answer is incomplete. */
  readonly short: boolean
}

/** Why the model stopped, in the wire's words: the word that came while nothing better is known. */
export function encodeFinish(
  { finish, content, own, short }: Stopped,
  at: Path | undefined,
  encoding: Encoding,
): JsonObject {
  const { reason, raw, stopSequence } = finish
  if (stopSequence !== undefined) encoding.lose('stop-sequence', below(at, 'stopSequence'))
  if (raw !== undefined && own && reason === 'other') {
    if (raw === 'incomplete') return stateOf('incomplete')
    return short ? stateOf('incomplete', raw) : stateOf(raw)
  }
  if (raw !== undefined) encoding.lose('finish-approximated', below(at, 'raw'))
  const shortfall = shortfalls.toWire(reason)
  if (shortfall !== undefined) return stateOf('incomplete', shortfall)
  const status = statuses.toWire(reason) ?? 'completed'
  const made = stateOf(status)
  if (finishFor(made, content)?.reason !== reason) encoding.lose('finish-approximated', below(at, 'reason'))
  return made
}

/** The fields that tell the state of an answer. */
function stateOf(status: string, shortfall?: string): JsonObject {
  return {
    status,
    error: status === 'failed' ? { code: 'server_error', message: 'The answer failed' } : null,
    incomplete_details: shortfall === undefined ? null : { reason: shortfall },
  }
}
