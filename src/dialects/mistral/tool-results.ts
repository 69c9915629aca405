import type { ToolResultContent, ToolResultPart } from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isList, isObject, type Json, type JsonObject, getBlockText } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { applyResidue, getHints, attachResidue } from '../engine/residue-slots.ts'
import { createCallIdHint, encodeAnsweredId } from '../shared/call-ids.ts'
import { createToolNameHint, encodeToolName } from '../shared/tool-names.ts'
import { reportUnsupportedFields } from '../shared/unsupported-fields.ts'
import { callIdRule, DIALECT_SLOT, toolNameRule } from './constants.ts'
import { decodeContent, encodeParts } from './parts.ts'

/** Decodes a tool message as a tool result; undefined for another message, and for one without the id of a call. */
export function decodeToolResult(wire: JsonObject): ToolResultPart | undefined {
  const { role, tool_call_id: callId, name, content } = wire
  if (role !== 'tool' || typeof callId !== 'string' || callId === '') return undefined
  const parts = decodeResultContent(content)
  if (parts === undefined) return undefined
  const hasName = typeof name === 'string' && name !== ''
  const result: ToolResultPart = {
    type: 'tool-result',
    callId,
    ...(hasName && { name }),
    content: parts,
  }
  const hints = {
    ...createCallIdHint(callId, callIdRule),
    ...(hasName && createToolNameHint(name, toolNameRule)),
    ...(isList(content) && { chunkList: true }),
  }
  return attachResidue(result, DIALECT_SLOT, hints, wire, encodeToolResult)
}

/** Decodes the content of a result. A missing content is an empty result. */
function decodeResultContent(content: Json | undefined): readonly ToolResultContent[] | undefined {
  if (typeof content === 'string') return [freezeOwned({ type: 'text', text: content })]
  if (isList(content)) return decodeContent(content, 'tool') as readonly ToolResultContent[]
  return content === null || content === undefined ? [] : undefined
}

/** Returns true if the content of a result is written as a list of chunks. */
export function isContentList(result: ToolResultPart): boolean {
  return getHints(result, DIALECT_SLOT)['chunkList'] === true && result.isError !== true
}

/** Encodes a tool result as a message of its own, with the name of its tool if it is known. */
export function encodeToolResult(
  result: ToolResultPart,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject {
  const { callId, name, isError, content } = result
  const hints = getHints(result, DIALECT_SLOT)
  reportUnsupportedFields(result, path, context)
  if (isError) context.report('error-as-text', path)
  const contentPath = child(path, 'content')
  const parts = content.map((part, index) => ({ part, path: child(contentPath, index) }))
  const chunks = encodeParts(parts, context, 'tool')
  const isList = isContentList(result)
  const text = isList ? '' : joinChunks(chunks, contentPath, context)
  const made = {
    role: 'tool',
    tool_call_id: encodeAnsweredId(callId, hints, callIdRule, child(path, 'callId'), context),
    ...(name !== undefined && {
      name: encodeToolName(name, hints, toolNameRule, child(path, 'name'), context),
    }),
    content: isList ? chunks : isError ? JSON.stringify({ error: text }) : text,
  }
  return applyResidue(made, result, DIALECT_SLOT)
}

/** Joins the texts of chunks: a result is one text unless it was received as a list. */
function joinChunks(chunks: readonly JsonObject[], path: Path, context: EncodeContext): string {
  const texts = chunks.filter((chunk) => isObject(chunk) && chunk['type'] === 'text').map(getBlockText)
  if (texts.length < chunks.length) context.report('foreign-opaque', path)
  if (texts.length > 1) context.report('texts-joined', path)
  return texts.join('\n')
}
