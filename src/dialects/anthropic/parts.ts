import type { AssistantPart, Part } from '../../canonical/model/part.ts'
import { isEqualJson, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { applyResidue, getHints, withHints, withResidue } from '../engine/residue-slots.ts'
import { encodeOpaque } from '../shared/opaque-message.ts'
import { createOpaquePart, finishDecodedPart } from '../shared/opaque-parts.ts'
import { decodeCacheMarker, encodePartCacheMarker } from './cache-markers.ts'
import { decodeToolCall, encodeToolCall } from './tool-calls.ts'
import { providerResultTypes, requiredResponseFields, DIALECT_SLOT } from './constants.ts'
import { decodeSearchResult, decodeContainerUpload, decodeMedia, encodeMedia } from './media.ts'
import { decodeReasoning, encodeReasoning } from './reasoning.ts'
import { decodeProviderResult, decodeToolResult, encodeToolResult } from './tool-results.ts'
import { decodeText, encodeText, encodePlainText } from './text-blocks.ts'
import type { BlockDecoder, BlockEncodeContext, BlockLocation, DecodedPart } from './part-context.ts'

const blockDecoders: { readonly [type: string]: BlockDecoder } = {
  text: decodeText,
  image: decodeMedia,
  document: decodeMedia,
  search_result: decodeSearchResult,
  container_upload: decodeContainerUpload,
  thinking: decodeReasoning,
  redacted_thinking: decodeReasoning,
  tool_use: decodeToolCall,
  server_tool_use: decodeToolCall,
  mcp_tool_use: decodeToolCall,
  tool_result: decodeToolResult,
}

/** Decodes a block; a block of an unknown type becomes opaque. */
export function decodePart(wire: Json, location: BlockLocation = 'assistant'): Part {
  const read = isObject(wire) ? readBlock(wire, location) : undefined
  if (read === undefined || !isObject(wire)) return createOpaquePart(DIALECT_SLOT, wire)
  const part = decodeCacheMarker(read.part, wire)
  const hints = { ...read.hints, ...(isMissingRequiredFields(wire, location) && { missingDefaults: true }) }
  const made = writeBlockWithCache(withHints(part, DIALECT_SLOT, hints), undefined, noReport, location)
  const exact = withResidue(part, DIALECT_SLOT, made, omitRequiredDefaults(wire, location), hints)
  return finishDecodedPart(exact, made, wire, DIALECT_SLOT)
}

/** Decodes a block of a response. A part that no assistant message may contain becomes opaque. */
export function decodeAssistantPart(wire: Json): AssistantPart {
  const part = decodePart(wire, 'response')
  return part.type === 'json' ? createOpaquePart(DIALECT_SLOT, wire) : part
}

function readBlock(wire: JsonObject, location: BlockLocation): DecodedPart | undefined {
  const type = wire['type']
  if (providerResultTypes.has(type)) return decodeProviderResult(wire)
  return typeof type === 'string' && Object.hasOwn(blockDecoders, type)
    ? blockDecoders[type]?.(wire, location, decodePart)
    : undefined
}

/**
 * Returns the fields that a block of a response must have, with their defaults; undefined if there are none.
 */
function getRequiredFields({ type }: JsonObject, location: BlockLocation): JsonObject | undefined {
  return location === 'response' && typeof type === 'string' && Object.hasOwn(requiredResponseFields, type)
    ? requiredResponseFields[type]
    : undefined
}

/** Returns true for a block of an older response, which has not all the fields that are required today. */
function isMissingRequiredFields(wire: JsonObject, location: BlockLocation): boolean {
  const defaults = getRequiredFields(wire, location)
  return defaults !== undefined && Object.keys(defaults).some((key) => !Object.hasOwn(wire, key))
}

function omitRequiredDefaults(wire: JsonObject, location: BlockLocation): JsonObject {
  const defaults = getRequiredFields(wire, location)
  if (defaults === undefined) return wire
  return Object.fromEntries(
    Object.entries(wire).filter(
      ([key, value]) => !(Object.hasOwn(defaults, key) && isEqualJson(defaults[key], value)),
    ),
  )
}

/** Encodes a content part as a block; returns undefined if there is nothing to send. */
export function encodePart(
  part: Part,
  path: Path | undefined,
  context: EncodeContext,
  location: BlockLocation = 'assistant',
): JsonObject | undefined {
  const made = writeBlockWithCache(part, path, context, location)
  if (made === undefined || part.type === 'opaque') return made
  const patched = applyResidue(made, part, DIALECT_SLOT)
  const defaults =
    getHints(part, DIALECT_SLOT)['missingDefaults'] === true
      ? undefined
      : getRequiredFields(patched, location)
  return defaults === undefined ? patched : { ...defaults, ...patched }
}

/** Encodes content parts as blocks and omits those without anything to send. `path` is the path of the list. */
export function encodeParts(
  parts: readonly Part[],
  path: Path | undefined,
  context: EncodeContext,
  location: BlockLocation,
): JsonObject[] {
  const blocks: JsonObject[] = []
  for (const [index, part] of parts.entries()) {
    const block = encodePart(part, child(path, index), context, location)
    if (block !== undefined) blocks.push(block)
  }
  return blocks
}

/** Encodes a content part with its cache marker, without its residue. */
function writeBlockWithCache(
  part: Part,
  path: Path | undefined,
  context: EncodeContext,
  location: BlockLocation,
): JsonObject | undefined {
  const made = writeBlock(part, {
    hints: getHints(part, DIALECT_SLOT),
    path,
    context,
    location,
    encodeNested: encodeParts,
  })
  if (made === undefined || part.type === 'opaque') return made
  if (part.signature !== undefined && part.type !== 'reasoning')
    context.report('foreign-signature', child(path, 'signature'))
  return part.cache === undefined
    ? made
    : { ...made, ...encodePartCacheMarker(part, made, path, context, location) }
}

function writeBlock(part: Part, partContext: BlockEncodeContext): JsonObject | undefined {
  const { path, context } = partContext
  switch (part.type) {
    case 'text':
      return encodeText(part, partContext)
    case 'refusal':
      context.report('refusal-as-text', path)
      return encodePlainText(part.text, partContext)
    case 'json':
      context.report('json-as-text', path)
      return encodePlainText(JSON.stringify(part.value), partContext)
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
      return encodeMedia(part, partContext)
    case 'reasoning':
      return encodeReasoning(part, partContext)
    case 'tool-call':
      return encodeToolCall(part, partContext)
    case 'tool-result':
      return encodeToolResult(part, partContext)
    case 'opaque':
      return encodeOpaque(part, DIALECT_SLOT, path, context)
  }
}
