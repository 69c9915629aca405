import { argumentsText } from '../../canonical/build/arguments.ts'
import type { ToolCallPart } from '../../canonical/model/part.ts'
import type { Json, JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import { type Encoding, silent } from '../encoding.ts'
import { givenArguments, givenInput } from '../shared/given-arguments.ts'
import { idHint, writeId } from '../shared/ids.ts'
import { nameHint, writeName } from '../shared/names.ts'
import { asSpoken } from '../shared/restored.ts'
import { applyResidue, hintsFor, keep } from '../unit.ts'
import { reportBare } from '../shared/bare.ts'
import { idRule, SLOT, toolNames } from './codes.ts'
import type { OpenAIResponsesHint } from './hints.ts'

type Wire = { readonly [key: string]: Json }

/** Reads a call of one of the application's tools: arguments, or free text. */
export function decodeCall(wire: Wire, given: Hints<OpenAIResponsesHint>): ToolCallPart | undefined {
  const { type, call_id: id, name, arguments: text, input } = wire
  if (typeof id !== 'string' || id === '' || typeof name !== 'string' || name === '') return undefined
  const custom = type === 'custom_tool_call'
  const fields = custom ? givenInput(input) : givenArguments(text)
  if (fields === undefined) return undefined
  const hints = {
    ...given,
    ...(custom && { wireType: type }),
    ...idHint(id, idRule),
    ...nameHint(name, toolNames),
  }
  const call: ToolCallPart = { type: 'tool-call', id, name, ...fields }
  return keep(call, SLOT, SLOT, hints, wire, (part) => encodeCall(part, undefined, silent, 'request'))
}

/** Writes a call of one of the application's tools. */
export function encodeCall(
  call: ToolCallPart,
  at: Path | undefined,
  encoding: Encoding,
  side: 'request' | 'response',
): JsonObject {
  reportBare(call, at, encoding)
  const hints = hintsFor(call, SLOT)
  const name = writeName(call.name, hints, toolNames, below(at, 'name'), encoding)
  // Who reads an answer takes any id.
  const id = side === 'request' ? writeId(call.id, hints, idRule, below(at, 'id'), encoding) : call.id
  const input = isCustom(call) ? call.arguments?.['input'] : undefined
  const made =
    input !== undefined
      ? { type: 'custom_tool_call', call_id: id, name, input }
      : { type: 'function_call', call_id: id, name, arguments: argumentsText(asSpoken(call, SLOT)) }
  return applyResidue(made, call, SLOT)
}

/** Whether a call came as one of a custom tool, and still is nothing but its text. */
export function isCustom(call: ToolCallPart): boolean {
  if (hintsFor(call, SLOT)['wireType'] !== 'custom_tool_call') return false
  const { input, ...others } = call.arguments ?? {}
  return typeof input === 'string' && Object.keys(others).length === 0
}
