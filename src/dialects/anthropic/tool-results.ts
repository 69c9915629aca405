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

/** What a failure says that says nothing. */
const FAILED_TEXT = 'The tool failed and said nothing.'

/** Parts that a result may hold. */
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

/** A provider's own result is data in the provider's words; the hint says which block it came in. */
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

/** Only results of MCP have a flag; the others say by their content that they failed. */
function isFailure(flag: Json | undefined, content: Json): boolean {
  const type = isObject(content) ? content['type'] : undefined
  return flag === true || (typeof type === 'string' && type.endsWith('_error'))
}

/** Writes a result: in its own block, or in words where another provider's tool gave it in an answer. */
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
  const given = partContext.encodeNested(result.content, child(path, 'content'), context, 'result')
  const wordless = result.isError === true && given.length === 0 && hints['emptyErrorResult'] !== true
  if (wordless) context.report('silent-error', path)
  const blocks = wordless ? [{ type: 'text', text: FAILED_TEXT }] : given
  const text = getPlainText(blocks)
  const content = hints['contentForm'] === 'string' && text !== undefined ? text : blocks
  const empty = Array.isArray(content) && content.length === 0
  return {
    type: 'tool_result',
    tool_use_id: encodeCallId(result.callId, hints, callIdRule, child(path, 'callId'), context),
    ...(!empty && { content }),
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
