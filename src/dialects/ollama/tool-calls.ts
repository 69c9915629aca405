import { OpenCalls } from '../shared/open-calls.ts'
import { stringifyArguments } from '../../canonical/build/call-arguments.ts'
import type { ToolCallPart } from '../../canonical/model/part.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import type { Path } from '../../wire/json-pointer.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import type { CallIdGenerator } from '../shared/call-ids.ts'
import { applyResidue, getHints, attachResidue } from '../engine/residue-slots.ts'
import { reportUnsupportedFields } from '../shared/unsupported-fields.ts'
import { decodeArguments, encodeObjectArguments } from '../shared/tool-arguments.ts'
import { DIALECT_SLOT } from './constants.ts'
import type { OllamaSlot } from './hints.ts'

/** Decodes the tool calls of a message after `callCount` others; none if one of them is invalid. */
export function decodeToolCalls(
  wire: Json | undefined,
  slot: OllamaSlot,
  ids: CallIdGenerator,
  callCount = 0,
): readonly ToolCallPart[] {
  if (!Array.isArray(wire)) return []
  const calls = wire.map((call: Json, index) => decodeCall(call, callCount + index, slot, ids))
  return calls.every((call) => call !== undefined) ? calls : []
}

function decodeCall(
  wire: Json,
  index: number,
  slot: OllamaSlot,
  ids: CallIdGenerator,
): ToolCallPart | undefined {
  const functionCall = isObject(wire) ? wire['function'] : undefined
  if (!isObject(wire) || !isObject(functionCall)) return undefined
  const { name, arguments: wireArguments, index: wireIndex } = functionCall
  const callArguments = decodeArguments(wireArguments)
  if (typeof name !== 'string' || name === '' || callArguments === undefined) return undefined
  const { id: wireId } = wire
  const hasId = typeof wireId === 'string' && wireId !== ''
  if (hasId) ids.recordId(wireId)
  const id = hasId ? wireId : ids.next(name, stringifyArguments(callArguments))
  const call: ToolCallPart = { type: 'tool-call', id, name, ...callArguments }
  const hints = {
    ...(wireIndex === index && { hasIndex: true }),
    ...(typeof wireArguments === 'string' && { argumentsAsTextIn: slot }),
  }
  const encode = (part: ToolCallPart): JsonObject => encodeToolCall(part, index, undefined, noReport, slot)
  return attachResidue(call, slot, hints, wire, encode, { hintSlot: DIALECT_SLOT })
}

/** Encodes a call of a tool that the application executes. */
export function encodeToolCall(
  call: ToolCallPart,
  index: number,
  path: Path | undefined,
  context: EncodeContext,
  slot: OllamaSlot,
): JsonObject {
  reportUnsupportedFields(call, path, context)
  const hints = getHints(call, DIALECT_SLOT)
  const indexField = hints['hasIndex'] === true ? { index } : {}
  // Some hosts send arguments as a string and get a string again.
  const wireArguments =
    hints['argumentsAsTextIn'] === slot
      ? stringifyArguments(call)
      : encodeObjectArguments(call, path, context)
  const body = { ...indexField, name: call.name, arguments: wireArguments }
  return applyResidue({ id: call.id, function: body }, call, slot)
}

/** The tool calls of a conversation: their names, and which of them have no result yet. */
export class CallRegister {
  readonly #names = new Map<string, string>()
  readonly #open = new OpenCalls()

  addCall({ id, name }: ToolCallPart): void {
    this.#names.set(id, name)
    this.#open.add({ id, name })
  }

  closeCall(id: string): void {
    const call = this.#open.findById(id)
    if (call !== undefined) this.#open.close(call)
  }

  getName(id: string): string | undefined {
    return this.#names.get(id)
  }

  /** Returns the id of the oldest open call of a name, else of the oldest open call. */
  findOldest(name: Json | undefined): string | undefined {
    const named = typeof name === 'string' ? this.#open.findByName(name) : undefined
    return (named ?? this.#open.findOldest())?.id
  }
}
