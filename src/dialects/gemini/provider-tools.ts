import { stringifyArguments } from '../../canonical/build/call-arguments.ts'
import type { ToolCallPart, ToolResultPart } from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import { describeProviderCall, describeProviderResult } from '../engine/text-fallback.ts'
import type { CallIdResolver } from './call-ids.ts'
import { failedOutcomes } from './constants.ts'
import type { DecodedPart, PartEncodeContext } from './part-context.ts'
import { toCamelCaseKeys } from './key-casing.ts'

/** The canonical name of the tool with which the provider executes code of the model. */
const CODE_EXECUTION = 'code_execution'

/** Decodes code that the provider executed. */
export function decodeCodeExecution(wire: Json, callIds: CallIdResolver): DecodedPart | undefined {
  if (!isObject(wire)) return undefined
  const { id, ...rest } = wire
  const { code } = rest
  if (typeof code !== 'string') return undefined
  const call = callIds.resolveCall(id, CODE_EXECUTION, () => code)
  return {
    part: { type: 'tool-call', id: call, name: CODE_EXECUTION, arguments: rest, executedBy: 'provider' },
    hints: { wireType: 'executableCode' },
  }
}

/** Decodes the result of code that the provider executed. */
export function decodeCodeExecutionResult(wire: Json, callIds: CallIdResolver): DecodedPart | undefined {
  if (!isObject(wire)) return undefined
  const { id, ...rest } = wire
  const callId = callIds.resolveResult(id, CODE_EXECUTION, () => JSON.stringify(rest))
  const failed = failedOutcomes.has(rest['outcome']) ? { isError: true as const } : {}
  return {
    part: { type: 'tool-result', callId, content: [createJsonContent(rest)], ...failed },
    hints: { wireType: 'codeExecutionResult' },
  }
}

/** Decodes a call of another tool that the provider executed. */
export function decodeProviderCall(wire: Json, callIds: CallIdResolver): DecodedPart | undefined {
  if (!isObject(wire)) return undefined
  const { id, toolType, args = {} } = toCamelCaseKeys(wire)
  if (
    typeof id !== 'string' ||
    id === '' ||
    typeof toolType !== 'string' ||
    toolType === '' ||
    !isObject(args)
  )
    return undefined
  callIds.resolveCall(id, toolType, () => '')
  return {
    part: { type: 'tool-call', id, name: toolType, arguments: args, executedBy: 'provider' },
    hints: { wireType: 'toolCall' },
  }
}

/** Decodes the result of another tool that the provider executed. */
export function decodeProviderResult(wire: Json, callIds: CallIdResolver): DecodedPart | undefined {
  if (!isObject(wire)) return undefined
  const { id, toolType, response } = toCamelCaseKeys(wire)
  if (typeof id !== 'string' || id === '' || typeof toolType !== 'string' || toolType === '') return undefined
  callIds.resolveResult(id, toolType, () => '')
  return {
    part: {
      type: 'tool-result',
      callId: id,
      name: toolType,
      content: response === undefined ? [] : [createJsonContent(response)],
    },
    hints: { wireType: 'toolResponse' },
  }
}

function createJsonContent(value: Json): ToolResultPart['content'][number] {
  return freezeOwned({ type: 'json', value })
}

/** Encodes a call that Google executed; a call that another provider executed becomes a text description. */
export function encodeProviderCall(
  call: ToolCallPart,
  { hints, path, context }: PartEncodeContext,
): JsonObject {
  const kind = hints['wireType']
  const args = call.arguments ?? {}
  if (kind === 'toolCall') return { toolCall: { id: call.id, toolType: call.name, args } }
  if (kind === 'executableCode') {
    if (call.name !== CODE_EXECUTION) context.report('name-changed', child(path, 'name'))
    return { executableCode: { ...args, id: call.id } }
  }
  context.report('foreign-provider-call', path)
  return { text: describeProviderCall({ ...call, rawArguments: stringifyArguments(call) }) }
}

/**
 * Encodes the result of a tool that Google executed; the result of another provider's tool becomes a text
 * description.
 */
export function encodeProviderResult(
  result: ToolResultPart,
  { hints, path, context }: PartEncodeContext,
): JsonObject {
  const [only, ...others] = result.content
  const value = others.length > 0 ? undefined : only?.type === 'json' ? only.value : undefined
  const kind = hints['wireType']
  const failed = isObject(value) && failedOutcomes.has(value['outcome'])
  if (kind === 'toolResponse' && (only === undefined || value !== undefined)) {
    if (result.isError) context.report('no-field', child(path, 'isError'))
    const response = value === undefined ? {} : { response: value }
    return { toolResponse: { id: result.callId, toolType: result.name ?? '', ...response } }
  }
  if (kind === 'codeExecutionResult' && isObject(value)) {
    if (failed !== (result.isError === true)) context.report('no-field', child(path, 'isError'))
    if (result.name !== undefined) context.report('result-name', child(path, 'name'))
    return { codeExecutionResult: { ...value, id: result.callId } }
  }
  context.report('foreign-provider-call', path)
  return { text: describeProviderResult(result) }
}
