import type { ToolCallPart } from '../../canonical/model/part.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import type { Path } from '../../wire/pointer.ts'
import { type Encoding, silent } from '../encoding.ts'
import type { CallIds } from '../shared/call-ids.ts'
import { applyResidue, hintsFor, keep } from '../unit.ts'
import { reportBare } from '../shared/bare.ts'
import { objectArguments } from '../shared/object-arguments.ts'
import { SLOT } from './codes.ts'

/** Reads the calls of a message; none when there is one that we cannot take apart. `before` is how many came earlier. */
export function decodeCalls(
  wire: Json | undefined,
  slot: string,
  ids: CallIds,
  before = 0,
): readonly ToolCallPart[] {
  if (!Array.isArray(wire) || !wire.every(isCall)) return []
  return wire.map((call, index) => decodeCall(call, before + index, slot, ids))
}

type WireCall = JsonObject & { readonly function: { readonly name: string; readonly arguments: JsonObject } }

function isCall(wire: unknown): wire is WireCall {
  const called = isObject(wire) ? wire['function'] : undefined
  return (
    isObject(called) &&
    typeof called['name'] === 'string' &&
    called['name'] !== '' &&
    isObject(called['arguments'])
  )
}

function decodeCall(wire: WireCall, index: number, slot: string, ids: CallIds): ToolCallPart {
  const { id, function: called } = wire
  const { name, arguments: given } = called
  const call: ToolCallPart = { type: 'tool-call', id: idOf(id, called, ids), name, arguments: given }
  const hints = (called as JsonObject)['index'] === index ? { index: true } : {}
  return keep(call, SLOT, slot, hints, wire, (part) => encodeCall(part, index, undefined, silent, slot))
}

function idOf(id: Json | undefined, { name, arguments: given }: WireCall['function'], ids: CallIds): string {
  if (typeof id !== 'string' || id === '') return ids.next(name, JSON.stringify(given))
  ids.saw(id)
  return id
}

/** Writes a call of the application's tools. */
export function encodeCall(
  call: ToolCallPart,
  index: number,
  at: Path | undefined,
  encoding: Encoding,
  slot: string,
): JsonObject {
  reportBare(call, at, encoding)
  const position = hintsFor(call, SLOT)['index'] === true ? { index } : {}
  const given = objectArguments(call, at, encoding)
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
