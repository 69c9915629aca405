import type { ToolResultPart } from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isObject, itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import { createHostedToolFallback } from '../engine/content-fallback.ts'
import { createCallIdHint, encodeAnsweredId } from '../shared/call-ids.ts'
import { callIdRule, providerResultTypes, DIALECT_SLOT } from './constants.ts'
import type { BlockDecoder, BlockEncodeContext } from './part-context.ts'
import { encodeFallback } from './reasoning.ts'
import { getPlainText } from './text-blocks.ts'
import { createHintExtra, defineHints } from '../engine/residue-slots.ts'
import type { HostedPairConverter } from '../engine/convert-hosted-answers.ts'
import { normalizeHostedPair } from '../shared/normalize-hosted-pair.ts'

/** The content of an error result that has no content, which the API rejects. */
const FAILED_TEXT = 'The tool failed without an error message.'

/** The part types that a tool result may contain. */
const resultPartTypes: ReadonlySet<string> = new Set(['text', 'image', 'file', 'opaque'])

export const decodeToolResult: BlockDecoder = (wire, _location, decodeNested) => {
  const { tool_use_id: callId, content, is_error: isError } = wire
  if (typeof callId !== 'string' || callId === '') return undefined
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : itemsOf(content)
  const parts = blocks.map((block) => decodeNested(block, 'result'))
  if (!parts.every((part) => resultPartTypes.has(part.type))) return undefined
  const failure = isError === true ? { isError } : {}
  const part = { type: 'tool-result', callId, content: parts, ...failure } as ToolResultPart
  const hints = defineHints(DIALECT_SLOT, {
    ...createCallIdHint(callId, callIdRule),
    ...(typeof content === 'string' && { contentForm: 'string' }),
    ...(isError === true && parts.length === 0 && { emptyErrorResult: true }),
  })
  return { part, hints }
}

/** Decodes the result of a tool that the provider executed. Its content stays in the provider's format. */
export const decodeProviderResult: BlockDecoder = (wire) => {
  const { type, tool_use_id: callId, content, is_error: isError } = wire
  if (typeof callId !== 'string' || callId === '' || content === undefined) return undefined
  const part: ToolResultPart = {
    type: 'tool-result',
    callId,
    content: [freezeOwned({ type: 'json', value: content })],
    ...((isError === true || hasErrorType(content)) && { isError: true }),
  }
  return { part, hints: { wireType: type as string } }
}

/** Returns true for content of an error type. Only MCP results have a flag instead. */
function hasErrorType(content: Json): boolean {
  const type = isObject(content) ? content['type'] : undefined
  return typeof type === 'string' && type.endsWith('_error')
}

/** Encodes a tool result. The result of another provider's tool is described or omitted. */
export function encodeToolResult(
  result: ToolResultPart,
  blockContext: BlockEncodeContext,
): JsonObject | undefined {
  const { hints, path, context, location } = blockContext
  const [only] = result.content
  const kind = hints['wireType']
  if (location !== 'user') {
    if (providerResultTypes.has(kind) && only?.type === 'json' && result.content.length === 1)
      return writeProviderResult(result, kind as string, only.value, blockContext)
    return encodeFallback(createHostedToolFallback(result, path, context), blockContext)
  }
  const encodedBlocks = blockContext.encodeNested(result.content, child(path, 'content'), context, 'result')
  const isSilentError =
    result.isError === true && encodedBlocks.length === 0 && hints['emptyErrorResult'] !== true
  if (isSilentError) context.report('empty-error-result', path)
  const blocks = isSilentError ? [{ type: 'text', text: FAILED_TEXT }] : encodedBlocks
  const text = hints['contentForm'] === 'string' ? getPlainText(blocks) : undefined
  return {
    type: 'tool_result',
    tool_use_id: encodeAnsweredId(result.callId, hints, callIdRule, child(path, 'callId'), context),
    ...(blocks.length > 0 && { content: text ?? blocks }),
    ...(result.isError && { is_error: true }),
  }
}

function writeProviderResult(
  { callId, name, isError }: ToolResultPart,
  type: string,
  content: Json,
  { path, context }: BlockEncodeContext,
): JsonObject {
  if (name !== undefined) context.report('result-name', path)
  if (type === 'mcp_tool_result') return { type, tool_use_id: callId, is_error: isError === true, content }
  if (hasErrorType(content) !== (isError === true)) context.report('no-field', child(path, 'isError'))
  return { type, tool_use_id: callId, content }
}

/** Converts code that another provider ran, or its web search, to the blocks of this dialect, for answers to clients. */
export const convertHostedPair: HostedPairConverter = (call, result) => {
  const use = normalizeHostedPair(call, result)
  if (use === undefined) return undefined
  const content =
    use.tool === 'code_execution'
      ? {
          type: 'code_execution_result',
          stdout: use.output,
          stderr: use.error,
          return_code: use.isFailed ? 1 : 0,
          content: [],
        }
      : use.sources.map((source) => ({
          type: 'web_search_result',
          ...source,
          encrypted_content: '',
          page_age: null,
        }))
  return [
    {
      type: 'tool-call',
      id: call.id,
      name: use.tool,
      arguments: use.tool === 'code_execution' ? { code: use.code } : { query: use.query },
      executedBy: 'provider',
      extra: createHintExtra(DIALECT_SLOT, { wireType: 'server_tool_use' }),
    },
    {
      type: 'tool-result',
      callId: call.id,
      content: [{ type: 'json', value: content }],
      extra: createHintExtra(DIALECT_SLOT, { wireType: `${use.tool}_tool_result` }),
    },
  ]
}
