import type { ToolCallPart } from '../../canonical/model/part.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below } from '../../wire/pointer.ts'
import { describeProviderCall } from '../shared/describe.ts'
import { idHint, writeId } from '../shared/ids.ts'
import { nameHint, writeName } from '../shared/names.ts'
import { objectArguments } from '../shared/object-arguments.ts'
import { idRule, providerCalls, toolNames } from './codes.ts'
import type { Read, Writing } from './parts.ts'

type Wire = { readonly [key: string]: Json }

/** Reads a call: one for the application, or one that the provider ran. */
export function decodeCall({ type, id, name, input }: Wire): Read | undefined {
  if (typeof id !== 'string' || typeof name !== 'string' || id === '' || name === '' || !isObject(input))
    return undefined
  const call: ToolCallPart = { type: 'tool-call', id, name, arguments: input }
  return providerCalls.has(type)
    ? { part: { ...call, executedBy: 'provider' }, hints: { wireType: type as string } }
    : { part: call, hints: { ...idHint(id, idRule), ...nameHint(name, toolNames) } }
}

/** Writes a call; one that another provider ran is told in words. */
export function encodeCall(call: ToolCallPart, { hints, at, encoding, place }: Writing): JsonObject {
  const kind = hints['wireType']
  if (call.executedBy === 'provider' && !providerCalls.has(kind)) {
    encoding.lose('foreign-provider-call', at)
    return { type: 'text', text: describeProviderCall(call) }
  }
  const input = objectArguments(call, at, encoding)
  if (call.executedBy === 'provider') return { type: kind as string, id: call.id, name: call.name, input }
  const name = writeName(call.name, hints, toolNames, below(at, 'name'), encoding)
  // Who reads an answer takes any id, and keeps it apart from others by the whole of it.
  const id = place === 'assistant' ? writeId(call.id, hints, idRule, below(at, 'id'), encoding) : call.id
  return { type: 'tool_use', id, name, input }
}
