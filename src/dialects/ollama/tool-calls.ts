import { stringifyArguments, type CallArguments } from '../../canonical/build/call-arguments.ts'
import type { ToolCallPart } from '../../canonical/model/part.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import type { Path } from '../../wire/json-pointer.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import type { CallIdGenerator } from '../shared/call-ids.ts'
import { applyResidue, getHints, attachResidue, type Slot } from '../engine/residue-slots.ts'
import { reportUnsupportedFields } from '../shared/unsupported-fields.ts'
import { decodeArguments, encodeObjectArguments } from '../shared/tool-arguments.ts'
import { DIALECT_SLOT } from './constants.ts'
import type { OllamaHint } from './hints.ts'

/** Reads the calls of a message; none when there is one that we cannot take apart. `before` is how many came earlier. */
export function decodeToolCalls(
  wire: Json | undefined,
  slot: Slot<OllamaHint>,
  ids: CallIdGenerator,
  before = 0,
): readonly ToolCallPart[] {
  if (!Array.isArray(wire)) return []
  const calls = wire.map((call: Json, index) => decodeCall(call, before + index, slot, ids))
  return calls.every((call) => call !== undefined) ? calls : []
}

function decodeCall(
  wire: Json,
  index: number,
  slot: Slot<OllamaHint>,
  ids: CallIdGenerator,
): ToolCallPart | undefined {
  const called = isObject(wire) ? wire['function'] : undefined
  if (!isObject(wire) || !isObject(called)) return undefined
  const { name, arguments: said, index: position } = called
  const given = decodeArguments(said)
  if (typeof name !== 'string' || name === '' || given === undefined) return undefined
  const call: ToolCallPart = {
    type: 'tool-call',
    id: getCallId(wire['id'], name, given, ids),
    name,
    ...given,
  }
  const hints = {
    ...(position === index && { hasIndex: true }),
    ...(typeof said === 'string' && { argumentsAsTextIn: slot }),
  }
  return attachResidue(call, DIALECT_SLOT, slot, hints, wire, (part) =>
    encodeToolCall(part, index, undefined, noReport, slot),
  )
}

function getCallId(id: Json | undefined, name: string, given: CallArguments, ids: CallIdGenerator): string {
  if (typeof id !== 'string' || id === '') return ids.next(name, stringifyArguments(given))
  ids.noteId(id)
  return id
}

/** Writes a call of the application's tools. */
export function encodeToolCall(
  call: ToolCallPart,
  index: number,
  path: Path | undefined,
  context: EncodeContext,
  slot: Slot<OllamaHint>,
): JsonObject {
  reportUnsupportedFields(call, path, context)
  const hints = getHints(call, DIALECT_SLOT)
  const position = hints['hasIndex'] === true ? { index } : {}
  // Some hosts have them as text, and say so again to whoever reads them.
  const given =
    hints['argumentsAsTextIn'] === slot
      ? stringifyArguments(call)
      : encodeObjectArguments(call, path, context)
  return applyResidue(
    { id: call.id, function: { ...position, name: call.name, arguments: given } },
    call,
    slot,
  )
}

/** The calls of a conversation: their names, and which of them wait for a result. */
export class OpenCalls {
  readonly #names = new Map<string, string>()
  readonly #open = new Set<string>()

  addCall({ id, name }: ToolCallPart): void {
    this.#names.set(id, name)
    this.#open.add(id)
  }

  closeCall(id: string): void {
    this.#open.delete(id)
  }

  getName(id: string): string | undefined {
    return this.#names.get(id)
  }

  /** The oldest call of a name that waits, else the oldest of all. */
  findOldest(name: Json | undefined): string | undefined {
    const open = [...this.#open]
    return open.find((id) => this.#names.get(id) === name) ?? open[0]
  }
}
