import { argumentsText, type CallArguments } from '../../canonical/build/arguments.ts'
import type { ToolCallPart } from '../../canonical/model/part.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import type { Path } from '../../wire/pointer.ts'
import { type Encoding, silent } from '../encoding.ts'
import type { CallIds } from '../shared/call-ids.ts'
import { applyResidue, hintsFor, keep, type Slot } from '../unit.ts'
import { reportBare } from '../shared/bare.ts'
import { givenArguments } from '../shared/given-arguments.ts'
import { objectArguments } from '../shared/object-arguments.ts'
import { SLOT } from './codes.ts'
import type { OllamaHint } from './hints.ts'

/** Reads the calls of a message; none when there is one that we cannot take apart. `before` is how many came earlier. */
export function decodeCalls(
  wire: Json | undefined,
  slot: Slot<OllamaHint>,
  ids: CallIds,
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
  ids: CallIds,
): ToolCallPart | undefined {
  const called = isObject(wire) ? wire['function'] : undefined
  if (!isObject(wire) || !isObject(called)) return undefined
  const { name, arguments: said, index: position } = called
  const given = givenArguments(said)
  if (typeof name !== 'string' || name === '' || given === undefined) return undefined
  const call: ToolCallPart = { type: 'tool-call', id: idOf(wire['id'], name, given, ids), name, ...given }
  const hints = {
    ...(position === index && { hasIndex: true }),
    ...(typeof said === 'string' && { argumentsAsTextIn: slot }),
  }
  return keep(call, SLOT, slot, hints, wire, (part) => encodeCall(part, index, undefined, silent, slot))
}

function idOf(id: Json | undefined, name: string, given: CallArguments, ids: CallIds): string {
  if (typeof id !== 'string' || id === '') return ids.next(name, argumentsText(given))
  ids.saw(id)
  return id
}

/** Writes a call of the application's tools. */
export function encodeCall(
  call: ToolCallPart,
  index: number,
  at: Path | undefined,
  encoding: Encoding,
  slot: Slot<OllamaHint>,
): JsonObject {
  reportBare(call, at, encoding)
  const hints = hintsFor(call, SLOT)
  const position = hints['hasIndex'] === true ? { index } : {}
  // Some hosts have them as text, and say so again to whoever reads them.
  const given =
    hints['argumentsAsTextIn'] === slot ? argumentsText(call) : objectArguments(call, at, encoding)
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

  called({ id, name }: ToolCallPart): void {
    this.#names.set(id, name)
    this.#open.add(id)
  }

  answered(id: string): void {
    this.#open.delete(id)
  }

  nameOf(id: string): string | undefined {
    return this.#names.get(id)
  }

  /** The oldest call of a name that waits, else the oldest of all. */
  oldest(name: Json | undefined): string | undefined {
    const open = [...this.#open]
    return open.find((id) => this.#names.get(id) === name) ?? open[0]
  }
}
