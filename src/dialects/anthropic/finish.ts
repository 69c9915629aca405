import type { Finish } from '../../canonical/model/finish.ts'
import { isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import type { Path } from '../../wire/pointer.ts'
import { type Encoding, silent } from '../encoding.ts'
import { readFinish, type Stopped, writeFinish } from '../shared/finish.ts'
import { finishReasons } from './codes.ts'

/** Why the model stopped, as a whole message says it. */
export function decodeFinish(wire: Json | undefined): Finish | undefined {
  const content = isObject(wire) ? wire['content'] : undefined
  return finishFor(wire, isList(content) && content.some(isCall))
}

/** Whether a block calls a tool that the application runs. */
export function isCall(block: Json | undefined): boolean {
  return isObject(block) && block['type'] === 'tool_use'
}

/** Why the model stopped. Some hosts say `end_turn` when the model called a tool: the calls decide. */
export function finishFor(wire: Json | undefined, calls: boolean): Finish | undefined {
  const { stop_reason: raw, stop_sequence: sequence } = isObject(wire) ? wire : {}
  if (typeof raw !== 'string') return undefined
  const ended = typeof sequence === 'string' ? { stopSequence: sequence } : {}
  return { ...readFinish(finishReasons, raw, calls), ...ended }
}

/** Why the model stopped, in the wire's words. */
export function encodeFinish(
  stopped: Stopped | undefined,
  at?: Path,
  encoding: Encoding = silent,
): JsonObject {
  if (stopped === undefined) return { stop_reason: null, stop_sequence: null, stop_details: null }
  const { reason, stopSequence } = stopped.finish
  // What ended the text is said with the word for it, also where the reason has no word of its own.
  const ended = stopSequence === undefined ? 'end_turn' : 'stop_sequence'
  const fresh = reason === 'stop' ? ended : (finishReasons.toWire(reason) ?? ended)
  const word = writeFinish(finishReasons, stopped, fresh, at, encoding)
  const details = word === 'refusal' ? { type: 'refusal', category: null, explanation: null } : null
  return { stop_reason: word, stop_sequence: stopSequence ?? null, stop_details: details }
}
