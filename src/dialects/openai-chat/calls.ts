import { argumentsText, readArguments } from '../../canonical/build/arguments.ts'
import type { ToolCallPart } from '../../canonical/model/part.ts'
import { sealOwn } from '../../wire/frozen.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import { type Encoding, silent } from '../encoding.ts'
import { givenArguments, givenInput } from '../shared/given-arguments.ts'
import { idHint, writeId } from '../shared/ids.ts'
import { nameHint, writeName } from '../shared/names.ts'
import { asSpoken } from '../shared/restored.ts'
import { applyResidue, hintsFor, keep, type Slot } from '../unit.ts'
import { reportBare } from '../shared/bare.ts'
import { idRule, SLOT, toolNames } from './codes.ts'
import { flavorOf } from './flavors.ts'
import type { OpenAIChatHint } from './hints.ts'

type CallId = (name: string, argumentsText: string) => string

/** Reads a call of `tool_calls`; undefined when it is none that we can take apart. */
export function decodeCall(
  wire: Json,
  index: number,
  slot: Slot<OpenAIChatHint>,
  callId: CallId,
): ToolCallPart | undefined {
  if (!isObject(wire)) return undefined
  const { id: own, type, function: called, custom } = wire
  const body = type === 'custom' ? custom : called
  if (!isObject(body) || typeof body['name'] !== 'string' || body['name'] === '') return undefined
  const given = type === 'custom' ? givenInput(body['input']) : givenArguments(body['arguments'])
  if (given === undefined) return undefined
  const id = typeof own === 'string' && own !== '' ? own : callId(body['name'], argumentsText(given))
  const hints = {
    ...(type === 'custom' && { wireType: 'custom' }),
    ...(wire['index'] === index && { hasIndex: true }),
    ...idHint(id, idRule),
    ...nameHint(body['name'], toolNames),
  }
  const call: ToolCallPart = { type: 'tool-call', id, name: body['name'], ...given }
  return keep(call, SLOT, slot, hints, wire, (part) => encodeCall(part, index, undefined, silent, slot))
}

/** Writes a call of the application's tools. */
export function encodeCall(
  call: ToolCallPart,
  index: number,
  at: Path | undefined,
  encoding: Encoding,
  slot: Slot<OpenAIChatHint>,
): JsonObject {
  reportBare(call, at, encoding)
  const hints = hintsFor(call, SLOT)
  const position = hints['hasIndex'] === true ? { index } : {}
  // Who reads an answer takes any id, and keeps it apart from others by the whole of it.
  const { ids, custom } = slot === SLOT ? flavorOf(encoding.options) : {}
  const input = hints['wireType'] === 'custom' && custom !== false ? onlyInput(call) : undefined
  if (hints['wireType'] === 'custom' && custom === false) encoding.lose('custom-as-function', at)
  const name = writeName(call.name, hints, toolNames, below(at, 'name'), encoding)
  const id =
    slot === SLOT ? writeId(call.id, ids ? {} : hints, ids ?? idRule, below(at, 'id'), encoding) : call.id
  const made =
    input === undefined
      ? {
          id,
          type: 'function',
          function: { name, arguments: argumentsText(asSpoken(call, SLOT)) },
          ...position,
        }
      : { id, type: 'custom', custom: { name, input }, ...position }
  return applyResidue(made, call, slot)
}

/** The text that a call gives to a custom tool; undefined where it gives more. */
function onlyInput({ arguments: given }: ToolCallPart): string | undefined {
  const { input, ...others } = given ?? {}
  return typeof input === 'string' && Object.keys(others).length === 0 ? input : undefined
}

/** Reads a call of the time before tools: one to a message, and without an id. */
export function decodeLegacyCall(wire: Json | undefined, callId: CallId): ToolCallPart | undefined {
  if (!isObject(wire)) return undefined
  const { name, arguments: text } = wire
  if (typeof name !== 'string' || name === '' || typeof text !== 'string') return undefined
  const call: ToolCallPart = { type: 'tool-call', id: callId(name, text), name, ...readArguments(text) }
  const hints = { wireType: 'function_call', ...nameHint(name, toolNames) }
  return keep(sealOwn(call), SLOT, SLOT, hints, wire, (part) => encodeLegacyCall(part, undefined, silent))
}

/** Whether a call came without an id, and so goes out without one. */
export function isLegacy(call: ToolCallPart): boolean {
  return hintsFor(call, SLOT)['wireType'] === 'function_call'
}

/** Writes a call of the time before tools. */
export function encodeLegacyCall(call: ToolCallPart, at: Path | undefined, encoding: Encoding): JsonObject {
  reportBare(call, at, encoding)
  const name = writeName(call.name, hintsFor(call, SLOT), toolNames, below(at, 'name'), encoding)
  return applyResidue({ name, arguments: argumentsText(call) }, call, SLOT)
}
