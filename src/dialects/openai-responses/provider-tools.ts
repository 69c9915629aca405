import { stringifyArguments, parseArguments } from '../../canonical/build/call-arguments.ts'
import type { AssistantPart, ToolCallPart, ToolResultPart } from '../../canonical/model/part.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { applyResidue, getHints, hintsIn, attachResidue } from '../engine/residue-slots.ts'
import { DIALECT_SLOT } from './constants.ts'
import { encodeProviderResult, decodeProviderResult } from './provider-results.ts'
import { toStringOrEmpty } from '../shared/read-wire.ts'
import { reportUnsupportedFields } from '../shared/unsupported-fields.ts'
import type { OpenAIResponsesHint } from './hints.ts'

/** How an item tells a call of a tool whose form the provider sets. */
interface ProviderCallRow {
  readonly name: string
  /** The key of the call's id; answers refer to `call_id`. */
  readonly id: 'id' | 'call_id'
  /** The key that holds the arguments, or the keys that are the arguments. */
  readonly nested?: string
  readonly keys?: readonly string[]
  /** Whether the provider runs it. */
  readonly isProviderRun: (wire: JsonObject) => boolean
  readonly hasNoStatus?: true
}

const always = (): boolean => true
const never = (): boolean => false
const isInContainer = ({ environment }: JsonObject): boolean =>
  isObject(environment) && environment['type'] === 'container_reference'

const providerCallRows: { readonly [type: string]: ProviderCallRow } = {
  web_search_call: { name: 'web_search', id: 'id', nested: 'action', isProviderRun: always },
  file_search_call: { name: 'file_search', id: 'id', keys: ['queries'], isProviderRun: always },
  code_interpreter_call: {
    name: 'code_interpreter',
    id: 'id',
    keys: ['code'],
    isProviderRun: always,
  },
  image_generation_call: {
    name: 'image_generation',
    id: 'id',
    keys: ['revised_prompt'],
    isProviderRun: always,
  },
  mcp_list_tools: {
    name: 'mcp_list_tools',
    id: 'id',
    keys: ['server_label'],
    isProviderRun: always,
    hasNoStatus: true,
  },
  computer_call: { name: 'computer', id: 'call_id', keys: ['action', 'actions'], isProviderRun: never },
  local_shell_call: { name: 'local_shell', id: 'call_id', nested: 'action', isProviderRun: never },
  shell_call: { name: 'shell', id: 'call_id', nested: 'action', isProviderRun: isInContainer },
  apply_patch_call: { name: 'apply_patch', id: 'call_id', nested: 'operation', isProviderRun: never },
  tool_search_call: {
    name: 'tool_search',
    id: 'call_id',
    nested: 'arguments',
    isProviderRun: ({ execution }) => execution !== 'client',
  },
  program: { name: 'program', id: 'call_id', keys: ['code'], isProviderRun: always, hasNoStatus: true },
}

function findRow(type: unknown): ProviderCallRow | undefined {
  return typeof type === 'string' && Object.hasOwn(providerCallRows, type)
    ? providerCallRows[type]
    : undefined
}

/** Reads a call whose form the provider sets, and what it gave if the item says it. */
export function decodeProviderCall(
  wire: JsonObject,
  given: Hints<OpenAIResponsesHint>,
): readonly AssistantPart[] | undefined {
  const read = readNamedCall(wire) ?? readRow(wire)
  if (read === undefined) return undefined
  const { call, hints } = read
  const result = call.executedBy === 'provider' ? decodeProviderResult(wire, call.id) : undefined
  const kept = attachResidue(call, DIALECT_SLOT, DIALECT_SLOT, { ...given, ...hints }, wire, (part) =>
    encodeProviderCall(part, result, undefined, noReport),
  )
  return result === undefined ? [kept] : [kept, result]
}

interface DecodedCall {
  readonly call: ToolCallPart
  readonly hints: Hints<OpenAIResponsesHint>
}

/** Calls of other servers' tools have a name and arguments as text; so do all calls of some hosts. */
function readNamedCall({ type, id, name, arguments: text }: JsonObject): DecodedCall | undefined {
  const fits = typeof type === 'string' && (type.endsWith('_call') || type === 'mcp_approval_request')
  if (!fits || type === 'function_call' || typeof id !== 'string' || id === '') return undefined
  if (typeof name !== 'string' || name === '' || typeof text !== 'string') return undefined
  const call: ToolCallPart = { type: 'tool-call', id, name, ...parseArguments(text), executedBy: 'provider' }
  return { call, hints: { wireType: type, hasNameAndArguments: true } }
}

function readRow(wire: JsonObject): DecodedCall | undefined {
  const row = findRow(wire['type'])
  if (row === undefined) return undefined
  const key = isId(wire[row.id]) ? row.id : 'id'
  const id = wire[key]
  const hosted = row.isProviderRun(wire)
  // What the provider runs may be under way before it is known what it is given.
  const unknown: JsonObject | undefined = hosted ? {} : undefined
  const given = row.nested === undefined ? pickFields(wire, row.keys ?? []) : (wire[row.nested] ?? unknown)
  if (!isId(id) || !isObject(given)) return undefined
  const call: ToolCallPart = {
    type: 'tool-call',
    id,
    name: row.name,
    arguments: given,
    ...(hosted && { executedBy: 'provider' }),
  }
  const hints = hintsIn(DIALECT_SLOT, {
    wireType: wire['type'] as string,
    ...(key !== row.id && { idField: key }),
  })
  return { call, hints }
}

/** The key of what an item's call is given, where that is free text and not JSON. */
export function getFreeTextKey(item: Json | undefined): 'input' | 'code' | undefined {
  const type = isObject(item) ? item['type'] : undefined
  if (type === 'custom_tool_call') return 'input'
  return type === 'code_interpreter_call' ? 'code' : undefined
}

function isId(value: Json | undefined): value is string {
  return typeof value === 'string' && value !== ''
}

function pickFields(wire: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(keys.flatMap((key) => (wire[key] === undefined ? [] : [[key, wire[key]]])))
}

/** The kind of item that a call came in, where the provider sets its form. */
export function getProviderItemType(call: ToolCallPart): string | undefined {
  const { wireType: kind, hasNameAndArguments } = getHints(call, DIALECT_SLOT)
  return typeof kind === 'string' && (hasNameAndArguments === true || findRow(kind) !== undefined)
    ? kind
    : undefined
}

/** Whether a part is what the call before it gave, told in the same item. */
export function isOwnResult(part: AssistantPart, call: ToolCallPart): part is ToolResultPart {
  return (
    part.type === 'tool-result' &&
    part.callId === call.id &&
    getHints(part, DIALECT_SLOT)['resultInCallItem'] === true
  )
}

/** Writes a call whose form the provider sets, with what it gave. */
export function encodeProviderCall(
  call: ToolCallPart,
  result: ToolResultPart | undefined,
  at: { readonly call: Path | undefined; readonly result: Path | undefined } | undefined,
  context: EncodeContext,
): JsonObject {
  reportUnsupportedFields(call, at?.call, context)
  const hints = getHints(call, DIALECT_SLOT)
  const type = toStringOrEmpty(hints['wireType'])
  const row = findRow(type)
  const outcome = encodeProviderResult(type, result, at?.result, context)
  if (row === undefined || hints['hasNameAndArguments'] === true) {
    const made = { type, id: call.id, name: call.name, arguments: stringifyArguments(call), ...outcome }
    return applyResidue(made, call, DIALECT_SLOT)
  }
  const place = child(at?.call, 'arguments')
  if (call.invalidArguments !== undefined) context.report('no-field', child(at?.call, 'invalidArguments'))
  if (call.name !== row.name) context.report('no-field', child(at?.call, 'name'))
  const given = call.arguments ?? {}
  for (const key of row.keys === undefined ? [] : Object.keys(given)) {
    if (!row.keys?.includes(key)) context.report('no-field', child(place, key))
  }
  const made = {
    type,
    [hints['idField'] === 'id' ? 'id' : row.id]: call.id,
    ...(row.nested === undefined ? pickFields(given, row.keys ?? []) : { [row.nested]: given }),
    ...(row.hasNoStatus !== true && { status: 'completed' }),
    ...outcome,
  }
  return applyResidue(made, call, DIALECT_SLOT)
}
