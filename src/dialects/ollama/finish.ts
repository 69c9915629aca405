import type { Finish } from '../../canonical/model/finish.ts'
import { isObject, type Json } from '../../wire/json.ts'
import type { Path } from '../../wire/pointer.ts'
import { type Encoding, silent } from '../encoding.ts'
import { readFinish, type Stopped, writeWord } from '../shared/finish.ts'
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
  if ((typeof raw !== 'string' || raw === '') && done !== true) return undefined
  return readFinish(finishReasons, typeof raw === 'string' ? raw : 'stop', calls)
}

/** Why the model stopped, in the wire's words. */
export function encodeFinish(stopped: Stopped, at?: Path, encoding: Encoding = silent): string {
  return writeWord(finishReasons, stopped, 'stop', at, encoding)
}
