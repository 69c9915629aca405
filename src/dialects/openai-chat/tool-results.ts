import type { ToolResultPart } from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isList, isObject, type Json, type JsonObject, getBlockText } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { createMediaTextFallback } from '../engine/text-fallback.ts'
import { createCallIdHint } from '../shared/call-ids.ts'
import { applyResidue, getHints, attachResidue } from '../engine/residue-slots.ts'
import { reportUnsupportedFields } from '../shared/unsupported-fields.ts'
import { createHostHint, digestResult, getHostContext, isFitForHost } from './accepted-by-host.ts'
import { callIdRule, DIALECT_SLOT } from './constants.ts'
import { getFlavor } from './flavors.ts'
import { encodeText } from './parts.ts'
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
  const isLegacy = role === 'function' && typeof name === 'string'
  const callId = role === 'tool' ? id : isLegacy ? findCallId(name) : undefined
  if (typeof callId !== 'string' || callId === '') return undefined
  const texts = readTexts(content)
  if (texts === undefined) return undefined
  const hints = {
    ...createCallIdHint(callId, callIdRule),
    ...(isLegacy && { wireType: 'function' }),
    ...(typeof content !== 'string' && { contentForm: 'parts' }),
  }
  const result: ToolResultPart = {
    type: 'tool-result',
    callId,
    ...(isLegacy && { name }),
    content: texts.map((text) => freezeOwned({ type: 'text', text })),
  }
  const decoded = attachResidue(result, DIALECT_SLOT, hints, wire, encodeToolResult)
  const isFit = isFitForHost(options, wire, (context) => encodeToolResult(decoded, undefined, context))
  if (isFit || options.flavor === undefined) return decoded
  const hostHints = { ...hints, ...createHostHint(options.flavor, digestResult(result)) }
  return attachResidue(result, DIALECT_SLOT, hostHints, wire, encodeToolResult)
}

/** Returns the texts of the content; undefined if it contains anything else. */
function readTexts(content: Json | undefined): readonly string[] | undefined {
  if (typeof content === 'string') return [content]
  if (!isList(content)) return undefined
  const texts = content.map((part) =>
    isObject(part) && Object.keys(part).length === 2 && part['type'] === 'text' ? part['text'] : undefined,
  )
  return texts.every((text) => typeof text === 'string') ? texts : undefined
}

/** Encodes a tool result as a separate message. */
export function encodeToolResult(
  result: ToolResultPart,
  path: Path | undefined,
  targetContext: EncodeContext,
): JsonObject {
  const hints = getHints(result, DIALECT_SLOT)
  const context = getHostContext(hints, () => digestResult(result), targetContext)
  const { name, isError } = result
  const { textOnly } = getFlavor(context.options)
  const isLegacy = hints['wireType'] === 'function' && name !== undefined
  if (name !== undefined && !isLegacy) context.report('result-name', child(path, 'name'))
  reportUnsupportedFields(result, path, context)
  const contentPath = child(path, 'content')
  const texts = result.content
    .map((part, index) => getContentText(part, child(contentPath, index), context))
    .filter((text) => text !== undefined)
  const isListForm = hints['contentForm'] === 'parts' && !isError && textOnly === undefined
  if (!isListForm && texts.length > 1) context.report('texts-joined', contentPath)
  const content = isListForm ? texts.map((text) => ({ type: 'text', text })) : texts.join('\n')
  if (isError) context.report('error-as-text', path)
  const wireContent = isError ? JSON.stringify({ error: content }) : content
  if (isLegacy) return applyResidue({ role: 'function', name, content: wireContent }, result, DIALECT_SLOT)
  const id = encodeFlavorCallId(result.callId, hints, child(path, 'callId'), targetContext)
  return applyResidue({ role: 'tool', tool_call_id: id, content: wireContent }, result, DIALECT_SLOT)
}

function getContentText(
  part: ToolResultPart['content'][number],
  path: Path,
  context: EncodeContext,
): string | undefined {
  reportUnsupportedFields(part, path, context)
  if ('source' in part) return createMediaTextFallback(part, path, context)
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
