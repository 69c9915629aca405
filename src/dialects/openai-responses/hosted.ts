import { argumentsText, readArguments } from '../../canonical/build/arguments.ts'
import type { AssistantPart, ToolCallPart, ToolResultPart } from '../../canonical/model/part.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import { type Encoding, silent } from '../encoding.ts'
import { applyResidue, hintsFor, hintsIn, keep } from '../unit.ts'
import { SLOT } from './codes.ts'
import { encodeOutcome, decodeOutcome } from './outcomes.ts'
import { wordOf } from '../shared/wire-text.ts'
import { reportBare } from '../shared/bare.ts'
import type { OpenAIResponsesHint } from './hints.ts'

type Wire = { readonly [key: string]: Json }

/** How an item tells a call of a tool whose form the provider sets. */
interface Row {
  readonly name: string
  /** The key of the call's id; answers refer to `call_id`. */
  readonly id: 'id' | 'call_id'
  /** The key that holds the arguments, or the keys that are the arguments. */
  readonly nested?: string
  readonly keys?: readonly string[]
  /** Whether the provider runs it. */
  readonly hosted: (wire: Wire) => boolean
  readonly stateless?: true
}

const always = (): boolean => true
const never = (): boolean => false
const inContainer = ({ environment }: Wire): boolean =>
  isObject(environment) && environment['type'] === 'container_reference'

const rows: { readonly [type: string]: Row } = {
  web_search_call: { name: 'web_search', id: 'id', nested: 'action', hosted: always },
  file_search_call: { name: 'file_search', id: 'id', keys: ['queries'], hosted: always },
  code_interpreter_call: {
    name: 'code_interpreter',
    id: 'id',
    keys: ['code'],
    hosted: always,
  },
  image_generation_call: { name: 'image_generation', id: 'id', keys: ['revised_prompt'], hosted: always },
  mcp_list_tools: {
    name: 'mcp_list_tools',
    id: 'id',
    keys: ['server_label'],
    hosted: always,
    stateless: true,
  },
  computer_call: { name: 'computer', id: 'call_id', keys: ['action', 'actions'], hosted: never },
  local_shell_call: { name: 'local_shell', id: 'call_id', nested: 'action', hosted: never },
  shell_call: { name: 'shell', id: 'call_id', nested: 'action', hosted: inContainer },
  apply_patch_call: { name: 'apply_patch', id: 'call_id', nested: 'operation', hosted: never },
  tool_search_call: {
    name: 'tool_search',
    id: 'call_id',
    nested: 'arguments',
    hosted: ({ execution }) => execution !== 'client',
  },
  program: { name: 'program', id: 'call_id', keys: ['code'], hosted: always, stateless: true },
}

function rowOf(type: unknown): Row | undefined {
  return typeof type === 'string' && Object.hasOwn(rows, type) ? rows[type] : undefined
}

/** Reads a call whose form the provider sets, and what it gave if the item says it. */
export function decodeHosted(
  wire: Wire,
  given: Hints<OpenAIResponsesHint>,
): readonly AssistantPart[] | undefined {
  const read = readWorded(wire) ?? readRow(wire)
  if (read === undefined) return undefined
  const { call, hints } = read
  const result = call.executedBy === 'provider' ? decodeOutcome(wire, call.id) : undefined
  const kept = keep(call, SLOT, SLOT, { ...given, ...hints }, wire, (part) =>
    encodeHosted(part, result, undefined, silent),
  )
  return result === undefined ? [kept] : [kept, result]
}

interface Read {
  readonly call: ToolCallPart
  readonly hints: Hints<OpenAIResponsesHint>
}

/** Calls of other servers' tools have a name and arguments as text; so do all calls of some hosts. */
function readWorded({ type, id, name, arguments: text }: Wire): Read | undefined {
  const fits = typeof type === 'string' && (type.endsWith('_call') || type === 'mcp_approval_request')
  if (!fits || type === 'function_call' || typeof id !== 'string' || id === '') return undefined
  if (typeof name !== 'string' || name === '' || typeof text !== 'string') return undefined
  const call: ToolCallPart = { type: 'tool-call', id, name, ...readArguments(text), executedBy: 'provider' }
  return { call, hints: { wireType: type, hasNameAndArguments: true } }
}

function readRow(wire: Wire): Read | undefined {
  const row = rowOf(wire['type'])
  if (row === undefined) return undefined
  const key = isId(wire[row.id]) ? row.id : 'id'
  const id = wire[key]
  const hosted = row.hosted(wire)
  // What the provider runs may be under way before it is known what it is given.
  const unknown: JsonObject | undefined = hosted ? {} : undefined
  const given = row.nested === undefined ? picked(wire, row.keys ?? []) : (wire[row.nested] ?? unknown)
  if (!isId(id) || !isObject(given)) return undefined
  const call: ToolCallPart = {
    type: 'tool-call',
    id,
    name: row.name,
    arguments: given,
    ...(hosted && { executedBy: 'provider' }),
  }
  const hints = hintsIn(SLOT, {
    wireType: wire['type'] as string,
    ...(key !== row.id && { idField: key }),
  })
  return { call, hints }
}

/** The key of what an item's call is given, where that is free text and not JSON. */
export function freeKey(item: Json | undefined): 'input' | 'code' | undefined {
  const type = isObject(item) ? item['type'] : undefined
  if (type === 'custom_tool_call') return 'input'
  return type === 'code_interpreter_call' ? 'code' : undefined
}

function isId(value: Json | undefined): value is string {
  return typeof value === 'string' && value !== ''
}

function picked(wire: Wire, keys: readonly string[]): JsonObject {
  return Object.fromEntries(keys.flatMap((key) => (wire[key] === undefined ? [] : [[key, wire[key]]])))
}

/** The kind of item that a call came in, where the provider sets its form. */
export function hostedKind(call: ToolCallPart): string | undefined {
  const { wireType: kind, hasNameAndArguments } = hintsFor(call, SLOT)
  return typeof kind === 'string' && (hasNameAndArguments === true || rowOf(kind) !== undefined)
    ? kind
    : undefined
}

/** Whether a part is what the call before it gave, told in the same item. */
export function isOutcome(part: AssistantPart, call: ToolCallPart): part is ToolResultPart {
  return (
    part.type === 'tool-result' &&
    part.callId === call.id &&
    hintsFor(part, SLOT)['resultInCallItem'] === true
  )
}

/** Writes a call whose form the provider sets, with what it gave. */
export function encodeHosted(
  call: ToolCallPart,
  result: ToolResultPart | undefined,
  at: { readonly call: Path | undefined; readonly result: Path | undefined } | undefined,
  encoding: Encoding,
): JsonObject {
  reportBare(call, at?.call, encoding)
  const hints = hintsFor(call, SLOT)
  const type = wordOf(hints['wireType'])
  const row = rowOf(type)
  const outcome = encodeOutcome(type, result, at?.result, encoding)
  if (row === undefined || hints['hasNameAndArguments'] === true) {
    const made = { type, id: call.id, name: call.name, arguments: argumentsText(call), ...outcome }
    return applyResidue(made, call, SLOT)
  }
  const place = below(at?.call, 'arguments')
  if (call.invalidArguments !== undefined) encoding.lose('no-field', below(at?.call, 'invalidArguments'))
  if (call.name !== row.name) encoding.lose('no-field', below(at?.call, 'name'))
  const given = call.arguments ?? {}
  for (const key of row.keys === undefined ? [] : Object.keys(given)) {
    if (!row.keys?.includes(key)) encoding.lose('no-field', below(place, key))
  }
  const made = {
    type,
    [hints['idField'] === 'id' ? 'id' : row.id]: call.id,
    ...(row.nested === undefined ? picked(given, row.keys ?? []) : { [row.nested]: given }),
    ...(row.stateless !== true && { status: 'completed' }),
    ...outcome,
  }
  return applyResidue(made, call, SLOT)
}
