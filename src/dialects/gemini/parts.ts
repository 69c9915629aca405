import type { Part, TextPart } from '../../canonical/model/part.ts'
import { isMediaPart } from '../../canonical/read/message-content.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import { noReport } from '../engine/encode-context.ts'
import { applyResidue, getHints, withResidue } from '../engine/residue-slots.ts'
import { createOpaquePart, encodeOpaque } from '../shared/opaque-content.ts'
import { decodeToolCall, encodeToolCall } from './tool-calls.ts'
import { DIALECT_SLOT } from './constants.ts'
import { isGroundingCitation } from './citations.ts'
import { decodeFile, decodeMedia, encodeMedia } from './media.ts'
import { encodeProviderResult, providerPartDecoders } from './provider-tools.ts'
import {
  decodeReasoning,
  encodeReasoning,
  hasValidSignature,
  attachWireSignature,
  encodeSignature,
} from './reasoning.ts'
import { decodeToolResult, encodeToolResult } from './tool-results.ts'
import { keyAliases, toCamelCaseKeys } from './key-casing.ts'
import type { GeminiHints } from './hints.ts'
import type { DecodedPart, PartDecodeContext, PartDecoders, PartEncodeContext } from './part-context.ts'
import { decodeUsualPart } from './usual-form-decoder.ts'

const partDecoders: PartDecoders = {
  inlineData: decodeMedia,
  fileData: (body, { callIds }) => decodeFile(body, callIds.flavor),
  functionCall: decodeToolCall,
  functionResponse: (body, { callIds }) => decodeToolResult(body, callIds, decodePart),
  ...providerPartDecoders,
}
const dataKeys: readonly string[] = ['text', ...Object.keys(partDecoders)]

/** Returns the data key of a wire part; undefined for an unknown kind of part. */
export function getPartDataKey(wire: object): string | undefined {
  return dataKeys.find((key) => Object.hasOwn(wire, key))
}

/** Decodes a wire part; a part of an unknown kind becomes opaque. */
export function decodePart(wire: Json, partContext: PartDecodeContext): Part {
  const usual = decodeUsualPart(wire, partContext)
  if (usual !== undefined) return usual
  if (!isObject(wire)) return createOpaquePart(DIALECT_SLOT, wire)
  const camelWire = toCamelCaseKeys(wire)
  const dataKey = getPartDataKey(camelWire) ?? ''
  const body = camelWire[dataKey]
  const read = isObject(body) ? partDecoders[dataKey]?.(body, partContext) : readText(camelWire)
  if (read === undefined) return createOpaquePart(DIALECT_SLOT, wire)
  const { location, isFirstCall = false } = partContext
  const { part, hints } = attachWireSignature(read, camelWire, isFirstCall)
  const made = writeSignedPart(part, hints, { path: undefined, context: noReport, location, isFirstCall })
  // A part that would be encoded as another kind of part is not understood well enough.
  if (made === undefined || getPartDataKey(made) !== dataKey) return createOpaquePart(DIALECT_SLOT, wire)
  return freezeOwned(withResidue(part, DIALECT_SLOT, made, wire, hints, keyAliases))
}

/** Decodes text or reasoning. A hint records empty text. */
function readText({ text, thought }: JsonObject): DecodedPart | undefined {
  if (typeof text !== 'string') return undefined
  if (thought === true) return decodeReasoning(text)
  return { part: { type: 'text', text }, ...(text === '' && { hints: { emptyText: true } }) }
}

/** Encodes a content part; returns undefined if there is nothing to send. */
export function encodePart(part: Part, partContext: PartEncodeContext): JsonObject | undefined {
  const made = writeSignedPart(part, getHints(part, DIALECT_SLOT), partContext)
  return made === undefined || part.type === 'opaque' ? made : applyResidue(made, part, DIALECT_SLOT)
}

/** Encodes a content part with its signature, without its residue. */
function writeSignedPart(
  part: Part,
  hints: GeminiHints,
  partContext: PartEncodeContext,
): JsonObject | undefined {
  const made = writePart(part, hints, partContext)
  if (made === undefined || part.type === 'opaque') return made
  if (part.cache !== undefined) partContext.context.report('cache-hint', child(partContext.path, 'cache'))
  const signature = encodeSignature(part, made, hints, partContext)
  return signature === undefined ? made : Object.assign({}, made, { thoughtSignature: signature })
}

function writePart(part: Part, hints: GeminiHints, partContext: PartEncodeContext): JsonObject | undefined {
  const { path, context, location } = partContext
  if (isMediaPart(part)) return encodeMedia(part, hints, partContext)
  switch (part.type) {
    case 'text':
      return writeText(part, hints, partContext)
    case 'refusal':
      context.report('refusal-as-text', path)
      return encodePlainText(part.text, part, hints, partContext)
    case 'json':
      context.report('json-as-text', path)
      return encodePlainText(JSON.stringify(part.value), part, hints, partContext)
    case 'reasoning':
      return encodeReasoning(part, hints, partContext)
    case 'tool-call':
      return encodeToolCall(part, hints, partContext)
    case 'tool-result':
      return location === 'tool'
        ? encodeToolResult(part, hints, partContext, encodePart)
        : encodeProviderResult(part, hints, partContext)
    case 'opaque':
      return encodeOpaque(part, DIALECT_SLOT, path, context)
  }
}

/** Encodes text. Citations are part of a candidate's grounding metadata; a request has no field for them. */
function writeText(
  part: TextPart,
  hints: GeminiHints,
  partContext: PartEncodeContext,
): JsonObject | undefined {
  const { path, context, location } = partContext
  const made = encodePlainText(part.text, part, hints, partContext)
  const isForeign = part.citations?.some((citation) => !isGroundingCitation(citation)) === true
  if (made !== undefined && location !== 'response' && isForeign)
    context.report('citations-dropped', child(path, 'citations'))
  return made
}

/** Encodes a string. The API rejects empty text, which is omitted unless the part has a signature. */
function encodePlainText(
  text: string,
  part: Part,
  hints: GeminiHints,
  { path, context }: PartEncodeContext,
): JsonObject | undefined {
  if (text !== '' || hints['emptyText'] === true || hasValidSignature(part)) return { text }
  context.report('empty-text', path)
  return undefined
}
