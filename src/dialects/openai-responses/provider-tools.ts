import { stringifyArguments, parseArguments } from '../../canonical/build/call-arguments.ts'
import type { AssistantPart, ToolCallPart, ToolResultPart } from '../../canonical/model/part.ts'
import { isObject, type Json, type JsonObject, readStringOrEmpty, isNonEmptyString } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { applyResidue, getHints, attachResidue } from '../engine/residue-slots.ts'
import { DIALECT_SLOT } from './constants.ts'
import { encodeProviderResult, decodeProviderResult } from './provider-results.ts'
import { reportUnsupportedFields } from '../shared/unsupported-fields.ts'
import type { OpenAIResponsesHints } from './hints.ts'

/** The item type for calls of a tool that the provider defines. */
interface ProviderCallRow {
  /** The key of the call id; results of the application refer to `call_id`. */
  readonly id: 'id' | 'call_id'
  /** The key that contains the arguments, or the keys that are the arguments. */
  readonly nested?: string
  readonly keys?: readonly string[]
  /** True if the provider runs the call. */
  readonly isProviderRun: boolean | ((wire: JsonObject) => boolean)
  readonly hasNoStatus?: true
}

const isInContainer = ({ environment }: JsonObject): boolean =>
  isObject(environment) && environment['type'] === 'container_reference'
const isServerSearch = ({ execution }: JsonObject): boolean => execution !== 'client'

const providerCallRows: ReadonlyMap<unknown, ProviderCallRow> = new Map<unknown, ProviderCallRow>([
  ['web_search_call', { id: 'id', nested: 'action', isProviderRun: true }],
  ['file_search_call', { id: 'id', keys: ['queries'], isProviderRun: true }],
  ['code_interpreter_call', { id: 'id', keys: ['code'], isProviderRun: true }],
  ['image_generation_call', { id: 'id', keys: ['revised_prompt'], isProviderRun: true }],
  ['mcp_list_tools', { id: 'id', keys: ['server_label'], isProviderRun: true, hasNoStatus: true }],
  ['computer_call', { id: 'call_id', keys: ['action', 'actions'], isProviderRun: false }],
  ['local_shell_call', { id: 'call_id', nested: 'action', isProviderRun: false }],
  ['shell_call', { id: 'call_id', nested: 'action', isProviderRun: isInContainer }],
  ['apply_patch_call', { id: 'call_id', nested: 'operation', isProviderRun: false }],
  ['tool_search_call', { id: 'call_id', nested: 'arguments', isProviderRun: isServerSearch }],
  ['program', { id: 'call_id', keys: ['code'], isProviderRun: true, hasNoStatus: true }],
])

/** Returns the name of the tool that an item type calls. */
function getToolName(type: string): string {
  return type.replace(/_call$/, '')
}

/** Decodes a call of a tool that the provider defines, and its result if the item contains one. */
export function decodeProviderCall(
  wire: JsonObject,
  neighborHints: OpenAIResponsesHints,
): readonly AssistantPart[] | undefined {
  const decoded = readNamedCall(wire) ?? readRow(wire)
  if (decoded === undefined) return undefined
  const { call, hints } = decoded
  const result = call.executedBy === 'provider' ? decodeProviderResult(wire, call.id) : undefined
  const allHints = { ...neighborHints, ...hints }
  const callWithResidue = attachResidue(call, DIALECT_SLOT, allHints, wire, (part) =>
    encodeProviderCall(part, result, undefined, noReport),
  )
  return result === undefined ? [callWithResidue] : [callWithResidue, result]
}

interface DecodedCall {
  readonly call: ToolCallPart
  readonly hints: OpenAIResponsesHints
}

/** Decodes a call with a name and arguments as text: calls of MCP tools, and all provider calls of some hosts. */
function readNamedCall({ type, id, name, arguments: text }: JsonObject): DecodedCall | undefined {
  const isCallType = typeof type === 'string' && (type.endsWith('_call') || type === 'mcp_approval_request')
  if (!isCallType || type === 'function_call') return undefined
  if (!isNonEmptyString(id) || !isNonEmptyString(name) || typeof text !== 'string') return undefined
  const call: ToolCallPart = { type: 'tool-call', id, name, ...parseArguments(text), executedBy: 'provider' }
  return { call, hints: { wireType: type, hasNameAndArguments: true } }
}

function readRow(wire: JsonObject): DecodedCall | undefined {
  const { type } = wire
  const row = providerCallRows.get(type)
  if (row === undefined || typeof type !== 'string') return undefined
  const key = isNonEmptyString(wire[row.id]) ? row.id : 'id'
  const id = wire[key]
  const isProviderRun = typeof row.isProviderRun === 'boolean' ? row.isProviderRun : row.isProviderRun(wire)
  // A call that the provider runs can be in progress before its arguments are known.
  const defaultArguments: JsonObject | undefined = isProviderRun ? {} : undefined
  const callArguments =
    row.nested === undefined ? pickFields(wire, row.keys) : (wire[row.nested] ?? defaultArguments)
  if (!isNonEmptyString(id) || !isObject(callArguments)) return undefined
  const call: ToolCallPart = {
    type: 'tool-call',
    id,
    name: getToolName(type),
    arguments: callArguments,
    ...(isProviderRun && { executedBy: 'provider' }),
  }
  return { call, hints: { wireType: type, ...(key !== row.id && { idField: key }) } }
}

/** Returns the key of an item's input if that is free text instead of JSON. */
export function getFreeTextKey(item: Json | undefined): 'input' | 'code' | undefined {
  const type = isObject(item) ? item['type'] : undefined
  if (type === 'custom_tool_call') return 'input'
  return type === 'code_interpreter_call' ? 'code' : undefined
}

function pickFields(wire: JsonObject, keys: readonly string[] = []): JsonObject {
  return Object.fromEntries(keys.flatMap((key) => (wire[key] === undefined ? [] : [[key, wire[key]]])))
}

/** Returns the item type of a call of a tool that the provider defines; undefined for any other call. */
export function getProviderItemType(call: ToolCallPart): string | undefined {
  const { wireType: type, hasNameAndArguments } = getHints(call, DIALECT_SLOT)
  const isProviderItem = hasNameAndArguments === true || providerCallRows.has(type)
  return typeof type === 'string' && isProviderItem ? type : undefined
}

/** Returns true if a part is the result of the call, and both were in one item. */
export function isResultInCallItem(part: AssistantPart, call: ToolCallPart): part is ToolResultPart {
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
  const type = readStringOrEmpty(hints['wireType'])
  const row = providerCallRows.get(type)
  const resultFields = encodeProviderResult(type, result, paths?.result, context)
  if (row === undefined || hints['hasNameAndArguments'] === true) {
    const made = { type, id: call.id, name: call.name, arguments: stringifyArguments(call), ...resultFields }
    return applyResidue(made, call, DIALECT_SLOT)
  }
  const { keys, nested } = row
  const callArguments = call.arguments ?? {}
  if (call.invalidArguments !== undefined) context.report('no-field', child(paths?.call, 'invalidArguments'))
  if (call.name !== getToolName(type)) context.report('no-field', child(paths?.call, 'name'))
  for (const key of keys === undefined ? [] : Object.keys(callArguments)) {
    if (!keys?.includes(key)) context.report('no-field', child(child(paths?.call, 'arguments'), key))
  }
  const made = {
    type,
    [hints['idField'] === 'id' ? 'id' : row.id]: call.id,
    ...(nested === undefined ? pickFields(callArguments, keys) : { [nested]: callArguments }),
    ...(row.hasNoStatus !== true && { status: 'completed' }),
    ...resultFields,
  }
  return applyResidue(made, call, DIALECT_SLOT)
}
