import type { Finish } from '../../canonical/model/finish.ts'
import { isObject, type Json } from '../../wire/json.ts'
import type { Path } from '../../wire/pointer.ts'
import { type Encoding, silent } from '../encoding.ts'
import { readFinish, type Stopped, writeWord } from '../shared/finish.ts'
import { finishReasons } from './codes.ts'

/** Why the model stopped, as a choice says it. */
export function decodeFinish(wire: Json | undefined): Finish | undefined {
  if (!isObject(wire)) return undefined
  const { finish_reason: raw, message } = wire
  const { tool_calls: calls, function_call: call } = isObject(message) ? message : {}
  return finishFor(raw, (Array.isArray(calls) && calls.length > 0) || isObject(call))
}

/** Why the model stopped. Some hosts say `stop` when the model called a tool: the calls decide. */
export function finishFor(raw: Json | undefined, calls: boolean): Finish | undefined {
  return typeof raw === 'string' && raw !== '' ? readFinish(finishReasons, raw, calls) : undefined
}

/** Why the model stopped, in the wire's words. */
export function encodeFinish(stopped: Stopped, at?: Path, encoding: Encoding = silent): string {
  return writeWord(finishReasons, stopped, 'stop', at, encoding)
}
