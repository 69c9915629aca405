import { parseArguments, stringifyArguments } from '../../canonical/build/call-arguments.ts'
import { attachSignature } from '../../canonical/build/parts.ts'
import type { ToolCallPart } from '../../canonical/model/part.ts'
import { checkAndFreezePart } from '../../canonical/shape/part.ts'
import { applyResidue, attachResidue } from '../../dialects/engine/residue-slots.ts'
import { getOwnValue, isObject, itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { LANGCHAIN_SLOT } from './constants.ts'

/** The key of `additional_kwargs` under which Gemini's integration keeps the thought signatures of calls by id. */
export const GEMINI_SIGNATURES = '__gemini_function_call_thought_signatures__'

/** The name of a call that has none. */
const UNNAMED = 'unknown'

/** Reads the calls of a message: `tool_calls` and `invalid_tool_calls`, or those of old messages in `additional_kwargs`. */
export function readCalls(data: JsonObject, path: Path): readonly ToolCallPart[] {
  const kwargs = isObject(data['additional_kwargs']) ? data['additional_kwargs'] : {}
  const calls = [
    ...itemsOf(data['tool_calls']).map((wire, index) =>
      readEntry(wire, child(child(path, 'tool_calls'), index)),
    ),
    ...itemsOf(data['invalid_tool_calls']).map((wire, index) =>
      readEntry(wire, child(child(path, 'invalid_tool_calls'), index)),
    ),
  ].filter((call) => call !== undefined)
  const found = calls.length > 0 ? calls : readOldCalls(kwargs, child(path, 'additional_kwargs'))
  const signatures = kwargs[GEMINI_SIGNATURES]
  return found.map((call) => {
    const value = isObject(signatures) ? getOwnValue(signatures, call.id) : undefined
    return typeof value === 'string' ? attachSignature(call, { vendor: 'google', value }) : call
  })
}

/** Reads one entry; arguments that are a text are those of an invalid call. */
function readEntry(wire: Json, path: Path): ToolCallPart | undefined {
  if (!isObject(wire)) return undefined
  const entry = wire
  const { id, name, args } = entry
  const part: ToolCallPart = {
    type: 'tool-call',
    id: typeof id === 'string' && id !== '' ? id : `call_${path.key}`,
    name: typeof name === 'string' && name !== '' ? name : UNNAMED,
    ...(isObject(args)
      ? { arguments: args }
      : { invalidArguments: typeof args === 'string' ? args : JSON.stringify(args ?? null) }),
  }
  return attachResidue(checkAndFreezePart(part, path), LANGCHAIN_SLOT, {}, entry, writeCallEntry)
}

/** Reads the calls of OpenAI that messages before `tool_calls` had: a list, or one function call without an id. */
function readOldCalls(kwargs: JsonObject, path: Path): readonly ToolCallPart[] {
  const calls = itemsOf(kwargs['tool_calls']).flatMap((wire, index): readonly ToolCallPart[] => {
    const called = isObject(wire) ? wire['function'] : undefined
    if (!isObject(wire) || !isObject(called)) return []
    const { name, arguments: given } = called
    const id = wire['id']
    const part = {
      type: 'tool-call',
      id: typeof id === 'string' && id !== '' ? id : `call_${index}`,
      name: name as string,
      ...parseArguments(typeof given === 'string' ? given : ''),
    } as const
    return [checkAndFreezePart<ToolCallPart>(part, child(child(path, 'tool_calls'), index))]
  })
  const single = kwargs['function_call']
  if (calls.length > 0 || !isObject(single)) return calls
  const { name, arguments: given } = single
  const part = {
    type: 'tool-call',
    id: toFunctionId(name),
    name: name as string,
    ...parseArguments(typeof given === 'string' ? given : ''),
  } as const
  return [checkAndFreezePart<ToolCallPart>(part, child(path, 'function_call'))]
}

/** Returns the id of a call before calls had ids: a function message has only the name of its function. */
export function toFunctionId(name: Json | undefined): string {
  return `function_${typeof name === 'string' ? name : UNNAMED}`
}

/** Writes an entry of `tool_calls`, or of `invalid_tool_calls` for a call whose arguments are invalid. */
export function writeCallEntry(call: ToolCallPart): JsonObject {
  const { id, name, invalidArguments } = call
  const entry =
    invalidArguments === undefined
      ? { name, args: call.arguments ?? {}, id, type: 'tool_call' }
      : { name, args: invalidArguments, id, error: 'Malformed args.', type: 'invalid_tool_call' }
  return applyResidue(entry, call, LANGCHAIN_SLOT)
}

/** Writes a call as OpenAI has it, for messages whose `additional_kwargs` repeat their calls. */
export function writeOpenaiCall(call: ToolCallPart): JsonObject {
  const { id, name } = call
  return { id, type: 'function', function: { name, arguments: stringifyArguments(call) } }
}
