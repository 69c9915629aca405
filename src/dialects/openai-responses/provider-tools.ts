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

/** The item type for calls of a tool that the provider defines. */
interface ProviderCallRow {
  readonly name: string
  /** The key of the call id; results of the application refer to `call_id`. */
  readonly id: 'id' | 'call_id'
  /** The key that contains the arguments, or the keys that are the arguments. */
  readonly nested?: string
  readonly keys?: readonly string[]
  /** Returns true if the provider runs the call. */
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

/** Decodes a call of a tool that the provider defines, and its result if the item contains one. */
export function decodeProviderCall(
  wire: JsonObject,
  neighborHints: Hints<OpenAIResponsesHint>,
): readonly AssistantPart[] | undefined {
  const decoded = readNamedCall(wire) ?? readRow(wire)
  if (decoded === undefined) return undefined
  const { call, hints } = decoded
  const result = call.executedBy === 'provider' ? decodeProviderResult(wire, call.id) : undefined
  const callWithResidue = attachResidue(
    call,
    DIALECT_SLOT,
    DIALECT_SLOT,
    { ...neighborHints, ...hints },
    wire,
    (part) => encodeProviderCall(part, result, undefined, noReport),
  )
  return result === undefined ? [callWithResidue] : [callWithResidue, result]
}

interface DecodedCall {
  readonly call: ToolCallPart
  readonly hints: Hints<OpenAIResponsesHint>
}

/**
 * Decodes a call with a name and arguments as text: calls of MCP tools, and all provider calls of some hosts.
 */
function readNamedCall({ type, id, name, arguments: text }: JsonObject): DecodedCall | undefined {
  const isCallType = typeof type === 'string' && (type.endsWith('_call') || type === 'mcp_approval_request')
  if (!isCallType || type === 'function_call' || typeof id !== 'string' || id === '') return undefined
  if (typeof name !== 'string' || name === '' || typeof text !== 'string') return undefined
  const call: ToolCallPart = { type: 'tool-call', id, name, ...parseArguments(text), executedBy: 'provider' }
  return { call, hints: { wireType: type, hasNameAndArguments: true } }
}

function readRow(wire: JsonObject): DecodedCall | undefined {
  const row = findRow(wire['type'])
  if (row === undefined) return undefined
  const key = isId(wire[row.id]) ? row.id : 'id'
  const id = wire[key]
  const isProviderRun = row.isProviderRun(wire)
  // A call that the provider runs can be in progress before its arguments are known.
  const defaultArguments: JsonObject | undefined = isProviderRun ? {} : undefined
  const callArguments =
    row.nested === undefined ? pickFields(wire, row.keys ?? []) : (wire[row.nested] ?? defaultArguments)
  if (!isId(id) || !isObject(callArguments)) return undefined
  const call: ToolCallPart = {
    type: 'tool-call',
    id,
    name: row.name,
    arguments: callArguments,
    ...(isProviderRun && { executedBy: 'provider' }),
  }
  const hints = hintsIn(DIALECT_SLOT, {
    wireType: wire['type'] as string,
    ...(key !== row.id && { idField: key }),
  })
  return { call, hints }
}

/** Returns the key of an item's input if that is free text instead of JSON. */
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

/** Returns the item type of a call of a tool that the provider defines; undefined for any other call. */
export function getProviderItemType(call: ToolCallPart): string | undefined {
  const { wireType: kind, hasNameAndArguments } = getHints(call, DIALECT_SLOT)
  return typeof kind === 'string' && (hasNameAndArguments === true || findRow(kind) !== undefined)
    ? kind
    : undefined
}

/** Returns true if a part is the result of the call, and both were in one item. */
export function isOwnResult(part: AssistantPart, call: ToolCallPart): part is ToolResultPart {
  return (
    part.type === 'tool-result' &&
    part.callId === call.id &&
    getHints(part, DIALECT_SLOT)['resultInCallItem'] === true
  )
}

/** Encodes a call of a tool that the provider defines, with its result. */
export function encodeProviderCall(
  call: ToolCallPart,
  result: ToolResultPart | undefined,
  paths: { readonly call: Path | undefined; readonly result: Path | undefined } | undefined,
  context: EncodeContext,
): JsonObject {
  reportUnsupportedFields(call, paths?.call, context)
  const hints = getHints(call, DIALECT_SLOT)
  const type = toStringOrEmpty(hints['wireType'])
  const row = findRow(type)
  const resultFields = encodeProviderResult(type, result, paths?.result, context)
  if (row === undefined || hints['hasNameAndArguments'] === true) {
    const made = { type, id: call.id, name: call.name, arguments: stringifyArguments(call), ...resultFields }
    return applyResidue(made, call, DIALECT_SLOT)
  }
  const argumentsPath = child(paths?.call, 'arguments')
  if (call.invalidArguments !== undefined) context.report('no-field', child(paths?.call, 'invalidArguments'))
  if (call.name !== row.name) context.report('no-field', child(paths?.call, 'name'))
  const callArguments = call.arguments ?? {}
  for (const key of row.keys === undefined ? [] : Object.keys(callArguments)) {
    if (!row.keys?.includes(key)) context.report('no-field', child(argumentsPath, key))
  }
  const made = {
    type,
    [hints['idField'] === 'id' ? 'id' : row.id]: call.id,
    ...(row.nested === undefined
      ? pickFields(callArguments, row.keys ?? [])
      : { [row.nested]: callArguments }),
    ...(row.hasNoStatus !== true && { status: 'completed' }),
    ...resultFields,
  }
  return applyResidue(made, call, DIALECT_SLOT)
}
