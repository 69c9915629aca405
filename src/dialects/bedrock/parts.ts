import type { AssistantPart, Part } from '../../canonical/model/part.ts'
import { isMediaPart } from '../../canonical/read/message-content.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { applyResidue, getHints, withResidue } from '../engine/residue-slots.ts'
import { createOpaquePart, encodeOpaque } from '../shared/opaque-content.ts'
import { canBeCached, encodeCachePoint } from './cache-markers.ts'
import { DIALECT_SLOT } from './constants.ts'
import { DocumentNamer } from './document-names.ts'
import { decodeMedia, decodeSearchResult, encodeMedia } from './media.ts'
import {
  type BlockContainerKind,
  type BlockDecodeContext,
  type BlockDecoder,
  type BlockEncodeContext,
  type DecodedPart,
  getBlockKey,
  isAnswer,
} from './part-context.ts'
import { decodeUsualBlock } from './usual-form-decoder.ts'
import { decodeReasoning, encodeReasoning } from './reasoning.ts'
import { decodeCitedText, decodeGuardedText, decodeText, encodePlainText, encodeText } from './text-blocks.ts'
import { decodeToolCall, encodeToolCall } from './tool-calls.ts'
import { decodeToolResult, encodeToolResult } from './tool-results.ts'

const blockDecoders: ReadonlyMap<string | undefined, BlockDecoder> = new Map<
  string | undefined,
  BlockDecoder
>([
  ['image', (wire, context) => decodeMedia('image', wire, context)],
  ['document', (wire, context) => decodeMedia('file', wire, context)],
  ['video', (wire, context) => decodeMedia('video', wire, context)],
  ['audio', (wire, context) => decodeMedia('audio', wire, context)],
  ['searchResult', decodeSearchResult],
  ['guardContent', decodeGuardedText],
  ['citationsContent', (wire, { location }) => (isAnswer(location) ? decodeCitedText(wire) : undefined)],
  ['reasoningContent', decodeReasoning],
  ['toolUse', decodeToolCall],
  ['toolResult', decodeToolResult],
])

/** Decodes a block; a block of an unknown type becomes opaque. */
export function decodePart(wire: Json, context: BlockDecodeContext): Part {
  const usual = isObject(wire) ? decodeUsualBlock(wire, context.location) : undefined
  if (usual !== undefined) return usual
  const key = getBlockKey(wire)
  const read = isObject(wire) && key !== undefined ? readBlock(key, wire, context) : undefined
  if (read === undefined || !isObject(wire)) return createOpaquePart(DIALECT_SLOT, wire)
  const { part, hints = {} } = read
  const { location } = context
  const made = writeBlock(part, createBlockContext(hints, undefined, noReport, location, new DocumentNamer()))
  // A part that would be encoded as another type of block is not understood well enough.
  if (made === undefined || getBlockKey(made) !== key) return createOpaquePart(DIALECT_SLOT, wire)
  return freezeOwned(withResidue(part, DIALECT_SLOT, made, wire, hints))
}

function readBlock(key: string, wire: JsonObject, context: BlockDecodeContext): DecodedPart | undefined {
  const value = wire[key]
  if (key === 'text') return typeof value === 'string' ? decodeText(value, context.location) : undefined
  if (key === 'json') return value === undefined ? undefined : { part: { type: 'json', value } }
  return isObject(value) ? blockDecoders.get(key)?.(value, context, decodePart) : undefined
}

/** Decodes a block of a response. A part that no assistant message may contain becomes opaque. */
export function decodeAssistantPart(wire: Json, vendor: string): AssistantPart {
  const part = decodePart(wire, { location: 'response', vendor, documentNames: new Set() })
  return part.type === 'json' ? createOpaquePart(DIALECT_SLOT, wire) : part
}

function createBlockContext(
  hints: BlockEncodeContext['hints'],
  path: Path | undefined,
  context: EncodeContext,
  location: BlockContainerKind,
  namer: DocumentNamer,
): BlockEncodeContext {
  return { hints, path, context, location, namer, encodeNested: encodeParts }
}

/** Encodes a content part as a block, without its cache point; returns undefined if there is nothing to send. */
export function encodePart(
  part: Part,
  path: Path | undefined,
  context: EncodeContext,
  location: BlockContainerKind,
  namer: DocumentNamer = new DocumentNamer(),
): JsonObject | undefined {
  const hints = getHints(part, DIALECT_SLOT)
  const made = writeBlock(part, createBlockContext(hints, path, context, location, namer))
  if (made === undefined || part.type === 'opaque') return made
  if (part.signature !== undefined && part.type !== 'reasoning')
    context.report('foreign-signature', child(path, 'signature'))
  return applyResidue(made, part, DIALECT_SLOT)
}

/**
 * Encodes content parts as blocks, each followed by its cache point, and omits those without anything to send. `path` is the
 * path of the list.
 */
export function encodeParts(
  parts: readonly Part[],
  path: Path | undefined,
  context: EncodeContext,
  location: BlockContainerKind,
  namer: DocumentNamer,
): JsonObject[] {
  const blocks: JsonObject[] = []
  for (const [index, part] of parts.entries()) {
    const partPath = child(path, index)
    const block = encodePart(part, partPath, context, location, namer)
    if (block !== undefined) blocks.push(block)
    const { cache } = part
    if (cache === undefined || block === undefined) continue
    if (canBeCached(part) && (location === 'user' || location === 'assistant'))
      blocks.push(encodeCachePoint(cache))
    else context.report('cache-hint', child(partPath, 'cache'))
  }
  return blocks
}

function writeBlock(part: Part, blockContext: BlockEncodeContext): JsonObject | undefined {
  const { path, context, location } = blockContext
  if (isMediaPart(part)) return encodeMedia(part, blockContext)
  switch (part.type) {
    case 'text':
      return encodeText(part, blockContext)
    case 'refusal':
      context.report('refusal-as-text', path)
      return encodePlainText(part.text, blockContext)
    case 'json':
      if (location === 'result' && isObject(part.value)) return { json: part.value }
      context.report('json-as-text', path)
      return encodePlainText(JSON.stringify(part.value), blockContext)
    case 'reasoning':
      return encodeReasoning(part, blockContext)
    case 'tool-call':
      return encodeToolCall(part, blockContext)
    case 'tool-result':
      return encodeToolResult(part, blockContext)
    case 'opaque':
      return encodeOpaque(part, DIALECT_SLOT, path, context)
  }
}
