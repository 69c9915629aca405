import type { ToolResultPart } from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isList, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import { createHostedToolFallback } from '../engine/content-fallback.ts'
import { getModelVendor } from '../engine/model-facts.ts'
import { defineHints } from '../engine/residue-slots.ts'
import { createCallIdHint, encodeAnsweredId, encodeCallId } from '../shared/call-ids.ts'
import { DIALECT_SLOT, getCallIdRule } from './constants.ts'
import { type BlockDecoder, type BlockEncodeContext, isAnswer } from './part-context.ts'
import { encodeFallback } from './reasoning.ts'

/** The content of an error result that has no content, which the API rejects. */
const FAILED_TEXT = 'The tool failed without an error message.'

/** The text before the content of an error result, for models without a status. */
const ERROR_TEXT = 'Error:'

/** The key of a result of a tool that the provider executed, in an answer. */
const PROVIDER_RESULT = 'toolResult'

/** The part types that a tool result may contain. */
const resultPartTypes: ReadonlySet<string> = new Set(['text', 'json', 'image', 'file', 'video', 'opaque'])

/**
 * The vendors whose models accept the status of a result.
 * @see https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolResultBlock.html
 */
const statusVendors: ReadonlySet<string | undefined> = new Set([undefined, 'anthropic', 'amazon'])

export const decodeToolResult: BlockDecoder = (wire, context, decodeNested) => {
  const { toolUseId: callId, content, status } = wire
  if (typeof callId !== 'string' || callId === '' || !isList(content)) return undefined
  const failure = status === 'error' ? ({ isError: true } as const) : {}
  const idHint = createCallIdHint(callId, getCallIdRule({}))
  if (isAnswer(context.location)) {
    const json = freezeOwned({ type: 'json', value: content } as const)
    const part: ToolResultPart = { type: 'tool-result', callId, content: [json], ...failure }
    return { part, hints: { wireType: PROVIDER_RESULT, ...idHint } }
  }
  const parts = content.map((block) => decodeNested(block, { ...context, location: 'result' }))
  if (!parts.every((part) => resultPartTypes.has(part.type))) return undefined
  const part = { type: 'tool-result', callId, content: parts, ...failure } as ToolResultPart
  const hints = defineHints(DIALECT_SLOT, {
    ...idHint,
    ...(status === 'error' && { receivedStatus: true }),
    ...(status === 'error' && parts.length === 0 && { emptyErrorResult: true }),
  })
  return { part, hints }
}

/** Encodes a tool result. The result of another provider's tool is described or omitted. */
export function encodeToolResult(
  result: ToolResultPart,
  blockContext: BlockEncodeContext,
): JsonObject | undefined {
  if (blockContext.location !== 'user') return encodeProviderResult(result, blockContext)
  const callId = encodeId(result, blockContext, encodeAnsweredId)
  const content = encodeContent(result, blockContext)
  const hasStatus = result.isError === true && supportsStatus(blockContext)
  return { toolResult: { toolUseId: callId, content, ...(hasStatus && { status: 'error' }) } }
}

function encodeId(
  { callId }: ToolResultPart,
  { hints, path, context }: BlockEncodeContext,
  encode: typeof encodeCallId,
): string {
  return encode(callId, hints, getCallIdRule(context.options), child(path, 'callId'), context)
}

function supportsStatus({ hints, context }: BlockEncodeContext): boolean {
  return hints['receivedStatus'] === true || statusVendors.has(getModelVendor(context.options.model))
}

function encodeContent(result: ToolResultPart, blockContext: BlockEncodeContext): JsonObject[] {
  const { hints, path, context, namer, encodeNested } = blockContext
  const blocks = encodeNested(result.content, child(path, 'content'), context, 'result', namer)
  if (result.isError !== true) return blocks
  const isSilent = blocks.length === 0 && hints['emptyErrorResult'] !== true
  if (isSilent) context.report('empty-error-result', path)
  const content = isSilent ? [{ text: FAILED_TEXT }] : blocks
  if (supportsStatus(blockContext)) return content
  context.report('error-as-text', path)
  return [{ text: ERROR_TEXT }, ...content]
}

function encodeProviderResult(
  result: ToolResultPart,
  blockContext: BlockEncodeContext,
): JsonObject | undefined {
  const { hints, path, context, location } = blockContext
  const [only] = result.content
  const content = only?.type === 'json' && result.content.length === 1 ? only.value : undefined
  if (hints['wireType'] !== PROVIDER_RESULT || !isList(content))
    return encodeFallback(createHostedToolFallback(result, path, context), blockContext)
  if (result.name !== undefined) context.report('result-name', path)
  const status = result.isError === true ? { status: 'error' } : {}
  // The result reports a changed id itself: the host may have answered without its call.
  const toolUseId = location === 'assistant' ? encodeId(result, blockContext, encodeCallId) : result.callId
  return { toolResult: { toolUseId, content, ...status } }
}
