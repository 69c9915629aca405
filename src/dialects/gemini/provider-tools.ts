import { stringifyArguments } from '../../canonical/build/call-arguments.ts'
import type { ToolCallPart, ToolResultPart } from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isObject, type Json, type JsonObject, isNonEmptyString } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import { createHostedToolFallback } from '../engine/content-fallback.ts'
import type { HostedPairConverter } from '../engine/convert-hosted-answers.ts'
import { createHintExtra } from '../engine/residue-slots.ts'
import { normalizeHostedPair } from '../shared/normalize-hosted-pair.ts'
import { DIALECT_SLOT } from './constants.ts'
import type { GeminiHints } from './hints.ts'
import type { PartDecoders, PartEncodeContext } from './part-context.ts'
import { toCamelCaseKeys } from './key-casing.ts'
import { encodeFallback } from './reasoning.ts'

/** The canonical name of the tool with which the provider executes code of the model. */
const CODE_EXECUTION = 'code_execution'

/** Outcomes of failed code executions, by name or number. */
const failedOutcomes = new Set<unknown>(['OUTCOME_FAILED', 'OUTCOME_DEADLINE_EXCEEDED', 2, 3])

/** Decoders of the calls and results of tools that the provider executed. */
export const providerPartDecoders: PartDecoders = {
  executableCode: ({ id: wireId, ...rest }, { callIds }) => {
    const { code } = rest
    if (typeof code !== 'string') return undefined
    const id = callIds.resolveCall(wireId, CODE_EXECUTION, () => code)
    return {
      part: { type: 'tool-call', id, name: CODE_EXECUTION, arguments: rest, executedBy: 'provider' },
      hints: { wireType: 'executableCode' },
    }
  },
  codeExecutionResult: ({ id, ...rest }, { callIds }) => {
    const callId = callIds.resolveResult(id, CODE_EXECUTION, () => JSON.stringify(rest))
    const failed = failedOutcomes.has(rest['outcome']) ? { isError: true as const } : {}
    return {
      part: { type: 'tool-result', callId, content: [createJsonContent(rest)], ...failed },
      hints: { wireType: 'codeExecutionResult' },
    }
  },
  toolCall: (wire, { callIds }) => {
    const { id, toolType: name, args = {} } = toCamelCaseKeys(wire)
    if (!isNonEmptyString(id) || !isNonEmptyString(name) || !isObject(args)) return undefined
    callIds.resolveCall(id, name, () => '')
    return {
      part: { type: 'tool-call', id, name, arguments: args, executedBy: 'provider' },
      hints: { wireType: 'toolCall' },
    }
  },
  toolResponse: (wire, { callIds }) => {
    const { id: callId, toolType: name, response } = toCamelCaseKeys(wire)
    if (!isNonEmptyString(callId) || !isNonEmptyString(name)) return undefined
    callIds.resolveResult(callId, name, () => '')
    const content = response === undefined ? [] : [createJsonContent(response)]
    return { part: { type: 'tool-result', callId, name, content }, hints: { wireType: 'toolResponse' } }
  },
}

function createJsonContent(value: Json): ToolResultPart['content'][number] {
  return freezeOwned({ type: 'json', value })
}

/** Encodes a call that Google executed; one of another provider is described or omitted. */
export function encodeProviderCall(
  call: ToolCallPart,
  { wireType }: GeminiHints,
  partContext: PartEncodeContext,
): JsonObject | undefined {
  const { path, context } = partContext
  const args = call.arguments ?? {}
  if (wireType === 'toolCall') return { toolCall: { id: call.id, toolType: call.name, args } }
  if (wireType === 'executableCode') {
    if (call.name !== CODE_EXECUTION) context.report('name-changed', child(path, 'name'))
    return { executableCode: { ...args, id: call.id } }
  }
  const described = { ...call, rawArguments: stringifyArguments(call) }
  return encodeFallback(createHostedToolFallback(described, path, context), partContext)
}

/** Encodes the result of a tool that Google executed; one of another provider is described or omitted. */
export function encodeProviderResult(
  result: ToolResultPart,
  { wireType }: GeminiHints,
  partContext: PartEncodeContext,
): JsonObject | undefined {
  const { path, context } = partContext
  const [only, ...others] = result.content
  const value = only?.type === 'json' && others.length === 0 ? only.value : undefined
  if (wireType === 'toolResponse' && (only === undefined || value !== undefined)) {
    if (result.isError) context.report('no-field', child(path, 'isError'))
    const response = value === undefined ? {} : { response: value }
    return { toolResponse: { id: result.callId, toolType: result.name ?? '', ...response } }
  }
  if (wireType === 'codeExecutionResult' && isObject(value)) {
    const isFailed = failedOutcomes.has(value['outcome'])
    if (isFailed !== (result.isError === true)) context.report('no-field', child(path, 'isError'))
    if (result.name !== undefined && result.name !== CODE_EXECUTION) context.report('result-name', path)
    return { codeExecutionResult: { ...value, id: result.callId } }
  }
  return encodeFallback(createHostedToolFallback(result, path, context), partContext)
}

/** Converts code that another provider ran, or its web search, to the parts of this dialect, for answers to clients. */
export const convertHostedPair: HostedPairConverter = (call, result) => {
  const use = normalizeHostedPair(call, result)
  if (use?.tool !== 'code_execution') return undefined
  const outcome = use.isFailed ? 'OUTCOME_FAILED' : 'OUTCOME_OK'
  return [
    {
      type: 'tool-call',
      id: call.id,
      name: CODE_EXECUTION,
      arguments: { language: 'PYTHON', code: use.code },
      executedBy: 'provider',
      extra: createHintExtra(DIALECT_SLOT, { wireType: 'executableCode' }),
    },
    {
      type: 'tool-result',
      callId: call.id,
      content: [createJsonContent({ outcome, output: `${use.output}${use.error}` })],
      ...(use.isFailed && { isError: true }),
      extra: createHintExtra(DIALECT_SLOT, { wireType: 'codeExecutionResult' }),
    },
  ]
}
