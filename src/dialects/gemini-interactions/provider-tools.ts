import { attachSignature } from '../../canonical/build/parts.ts'
import type { Part, ToolCallPart, ToolResultContent, ToolResultPart } from '../../canonical/model/part.ts'
import { isSignatureValid } from '../../canonical/read/content-digest.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import {
  isEmptyObject,
  isObject,
  type Json,
  type JsonObject,
  readStringOrEmpty,
  isNonEmptyString,
} from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import type { HostedPairConverter } from '../engine/convert-hosted-answers.ts'
import { applyResidue, attachResidue, createHintExtra, getHints } from '../engine/residue-slots.ts'
import { normalizeHostedPair } from '../shared/normalize-hosted-pair.ts'
import { DIALECT_SLOT, SIGNATURE_VENDOR } from './constants.ts'
import { decodeResultValue, encodeResultValue } from './tool-results.ts'

/** A tool that Google runs, which has a step for each call and one for each result. */
interface HostedToolRow {
  /** True if a call has no arguments. */
  readonly hasNoArguments?: true
  /** True if the steps name the tool of a server, and its results are like those of functions. */
  readonly isServerTool?: true
}

/** The hosted tools by the prefix of the types of their steps. Source: the step types of `@google/genai` 2.32. */
const hostedTools: ReadonlyMap<string, HostedToolRow> = new Map<string, HostedToolRow>([
  ['code_execution', {}],
  ['google_search', {}],
  ['url_context', {}],
  ['google_maps', {}],
  ['retrieval', {}],
  ['file_search', { hasNoArguments: true }],
  ['processing', { hasNoArguments: true }],
  ['mcp_server_tool', { isServerTool: true }],
])

/** Returns the tool of a step type, and whether the step is a call or a result. */
function parseStepType(
  type: unknown,
): { readonly tool: string; readonly row: HostedToolRow; readonly isCall: boolean } | undefined {
  const [, tool = '', kind] = /^(.*)_(call|result)$/.exec(typeof type === 'string' ? type : '') ?? []
  const row = hostedTools.get(tool)
  return row && { tool, row, isCall: kind === 'call' }
}

/** Decodes the step of a tool that Google runs; returns undefined for any other step. */
export function decodeProviderStep(wire: JsonObject): ToolCallPart | ToolResultPart | undefined {
  const step = parseStepType(wire['type'])
  if (step === undefined) return undefined
  return step.isCall ? decodeCall(wire, step.tool, step.row) : decodeResult(wire, step.row)
}

function decodeCall(wire: JsonObject, tool: string, row: HostedToolRow): ToolCallPart | undefined {
  const { id, arguments: callArguments = {}, name: wireName } = wire
  const name = row.isServerTool ? wireName : tool
  if (!isNonEmptyString(id) || !isNonEmptyString(name) || !isObject(callArguments)) return undefined
  const call: ToolCallPart = { type: 'tool-call', id, name, arguments: callArguments, executedBy: 'provider' }
  return attachResidue(
    signPart(call, wire),
    DIALECT_SLOT,
    { wireType: readStringOrEmpty(wire['type']) },
    wire,
    encodeProviderCall,
  )
}

function decodeResult(wire: JsonObject, row: HostedToolRow): ToolResultPart | undefined {
  const { call_id: callId, result, is_error: isError, name } = wire
  if (!isNonEmptyString(callId)) return undefined
  const { content, hints } =
    row.isServerTool && result !== undefined ? decodeResultValue(result) : readData(result)
  const part: ToolResultPart = {
    type: 'tool-result',
    callId,
    ...(row.isServerTool && isNonEmptyString(name) && { name }),
    content,
    ...(isError === true && { isError }),
  }
  const allHints = { ...hints, wireType: readStringOrEmpty(wire['type']) }
  return attachResidue(signPart(part, wire), DIALECT_SLOT, allHints, wire, encodeProviderResult)
}

/** Decodes the result of a tool of Google: text, data, or nothing. */
function readData(result: Json | undefined): {
  readonly content: readonly ToolResultContent[]
  readonly hints: {}
} {
  if (result === undefined) return { content: [], hints: {} }
  const content: ToolResultContent =
    typeof result === 'string' ? { type: 'text', text: result } : { type: 'json', value: result }
  return { content: [freezeOwned(content)], hints: {} }
}

function signPart<T extends Part>(part: T, { signature }: JsonObject): T {
  return isNonEmptyString(signature)
    ? attachSignature(part, { vendor: SIGNATURE_VENDOR, value: signature })
    : part
}

/** Returns the type of the step of a hosted tool from which a part was decoded. */
export function getHostedStepType(part: ToolCallPart | ToolResultPart): string | undefined {
  const { wireType } = getHints(part, DIALECT_SLOT)
  const step = parseStepType(wireType)
  return step?.isCall === (part.type === 'tool-call') ? readStringOrEmpty(wireType) : undefined
}

/** Encodes a call of a tool that Google ran. */
export function encodeProviderCall(
  call: ToolCallPart,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject {
  const type = getHostedStepType(call) ?? ''
  const { tool, row = {} } = parseStepType(type) ?? {}
  const callArguments = call.arguments ?? {}
  if (call.cache !== undefined) context.report('cache-hint', child(path, 'cache'))
  if (call.invalidArguments !== undefined) context.report('no-field', child(path, 'invalidArguments'))
  if (row.isServerTool !== true && call.name !== tool) context.report('name-changed', child(path, 'name'))
  const hasArguments = row.hasNoArguments !== true || !isEmptyObject(callArguments)
  const made = {
    type,
    id: call.id,
    ...(row.isServerTool && { name: call.name }),
    ...(hasArguments && { arguments: callArguments }),
    ...encodeSignature(call, path, context),
  }
  return applyResidue(made, call, DIALECT_SLOT)
}

/** Encodes the result of a tool that Google ran. */
export function encodeProviderResult(
  result: ToolResultPart,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject {
  const type = getHostedStepType(result) ?? ''
  const { row = {} } = parseStepType(type) ?? {}
  const hints = getHints(result, DIALECT_SLOT)
  if (result.cache !== undefined) context.report('cache-hint', child(path, 'cache'))
  if (row.isServerTool !== true && result.name !== undefined) context.report('result-name', path)
  const value = row.isServerTool
    ? { result: encodeResultValue(result.content, hints, child(path, 'content'), context) }
    : encodeData(result.content, path, context)
  const made = {
    type,
    call_id: result.callId,
    ...(row.isServerTool && result.name !== undefined && { name: result.name }),
    ...value,
    ...(result.isError && { is_error: true }),
    ...encodeSignature(result, path, context),
  }
  return applyResidue(made, result, DIALECT_SLOT)
}

function encodeData(
  content: readonly ToolResultContent[],
  path: Path | undefined,
  context: EncodeContext,
): JsonObject {
  const [only, ...others] = content
  if (only === undefined) return {}
  const value = only.type === 'text' ? only.text : only.type === 'json' ? only.value : undefined
  if (value !== undefined && others.length === 0) return { result: value }
  context.report('result-form', path)
  return {}
}

/** Encodes the signature of a part, unless its content has changed or another vendor signed it. */
function encodeSignature(part: Part, path: Path | undefined, context: EncodeContext): JsonObject {
  const { signature } = part
  if (signature === undefined) return {}
  const isOwn = signature.vendor === SIGNATURE_VENDOR
  if (isOwn && isSignatureValid(part)) return { signature: signature.value }
  context.report(isOwn ? 'stale-signature' : 'foreign-signature', child(path, 'signature'))
  return {}
}

/** Converts code that another provider ran, or its web search, to the steps of this dialect, for answers to clients. */
export const convertHostedPair: HostedPairConverter = (call, result) => {
  const use = normalizeHostedPair(call, result)
  if (use === undefined) return undefined
  const isCode = use.tool === 'code_execution'
  const tool = isCode ? 'code_execution' : 'google_search'
  return [
    {
      type: 'tool-call',
      id: call.id,
      name: tool,
      arguments: isCode ? { code: use.code, language: 'python' } : { queries: [use.query] },
      executedBy: 'provider',
      extra: createHintExtra(DIALECT_SLOT, { wireType: `${tool}_call` }),
    },
    {
      type: 'tool-result',
      callId: call.id,
      content: [isCode ? { type: 'text', text: `${use.output}${use.error}` } : { type: 'json', value: [] }],
      ...(isCode && use.isFailed && { isError: true }),
      extra: createHintExtra(DIALECT_SLOT, { wireType: `${tool}_result` }),
    },
  ]
}
