import type { ToolCallPart } from '../../canonical/model/part.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below } from '../../wire/pointer.ts'
import { nameHint, writeName } from '../shared/names.ts'
import { objectArguments } from '../shared/object-arguments.ts'
import type { CallBook } from './call-book.ts'
import { toolNames } from './codes.ts'
import { flavorOf } from './flavors.ts'
import type { Read, Writing } from './parts.ts'
import { encodeProviderCall } from './provider-calls.ts'
import type { Encoding } from '../encoding.ts'

/** Reads a call of the application's functions. */
export function decodeCall(wire: Json, book: CallBook): Read | undefined {
  if (!isObject(wire)) return undefined
  const { id, name, args } = wire
  if (typeof name !== 'string' || name === '') return undefined
  const given = args ?? {}
  if (!isObject(given)) return undefined
  const part: ToolCallPart = {
    type: 'tool-call',
    id: book.call(id, name, () => JSON.stringify(given)),
    name,
    arguments: given,
  }
  return { part, hints: nameHint(name, toolNames) }
}

/** Writes a call; one that another provider ran is told in words. */
export function encodeCall(call: ToolCallPart, writing: Writing): JsonObject {
  const { hints, at, encoding } = writing
  if (call.executedBy === 'provider') return encodeProviderCall(call, writing)
  const args = objectArguments(call, at, encoding)
  const name = writeName(call.name, hints, toolNames, below(at, 'name'), encoding)
  return { functionCall: takesIds(encoding) ? { id: call.id, name, args } : { name, args } }
}

/** Whether a host takes the ids of calls. */
export function takesIds({ options }: Encoding): boolean {
  return flavorOf(options)?.ids !== false
}
