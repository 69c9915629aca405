import type { AssistantPart, Part } from '../../canonical/model/part.ts'
import { isMediaPart } from '../../canonical/read/message-content.ts'
import { isEqualJson, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { applyResidue, getHints, withResidue } from '../engine/residue-slots.ts'
import { createOpaquePart, encodeOpaque, finishDecodedPart } from '../shared/opaque-content.ts'
import { decodeCacheMarker, encodeCacheMarker } from './cache-markers.ts'
import { decodeToolCall, encodeToolCall } from './tool-calls.ts'
import {
  DIALECT_SLOT,
  providerCallTypes,
  providerResultTypes,
  type RequiredBlockField,
  requiredBlockFields,
} from './constants.ts'
import { decodeSearchResult, decodeContainerUpload, decodeMedia, encodeMedia } from './media.ts'
import { decodeReasoning, encodeReasoning } from './reasoning.ts'
import { decodeProviderResult, decodeToolResult, encodeToolResult } from './tool-results.ts'
import { decodeText, encodeText, encodePlainText } from './text-blocks.ts'
import { decodeUsualBlock } from './usual-form-decoder.ts'
import type { BlockDecoder, BlockEncodeContext, BlockContainerKind } from './part-context.ts'

const blockDecoders: ReadonlyMap<unknown, BlockDecoder> = new Map<unknown, BlockDecoder>([
  ['text', decodeText],
  ['image', decodeMedia],
  ['document', decodeMedia],
  ['search_result', decodeSearchResult],
  ['container_upload', decodeContainerUpload],
  ['thinking', decodeReasoning],
  ['redacted_thinking', decodeReasoning],
  ['tool_use', decodeToolCall],
  ['tool_result', decodeToolResult],
  ...[...providerCallTypes].map((type) => [type, decodeToolCall] as const),
  ...[...providerResultTypes].map((type) => [type, decodeProviderResult] as const),
])

/** Decodes a block; a block of an unknown type becomes opaque. */
export function decodePart(wire: Json, location: BlockContainerKind): Part {
  if (!isObject(wire)) return createOpaquePart(DIALECT_SLOT, wire)
  const usual = decodeUsualBlock(wire, location)
  if (usual !== undefined) return usual
  const read = blockDecoders.get(wire['type'])?.(wire, location, decodePart)
  if (read === undefined) return createOpaquePart(DIALECT_SLOT, wire)
  const part = decodeCacheMarker(read.part, wire)
  const required = getRequiredField(wire, location)
  const isIncomplete = required !== undefined && !Object.hasOwn(wire, required[0])
  const hints = { ...read.hints, ...(isIncomplete && { missingDefaults: true }) }
  const blockContext = { hints, path: undefined, context: noReport, location, encodeNested: encodeParts }
  const made = writeBlockWithCache(part, blockContext)
  const exact = withResidue(part, DIALECT_SLOT, made, omitIfEmpty(wire, required), hints)
  return finishDecodedPart(exact, made, wire, DIALECT_SLOT)
}

function omitIfEmpty(wire: JsonObject, required: RequiredBlockField | undefined): JsonObject {
  if (required === undefined) return wire
  const [key, empty] = required
  const { [key]: value, ...others } = wire
  return isEqualJson(value, empty) ? others : wire
}

/** Decodes a block of a response. A part that no assistant message may contain becomes opaque. */
export function decodeAssistantPart(wire: Json): AssistantPart {
  const part = decodePart(wire, 'response')
  return part.type === 'json' ? createOpaquePart(DIALECT_SLOT, wire) : part
}

function getRequiredField(
  { type }: JsonObject,
  location: BlockContainerKind,
): RequiredBlockField | undefined {
  return location === 'response' ? requiredBlockFields.get(type) : undefined
}

/** Encodes a content part as a block; returns undefined if there is nothing to send. */
export function encodePart(
  part: Part,
  path: Path | undefined,
  context: EncodeContext,
  location: BlockContainerKind,
): JsonObject | undefined {
  const hints = getHints(part, DIALECT_SLOT)
  const made = writeBlockWithCache(part, { hints, path, context, location, encodeNested: encodeParts })
  if (made === undefined || part.type === 'opaque') return made
  const patched = applyResidue(made, part, DIALECT_SLOT)
  const required = hints['missingDefaults'] === true ? undefined : getRequiredField(patched, location)
  return required === undefined ? patched : { [required[0]]: required[1], ...patched }
}

/** Encodes content parts as blocks and omits those without anything to send. `path` is the path of the list. */
export function encodeParts(
  parts: readonly Part[],
  path: Path | undefined,
  context: EncodeContext,
  location: BlockContainerKind,
): JsonObject[] {
  const blocks: JsonObject[] = []
  for (const [index, part] of parts.entries()) {
    const block = encodePart(part, child(path, index), context, location)
    if (block !== undefined) blocks.push(block)
  }
  return blocks
}

/** Encodes a content part with its cache marker, without its residue. */
function writeBlockWithCache(part: Part, blockContext: BlockEncodeContext): JsonObject | undefined {
  const { path, context, location } = blockContext
  const made = writeBlock(part, blockContext)
  if (made === undefined || part.type === 'opaque') return made
  if (part.signature !== undefined && part.type !== 'reasoning')
    context.report('foreign-signature', child(path, 'signature'))
  if (part.cache === undefined) return made
  const isReasoning = made['type'] === 'thinking' || made['type'] === 'redacted_thinking'
  if (!isReasoning && location !== 'response') return { ...made, ...encodeCacheMarker(part) }
  context.report('cache-hint', child(path, 'cache'))
  return made
}

function writeBlock(part: Part, blockContext: BlockEncodeContext): JsonObject | undefined {
  const { path, context } = blockContext
  if (isMediaPart(part)) return encodeMedia(part, blockContext)
  switch (part.type) {
    case 'text':
      return encodeText(part, blockContext)
    case 'refusal':
      context.report('refusal-as-text', path)
      return encodePlainText(part.text, blockContext)
    case 'json':
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
