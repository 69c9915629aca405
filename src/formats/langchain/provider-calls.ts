import { json, text } from '../../canonical/build/parts.ts'
import type { ToolCallPart, ToolResultPart } from '../../canonical/model/part.ts'
import { checkAndFreezePart } from '../../canonical/shape/part.ts'
import { applyResidue, attachResidue, getHints } from '../../dialects/engine/residue-slots.ts'
import { isObject, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { type FormatReporter, silentReporter } from '../engine/format-loss-reporter.ts'
import { readPlainContent, toPlainContent } from '../engine/result-content.ts'
import { readOwnFields } from './blocks.ts'
import { LANGCHAIN_SLOT } from './constants.ts'

/** Spellings of Python. */
const PYTHON_KEYS = { toolCallId: ['tool_call_id'] } as const

/** The hint of a result that is a content block, even if its call is not in the message. */
const PROVIDER_RESULT = 'server_tool_call_result'

/** Returns true for a result that is a content block of the answer. */
export function isProviderResult(result: ToolResultPart, providerCalls: ReadonlySet<string>): boolean {
  return providerCalls.has(result.callId) || getHints(result, LANGCHAIN_SLOT).callBlock === PROVIDER_RESULT
}

/** Reads a call that the provider executed, or its result; undefined for any other block. */
export function readProviderBlock(block: JsonObject, path: Path): ToolCallPart | ToolResultPart | undefined {
  const { type, id, name, args, status, output } = block
  if (type === 'server_tool_call') {
    const call: ToolCallPart = {
      type: 'tool-call',
      id: id as string,
      name: name as string,
      ...(isObject(args)
        ? { arguments: args }
        : { invalidArguments: typeof args === 'string' ? args : JSON.stringify(args ?? null) }),
      executedBy: 'provider',
    }
    return attachResidue(checkAndFreezePart(call, path), LANGCHAIN_SLOT, {}, block, writeProviderCall)
  }
  if (type !== 'server_tool_call_result' && type !== 'server_tool_result') return undefined
  const plain =
    readOwnFields(block)['content'] === true ? readPlainContent(output, child(path, 'output')) : undefined
  const single = output === undefined ? [] : [typeof output === 'string' ? text(output) : json(output)]
  const result: ToolResultPart = {
    type: 'tool-result',
    callId: (block['toolCallId'] ?? block['tool_call_id']) as string,
    content: plain ?? single,
    ...(status === 'error' && { isError: true as const }),
  }
  return attachResidue(
    checkAndFreezePart(result, path),
    LANGCHAIN_SLOT,
    { callBlock: PROVIDER_RESULT },
    block,
    (unit) => writeProviderResult(unit, undefined, silentReporter),
    { aliases: PYTHON_KEYS },
  )
}

/** Writes a call that the provider executed as a content block. */
export function writeProviderCall(call: ToolCallPart): JsonObject {
  const { id, name, invalidArguments } = call
  const args = call.arguments ?? invalidArguments ?? ''
  return applyResidue({ type: 'server_tool_call', id, name, args }, call, LANGCHAIN_SLOT)
}

/** Writes the result of a call that the provider executed as a content block. */
export function writeProviderResult(
  result: ToolResultPart,
  path: Path | undefined,
  report: FormatReporter,
): JsonObject {
  const { value, parts } = toPlainContent(result, path, report)
  if (result.name !== undefined) report.add('provider-result-name', child(path, 'name'))
  if (result.signature !== undefined) report.add('signature-dropped', child(path, 'signature'))
  if (result.cache !== undefined) report.add('cache-hint', child(path, 'cache'))
  const wire = {
    type: PROVIDER_RESULT,
    toolCallId: result.callId,
    status: result.isError ? 'error' : 'success',
    output: value === undefined ? parts : value,
    ...(value === undefined && { extras: { interlingua: { content: true } } }),
  }
  return applyResidue(wire, result, LANGCHAIN_SLOT)
}
