import type { ToolCallPart, ToolResultPart } from '../../canonical/model/part.ts'
import { sealedCopy } from '../../wire/frozen.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below } from '../../wire/pointer.ts'
import { describeProviderCall, describeProviderResult } from '../shared/describe.ts'
import { idHint, writeId } from '../shared/ids.ts'
import { nameHint, writeName } from '../shared/names.ts'
import { idRule, providerCalls, providerResults, toolNames } from './codes.ts'
import type { decodeBlock, Place, Read, Writing } from './parts.ts'
import { plainText } from './text.ts'

type Wire = { readonly [key: string]: Json }

/** Reads a call: one for the application, or one that the provider ran. */
export function readCall({ type, id, name, input }: Wire): Read | undefined {
  if (typeof id !== 'string' || typeof name !== 'string' || id === '' || name === '' || !isObject(input))
    return undefined
  const call: ToolCallPart = { type: 'tool-call', id, name, arguments: input }
  return providerCalls.has(type)
    ? { part: { ...call, executedBy: 'provider' }, hints: { kind: type as string } }
    : { part: call, hints: { ...idHint(id, idRule), ...nameHint(name, toolNames) } }
}

/** Writes a call; one that another provider ran is told in words. */
export function writeCall(call: ToolCallPart, { hints, at, encoding, place }: Writing): JsonObject {
  const kind = hints['kind']
  if (call.executedBy === 'provider' && !providerCalls.has(kind)) {
    encoding.lose('foreign-provider-call', at)
    return { type: 'text', text: describeProviderCall(call) }
  }
  if (call.argumentsError !== undefined) encoding.lose('invalid-arguments', below(at, 'argumentsError'))
  const input = call.arguments ?? { INVALID_JSON: call.argumentsError ?? '' }
  if (call.executedBy === 'provider') return { type: kind as string, id: call.id, name: call.name, input }
  const name = writeName(call.name, hints, toolNames, below(at, 'name'), encoding)
  // Who reads an answer takes any id, and keeps it apart from others by the whole of it.
  const id = place === 'assistant' ? writeId(call.id, hints, idRule, below(at, 'id'), encoding) : call.id
  return { type: 'tool_use', id, name, input }
}

/** Parts that a result may hold. */
const inResults: ReadonlySet<string> = new Set(['text', 'image', 'file', 'opaque'])

export function readResult(
  { tool_use_id: callId, content, is_error: isError }: Wire,
  _place: Place,
  inside: typeof decodeBlock,
): Read | undefined {
  if (typeof callId !== 'string' || callId === '') return undefined
  const parts =
    typeof content === 'string'
      ? [inside({ type: 'text', text: content }, 'result')]
      : Array.isArray(content)
        ? content.map((block) => inside(block as Json, 'result'))
        : []
  if (!parts.every((part) => inResults.has(part.type))) return undefined
  const part = {
    type: 'tool-result',
    callId,
    content: parts,
    ...(isError === true && { isError }),
  } as ToolResultPart
  const hints = { ...idHint(callId, idRule), ...(typeof content === 'string' && { form: 'string' }) }
  return { part, hints }
}

/** A provider's own result is data in the provider's words; the hint says which block it came in. */
export function readProviderResult({
  type,
  tool_use_id: callId,
  content,
  is_error: isError,
}: Wire): Read | undefined {
  if (typeof callId !== 'string' || callId === '' || content === undefined) return undefined
  const part: ToolResultPart = {
    type: 'tool-result',
    callId,
    content: [sealedCopy({ type: 'json', value: content })],
    ...(isFailure(isError, content) && { isError: true }),
  }
  return { part, hints: { kind: type as string } }
}

/** Only results of MCP have a flag; the others say by their content that they failed. */
function isFailure(flag: Json | undefined, content: Json): boolean {
  const type = isObject(content) ? content['type'] : undefined
  return flag === true || (typeof type === 'string' && type.endsWith('_error'))
}

/** Writes a result: in its own block, or in words where another provider's tool gave it in an answer. */
export function writeResult(result: ToolResultPart, writing: Writing): JsonObject {
  const { hints, at, encoding, place } = writing
  const [only, ...others] = result.content
  const kind = hints['kind']
  if (providerResults.has(kind) && place !== 'user' && only?.type === 'json' && others.length === 0) {
    return writeProviderResult(result, kind as string, only.value, writing)
  }
  if (place !== 'user') {
    encoding.lose('foreign-provider-call', at)
    return { type: 'text', text: describeProviderResult(result) }
  }
  if (result.name !== undefined) encoding.lose('result-name', below(at, 'name'))
  const blocks = writing.inside(result.content, below(at, 'content'), encoding, 'result')
  const text = plainText(blocks)
  const content = hints['form'] === 'string' && text !== undefined ? text : blocks
  const empty = Array.isArray(content) && content.length === 0
  return {
    type: 'tool_result',
    tool_use_id: writeId(result.callId, hints, idRule, below(at, 'callId'), encoding),
    ...(!empty && { content }),
    ...(result.isError && { is_error: true }),
  }
}

function writeProviderResult(
  { callId, name, isError }: ToolResultPart,
  type: string,
  content: Json,
  { at, encoding }: Writing,
): JsonObject {
  if (name !== undefined) encoding.lose('result-name', below(at, 'name'))
  if (type === 'mcp_tool_result') return { type, tool_use_id: callId, is_error: isError === true, content }
  if (isFailure(undefined, content) !== (isError === true)) encoding.lose('no-field', below(at, 'isError'))
  return { type, tool_use_id: callId, content }
}
