import type { ToolResultContent, ToolResultPart } from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isList, type Json, type JsonObject, getBlockText } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { createMediaText } from '../engine/content-fallback.ts'
import { createCallIdHint, encodeAnsweredId } from '../shared/call-ids.ts'
import { applyResidue, getHints, attachResidue } from '../engine/residue-slots.ts'
import { reportUnsupportedFields } from '../shared/unsupported-fields.ts'
import { decodeCacheMarker, encodePartCacheMarker } from './cache-markers.ts'
import { createHostHint, digestResult, getResultContext, isFitForHost } from './host-acceptance.ts'
import { callIdRule, DIALECT_SLOT } from './constants.ts'
import type { OpenAIChatFlavor } from './flavor-type.ts'
import { getFlavor } from './flavors.ts'
import { decodePart, encodeParts, encodeText } from './parts.ts'
import { encodeFlavorCallId } from './tool-calls.ts'

/**
 * Decodes a tool message as a tool result. `findCallId` returns the call id for a legacy `function` message,
 * which contains only a name.
 */
export function decodeToolResult(
  wire: JsonObject,
  findCallId: (name: string) => string | undefined,
  options: DecodeOptions,
): ToolResultPart | undefined {
  const { role, tool_call_id: id, name, content } = wire
  const hasName = typeof name === 'string'
  const isLegacy = role === 'function' && hasName
  const callId = role === 'tool' ? id : isLegacy ? findCallId(name) : undefined
  if (typeof callId !== 'string' || callId === '') return undefined
  const parts = decodeResultContent(content)
  if (parts === undefined) return undefined
  const cached = decodeCacheMarker(wire)
  const hints = {
    ...createCallIdHint(callId, callIdRule),
    ...(cached !== undefined && { cacheMarkerStyle: cached.style }),
    ...(isLegacy ? { wireType: 'function' } : hasName && { hasName }),
    ...(isList(content) && { contentForm: 'parts' }),
  }
  const result: ToolResultPart = {
    type: 'tool-result',
    callId,
    ...(hasName && { name }),
    content: parts,
    ...(cached !== undefined && { cache: cached.cache }),
  }
  const decoded = attachResidue(result, DIALECT_SLOT, hints, wire, encodeToolResult)
  const isFit = isFitForHost(options, wire, (context) => encodeToolResult(decoded, undefined, context))
  if (isFit || options.flavor === undefined) return decoded
  const hostHints = { ...hints, ...createHostHint(options.flavor, digestResult(result)) }
  return attachResidue(result, DIALECT_SLOT, hostHints, wire, encodeToolResult)
}

/** Decodes the content of a result: OpenAI documents only text, but clients also send media. No content is an empty result. */
function decodeResultContent(content: Json | undefined): readonly ToolResultContent[] | undefined {
  if (typeof content === 'string') return [freezeOwned({ type: 'text', text: content })]
  if (isList(content)) return content.map((part) => decodePart(part, 'tool') as ToolResultContent)
  return content === null || content === undefined ? [] : undefined
}

/** Returns true if the content of a result is written as a list of parts. */
export function isContentList(result: ToolResultPart, { textOnly }: OpenAIChatFlavor): boolean {
  const isReceivedAsList = getHints(result, DIALECT_SLOT)['contentForm'] === 'parts'
  return isReceivedAsList && result.isError !== true && textOnly === undefined
}

/** Returns true if a result is written with the name of its tool. */
export function writesResultName(result: ToolResultPart): boolean {
  const { wireType, hasName } = getHints(result, DIALECT_SLOT)
  return wireType === 'function' || hasName === true
}

/** Encodes a tool result as a separate message. */
export function encodeToolResult(
  result: ToolResultPart,
  path: Path | undefined,
  targetContext: EncodeContext,
): JsonObject {
  const hints = getHints(result, DIALECT_SLOT)
  const context = getResultContext(result, targetContext)
  const { name, isError, cache, signature } = result
  const isLegacy = hints['wireType'] === 'function' && name !== undefined
  const cacheFields = cache && encodePartCacheMarker(cache, hints, 'tool', path, context)
  if (signature !== undefined) context.report('foreign-signature', child(path, 'signature'))
  const contentPath = child(path, 'content')
  const content = isContentList(result, getFlavor(context.options))
    ? encodeContentList(result, contentPath, context)
    : joinContentTexts(result, contentPath, context)
  if (isError) context.report('error-as-text', path)
  const wireContent = isError ? JSON.stringify({ error: content }) : content
  if (isLegacy)
    return applyResidue(
      { role: 'function', name, content: wireContent, ...cacheFields },
      result,
      DIALECT_SLOT,
    )
  const idPath = child(path, 'callId')
  const id = encodeFlavorCallId(result.callId, hints, idPath, targetContext, encodeAnsweredId)
  const nameField = name !== undefined && hints['hasName'] === true && { name }
  const made = { role: 'tool', tool_call_id: id, ...nameField, content: wireContent, ...cacheFields }
  return applyResidue(made, result, DIALECT_SLOT)
}

function encodeContentList(
  result: ToolResultPart,
  path: Path,
  context: EncodeContext,
): readonly JsonObject[] {
  return result.content.flatMap((part, index) => {
    const partPath = child(path, index)
    const isJson = part.type === 'json'
    const written = isJson ? { type: 'text' as const, text: JSON.stringify(part.value) } : part
    if (isJson) context.report('json-as-text', partPath)
    // A tool result may be empty, so empty text is allowed.
    const isEmpty = written.type === 'text' && written.text === '' && written.extra === undefined
    return isEmpty
      ? [{ type: 'text', text: '' }]
      : encodeParts([{ part: written, path: partPath }], context, 'tool')
  })
}

function joinContentTexts(result: ToolResultPart, path: Path, context: EncodeContext): string {
  const texts = result.content
    .map((part, index) => getContentText(part, child(path, index), context))
    .filter((text) => text !== undefined)
  if (texts.length > 1) context.report('texts-joined', path)
  return texts.join('\n')
}

function getContentText(
  part: ToolResultPart['content'][number],
  path: Path,
  context: EncodeContext,
): string | undefined {
  reportUnsupportedFields(part, path, context)
  if ('source' in part) return createMediaText(part, path, context)
  switch (part.type) {
    case 'text':
      // A tool result may be empty, so empty text is allowed.
      return part.text === '' ? '' : getBlockText(encodeText(part, path, context, 'tool'))
    case 'json':
      context.report('json-as-text', path)
      return JSON.stringify(part.value)
    case 'opaque':
      context.report('foreign-opaque', path)
      return undefined
  }
}
