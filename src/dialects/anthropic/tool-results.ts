import type { ToolResultPart } from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import { describeProviderResult } from '../engine/text-fallback.ts'
import { createCallIdHint, encodeCallId } from '../shared/call-ids.ts'
import { callIdRule, providerResultTypes, DIALECT_SLOT } from './constants.ts'
import type { BlockLocation, DecodedPart, BlockEncodeContext, NestedDecoder } from './part-context.ts'
import { getPlainText } from './text-blocks.ts'
import { hintsIn } from '../engine/residue-slots.ts'

/** The content of an error result that has no content, which the API rejects. */
const FAILED_TEXT = 'The tool failed without an error message.'

/** The part types that a tool result may contain. */
const resultPartTypes: ReadonlySet<string> = new Set(['text', 'image', 'file', 'opaque'])

export function decodeToolResult(
  { tool_use_id: callId, content, is_error: isError }: JsonObject,
  _location: BlockLocation,
  decodeNested: NestedDecoder,
): DecodedPart | undefined {
  if (typeof callId !== 'string' || callId === '') return undefined
  const parts =
    typeof content === 'string'
      ? [decodeNested({ type: 'text', text: content }, 'result')]
      : Array.isArray(content)
        ? content.map((block) => decodeNested(block as Json, 'result'))
        : []
  if (!parts.every((part) => resultPartTypes.has(part.type))) return undefined
  const part = {
    type: 'tool-result',
    callId,
    content: parts,
    ...(isError === true && { isError }),
  } as ToolResultPart
  const hints = hintsIn(DIALECT_SLOT, {
    ...createCallIdHint(callId, callIdRule),
    ...(typeof content === 'string' && { contentForm: 'string' }),
    ...(isError === true && parts.length === 0 && { emptyErrorResult: true }),
  })
  return { part, hints }
}

/**
 * Decodes the result of a tool that the provider executed. Its content stays in the provider's format; a hint
 * records the block type.
 */
export function decodeProviderResult({
  type,
  tool_use_id: callId,
  content,
  is_error: isError,
}: JsonObject): DecodedPart | undefined {
  if (typeof callId !== 'string' || callId === '' || content === undefined) return undefined
  const part: ToolResultPart = {
    type: 'tool-result',
    callId,
    content: [freezeOwned({ type: 'json', value: content })],
    ...(isFailure(isError, content) && { isError: true }),
  }
  return { part, hints: { wireType: type as string } }
}

/**
 * Returns true for a failed result. Only MCP results have a flag; other results have content of an error
 * type.
 */
function isFailure(flag: Json | undefined, content: Json): boolean {
  const type = isObject(content) ? content['type'] : undefined
  return flag === true || (typeof type === 'string' && type.endsWith('_error'))
}

/**
 * Encodes a tool result. In an assistant message, the result of another provider's tool becomes a text
 * description.
 */
export function encodeToolResult(result: ToolResultPart, partContext: BlockEncodeContext): JsonObject {
  const { hints, path, context, location } = partContext
  const [only] = result.content
  const kind = hints['wireType']
  const isAlone = result.content.length === 1
  if (providerResultTypes.has(kind) && location !== 'user' && only?.type === 'json' && isAlone) {
    return writeProviderResult(result, kind as string, only.value, partContext)
  }
  if (location !== 'user') {
    context.report('foreign-provider-call', path)
    return { type: 'text', text: describeProviderResult(result) }
  }
  if (result.name !== undefined) context.report('result-name', child(path, 'name'))
  const encodedBlocks = partContext.encodeNested(result.content, child(path, 'content'), context, 'result')
  const isSilentError =
    result.isError === true && encodedBlocks.length === 0 && hints['emptyErrorResult'] !== true
  if (isSilentError) context.report('empty-error-result', path)
  const blocks = isSilentError ? [{ type: 'text', text: FAILED_TEXT }] : encodedBlocks
  const text = getPlainText(blocks)
  const content = hints['contentForm'] === 'string' && text !== undefined ? text : blocks
  const isEmpty = Array.isArray(content) && content.length === 0
  return {
    type: 'tool_result',
    tool_use_id: encodeCallId(result.callId, hints, callIdRule, child(path, 'callId'), context),
    ...(!isEmpty && { content }),
    ...(result.isError && { is_error: true }),
  }
}

function writeProviderResult(
  { callId, name, isError }: ToolResultPart,
  type: string,
  content: Json,
  { path, context }: BlockEncodeContext,
): JsonObject {
  if (name !== undefined) context.report('result-name', child(path, 'name'))
  if (type === 'mcp_tool_result') return { type, tool_use_id: callId, is_error: isError === true, content }
  if (isFailure(undefined, content) !== (isError === true)) context.report('no-field', child(path, 'isError'))
  return { type, tool_use_id: callId, content }
}
