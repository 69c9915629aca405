import type { Part, SystemPart, UserPart } from '../../canonical/model/part.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { createOpaquePart, encodeOpaque } from '../shared/opaque-content.ts'
import { DIALECT_SLOT } from './constants.ts'
import { encodeDocument, isDocument } from './documents.ts'
import { decodeMedia, encodeMedia } from './media.ts'
import { decodeTextBlock, encodeUncitedText, isCohereTextBlock } from './text-blocks.ts'

/** Receives the documents of a message, which the request has beside its messages. */
export type DocumentSink = (document: Json) => void

/** Decodes the content of a user or system message: a string or a list of blocks. */
export function decodeContent(wire: string | readonly Json[], role: 'user' | 'system'): readonly Part[] {
  if (typeof wire !== 'string') return wire.map((block) => decodeBlock(block, role))
  return wire === '' ? [] : [{ type: 'text', text: wire }]
}

function decodeBlock(wire: Json, role: 'user' | 'system'): Part {
  if (isCohereTextBlock(wire)) return decodeTextBlock(wire)
  const isImage = role === 'user' && isObject(wire) && wire['type'] === 'image_url'
  return (isImage ? decodeMedia(wire) : undefined) ?? createOpaquePart(DIALECT_SLOT, wire)
}

/** Encodes parts as blocks; without `addDocument`, files with text become text. */
export function encodeParts(
  parts: readonly (UserPart | SystemPart)[],
  path: Path,
  context: EncodeContext,
  addDocument?: DocumentSink,
): readonly JsonObject[] {
  const blocks: JsonObject[] = []
  for (const [index, part] of parts.entries()) {
    const at = child(path, index)
    if (addDocument !== undefined && isDocument(part)) addDocument(encodeDocument(part, at, context))
    else {
      const block = encodePart(part, at, context)
      if (block !== undefined) blocks.push(block)
    }
  }
  return blocks
}

function encodePart(part: UserPart, path: Path, context: EncodeContext): JsonObject | undefined {
  if (part.type === 'text') return encodeUncitedText(part, path, context)
  if (part.type === 'opaque') return encodeOpaque(part, DIALECT_SLOT, path, context)
  return encodeMedia(part, path, context)
}
