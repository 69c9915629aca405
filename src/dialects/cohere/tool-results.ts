import type { JsonPart, ToolResultContent, ToolResultPart } from '../../canonical/model/part.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { isList, isObject, type Json, type JsonObject, tryParseJson } from '../../wire/json.ts'
import { createMediaText } from '../engine/content-fallback.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { applyResidue, attachResidue, getHints, withHints, withResidue } from '../engine/residue-slots.ts'
import { createOpaquePart, encodeOpaque, finishDecodedPart } from '../shared/opaque-content.ts'
import { reportUnsupportedFields } from '../shared/unsupported-fields.ts'
import { DIALECT_SLOT } from './constants.ts'
import { encodeDocument, readTextFile } from './documents.ts'
import {
  createTextBlock,
  decodeTextBlock,
  encodeUncitedText,
  getPlainText,
  isCohereTextBlock,
} from './text-blocks.ts'

/** Decodes a tool message as a tool result; undefined for another message, and for one without the id of a call. */
export function decodeToolResult(wire: JsonObject): ToolResultPart | undefined {
  const { role, tool_call_id: callId, content } = wire
  if (role !== 'tool' || typeof callId !== 'string' || callId === '') return undefined
  const parts = decodeResultContent(content)
  if (parts === undefined) return undefined
  const result: ToolResultPart = { type: 'tool-result', callId, content: parts }
  const hints = { ...(isList(content) && { contentAsList: true }) }
  return attachResidue(result, DIALECT_SLOT, hints, wire, writeToolResult)
}

function decodeResultContent(wire: Json | undefined): readonly ToolResultContent[] | undefined {
  if (typeof wire === 'string') return wire === '' ? [] : [{ type: 'text', text: wire }]
  return isList(wire) ? wire.map(decodeResultBlock) : undefined
}

function decodeResultBlock(wire: Json): ToolResultContent {
  if (isCohereTextBlock(wire)) return decodeTextBlock(wire)
  const { type, document } = isObject(wire) ? wire : {}
  const { data } = isObject(document) ? document : {}
  const parsed = typeof data === 'string' ? tryParseJson(data) : data
  if (type !== 'document' || !isObject(parsed)) return createOpaquePart(DIALECT_SLOT, wire)
  const hints = { wasDocument: true, ...(typeof data === 'string' && { dataAsText: true }) }
  const json: JsonPart = { type: 'json', value: parsed }
  const part = withHints(json, DIALECT_SLOT, hints)
  const made = encodeDocumentBlock(part)
  return finishDecodedPart(
    withResidue(part, DIALECT_SLOT, made, wire, hints),
    made,
    wire as JsonObject,
    DIALECT_SLOT,
  )
}

/** Encodes a tool result as a message of its own. */
export function encodeToolResult(
  result: ToolResultPart,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject {
  reportUnsupportedFields(result, path, context)
  return applyResidue(writeToolResult(result, path, context), result, DIALECT_SLOT)
}

function writeToolResult(result: ToolResultPart, path: Path | undefined, context: EncodeContext): JsonObject {
  const fields = { role: 'tool', tool_call_id: result.callId }
  const blocks: JsonObject[] = []
  for (const [index, part] of result.content.entries()) {
    const block = encodeResultPart(part, child(child(path, 'content'), index), context)
    if (block !== undefined) blocks.push(block)
  }
  if (result.isError === true) return { ...fields, content: encodeFailure(blocks, path, context) }
  const text = blocks.length === 0 ? '' : getPlainText(blocks)
  const isText = text !== undefined && getHints(result, DIALECT_SLOT).contentAsList !== true
  return { ...fields, content: isText ? text : blocks }
}

/** Encodes the content of a failed result as JSON text: the format has no error flag. */
function encodeFailure(
  blocks: readonly JsonObject[],
  path: Path | undefined,
  context: EncodeContext,
): string {
  context.report('error-as-text', path)
  if (blocks.length > 1) context.report('texts-joined', child(path, 'content'))
  const texts = blocks.map((block) => (isCohereTextBlock(block) ? block.text : JSON.stringify(block)))
  return JSON.stringify({ error: texts.join('\n') })
}

/** Encodes a part of a result: objects and text files are documents, which the model can cite. */
function encodeResultPart(
  part: ToolResultContent,
  path: Path,
  context: EncodeContext,
): JsonObject | undefined {
  if (part.type === 'text') return encodeUncitedText(part, path, context)
  if (part.type === 'opaque') return encodeOpaque(part, DIALECT_SLOT, path, context)
  if (part.type === 'json') {
    reportUnsupportedFields(part, path, context)
    if (isObject(part.value)) return applyResidue(encodeDocumentBlock(part), part, DIALECT_SLOT)
    context.report('json-as-text', path)
    return createTextBlock(JSON.stringify(part.value))
  }
  if (part.type === 'file' && readTextFile(part) !== undefined) {
    const document = encodeDocument(part, path, context)
    return {
      type: 'document',
      document: isObject(document) ? document : { data: { text: document } },
    }
  }
  const text = createMediaText(part, path, context)
  return text === undefined ? undefined : createTextBlock(text)
}

function encodeDocumentBlock(part: JsonPart): JsonObject {
  const isText = getHints(part, DIALECT_SLOT).dataAsText === true
  return { type: 'document', document: { data: isText ? JSON.stringify(part.value) : part.value } }
}
