import type { ToolResultPart } from '../../canonical/model/part.ts'
import { sealOwn } from '../../wire/frozen.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below } from '../../wire/pointer.ts'
import { describeProviderResult } from '../shared/describe.ts'
import { idHint, writeId } from '../shared/ids.ts'
import { idRule, providerResults, SLOT } from './codes.ts'
import type { decodePart, Place, Read, Writing } from './parts.ts'
import { plainText } from './text.ts'
import { hintsIn } from '../unit.ts'

type Wire = { readonly [key: string]: Json }

/** What a failure says that says nothing. */
const FAILED = 'The tool failed and said nothing.'

/** Parts that a result may hold. */
const inResults: ReadonlySet<string> = new Set(['text', 'image', 'file', 'opaque'])

export function decodeResult(
  { tool_use_id: callId, content, is_error: isError }: Wire,
  _place: Place,
  inside: typeof decodePart,
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
  const hints = hintsIn(SLOT, {
    ...idHint(callId, idRule),
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
}: Wire): Read | undefined {
  if (typeof callId !== 'string' || callId === '' || content === undefined) return undefined
  const part: ToolResultPart = {
    type: 'tool-result',
    callId,
    content: [sealOwn({ type: 'json', value: content })],
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
export function encodeResult(result: ToolResultPart, writing: Writing): JsonObject {
  const { hints, at, encoding, place } = writing
  const [only] = result.content
  const kind = hints['wireType']
  const isAlone = result.content.length === 1
  if (providerResults.has(kind) && place !== 'user' && only?.type === 'json' && isAlone) {
    return writeProviderResult(result, kind as string, only.value, writing)
  }
  if (place !== 'user') {
    encoding.lose('foreign-provider-call', at)
    return { type: 'text', text: describeProviderResult(result) }
  }
  if (result.name !== undefined) encoding.lose('result-name', below(at, 'name'))
  const given = writing.inside(result.content, below(at, 'content'), encoding, 'result')
  const wordless = result.isError === true && given.length === 0 && hints['emptyErrorResult'] !== true
  if (wordless) encoding.lose('silent-error', at)
  const blocks = wordless ? [{ type: 'text', text: FAILED }] : given
  const text = plainText(blocks)
  const content = hints['contentForm'] === 'string' && text !== undefined ? text : blocks
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
