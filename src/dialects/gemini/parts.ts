import type { OpaquePart, Part, TextPart } from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import { noReport } from '../engine/encode-context.ts'
import { applyResidue, getHints, withHints, withResidue } from '../engine/residue-slots.ts'
import { encodeOpaque } from '../shared/opaque-message.ts'
import { decodeToolCall, encodeToolCall } from './tool-calls.ts'
import { DIALECT_SLOT } from './constants.ts'
import { isGrounded } from './citations.ts'
import { decodeMedia, encodeMedia } from './media.ts'
import {
  decodeCodeExecution,
  decodeCodeExecutionResult,
  decodeProviderCall,
  decodeProviderResult,
  encodeProviderResult,
} from './provider-tools.ts'
import {
  decodeReasoning,
  encodeReasoning,
  hasValidSignature,
  decodeSignature,
  encodeSignature,
} from './reasoning.ts'
import { decodeToolResult, encodeToolResult } from './tool-results.ts'
import { keyAliases, toCamelCaseKeys } from './key-casing.ts'
import type { GeminiHint } from './hints.ts'
import type { DecodedPart, OuterPartContext, PartDecodeContext, PartEncodeContext } from './part-context.ts'

/** Decoders by the data key of a wire part. */
const partDecoders: {
  readonly [key: string]: (
    body: Json,
    wire: JsonObject,
    partContext: PartDecodeContext,
  ) => DecodedPart | undefined
} = {
  text: (body, { thought }) => readText(body, thought),
  inlineData: (_body, wire) => decodeMedia(wire),
  fileData: (_body, wire) => decodeMedia(wire),
  functionCall: (body, _wire, { callIds }) => decodeToolCall(body, callIds),
  functionResponse: (body, _wire, { callIds }) => decodeToolResult(body, callIds, decodePart),
  executableCode: (body, _wire, { callIds }) => decodeCodeExecution(body, callIds),
  codeExecutionResult: (body, _wire, { callIds }) => decodeCodeExecutionResult(body, callIds),
  toolCall: (body, _wire, { callIds }) => decodeProviderCall(body, callIds),
  toolResponse: (body, _wire, { callIds }) => decodeProviderResult(body, callIds),
}
const dataKeys: readonly string[] = Object.keys(partDecoders)

/** Returns the data key of a wire part; undefined for an unknown kind of part. */
export function getDataKey(wire: object): string | undefined {
  return dataKeys.find((key) => Object.hasOwn(wire, key))
}

/** Decodes a wire part; a part of an unknown kind becomes opaque. */
export function decodePart(wire: Json, partContext: PartDecodeContext): Part {
  if (!isObject(wire)) return createOpaquePart(wire)
  const camelWire = toCamelCaseKeys(wire)
  const dataKey = getDataKey(camelWire)
  const read =
    dataKey === undefined
      ? undefined
      : partDecoders[dataKey]?.(camelWire[dataKey] as Json, camelWire, partContext)
  if (read === undefined) return createOpaquePart(wire)
  const { part, hints } = decodeSignature(read, camelWire, partContext)
  const made = writeSignedPart(withHints(part, DIALECT_SLOT, hints), createPlainContext(partContext, hints))
  // A part that would be encoded as another kind of part stays opaque, since it is not understood well
  // enough.
  if (made === undefined || getDataKey(made) !== dataKey) return createOpaquePart(wire)
  return freezeOwned(withResidue(part, DIALECT_SLOT, made, wire, hints, keyAliases))
}

/** Creates the context of the encoder inside the decoder, which knows only the part. */
function createPlainContext(
  { location, isFirstCall = false }: PartDecodeContext,
  hints: Hints<GeminiHint>,
): PartEncodeContext {
  return { path: undefined, context: noReport, encodeNested: encodePart, location, isFirstCall, hints }
}

/** Wraps a wire part in an opaque part, for a part that is unknown or not allowed in its message. */
export function createOpaquePart(wire: Json): OpaquePart {
  return freezeOwned<OpaquePart>({ type: 'opaque', dialect: DIALECT_SLOT, value: wire })
}

/** Decodes text or reasoning. A hint records empty text. */
function readText(text: Json, thought: Json | undefined): DecodedPart | undefined {
  if (typeof text !== 'string') return undefined
  if (thought === true) return decodeReasoning(text)
  return { part: { type: 'text', text }, ...(text === '' && { hints: { emptyText: true } }) }
}

/** Encodes a content part; returns undefined if there is nothing to send. */
export function encodePart(part: Part, outerContext: OuterPartContext): JsonObject | undefined {
  const { path, context, location, isFirstCall, detachedSignatures, calls } = outerContext
  // Fields are listed one by one, because Node 20 takes several times as long to spread them.
  const partContext = {
    hints: getHints(part, DIALECT_SLOT),
    path,
    context,
    location,
    isFirstCall,
    detachedSignatures,
    calls,
    encodeNested: encodePart,
  }
  const made = writeSignedPart(part, partContext)
  return made === undefined || part.type === 'opaque' ? made : applyResidue(made, part, DIALECT_SLOT)
}

/** Encodes a content part with its signature, without its residue. */
function writeSignedPart(part: Part, partContext: PartEncodeContext): JsonObject | undefined {
  const made = writePart(part, partContext)
  if (made === undefined || part.type === 'opaque') return made
  const { path, context } = partContext
  if (part.cache !== undefined) context.report('cache-hint', child(path, 'cache'))
  const signature = encodeSignature(part, made, partContext)
  return signature === undefined ? made : Object.assign({}, made, { thoughtSignature: signature })
}

function writePart(part: Part, partContext: PartEncodeContext): JsonObject | undefined {
  const { path, context, location } = partContext
  switch (part.type) {
    case 'text':
      return writeText(part, partContext)
    case 'refusal':
      context.report('refusal-as-text', path)
      return encodePlainText(part.text, part, partContext)
    case 'json':
      context.report('json-as-text', path)
      return encodePlainText(JSON.stringify(part.value), part, partContext)
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
      return location === 'tool'
        ? encodeToolResult(part, partContext)
        : encodeProviderResult(part, partContext)
    case 'opaque':
      return encodeOpaque(part, DIALECT_SLOT, path, context)
  }
}

/** Encodes text. Citations are part of a candidate's grounding metadata; a request has no field for them. */
function writeText(part: TextPart, partContext: PartEncodeContext): JsonObject | undefined {
  const made = encodePlainText(part.text, part, partContext)
  const foreign = (part.citations ?? []).some((citation) => !isGrounded(citation))
  if (made !== undefined && partContext.location !== 'response' && foreign)
    partContext.context.report('citations-dropped', child(partContext.path, 'citations'))
  return made
}

/**
 * Encodes a string; returns undefined for empty text, which the API rejects, unless the part has a signature.
 */
function encodePlainText(
  text: string,
  part: Part,
  { hints, path, context }: PartEncodeContext,
): JsonObject | undefined {
  if (text !== '' || hints['emptyText'] === true || hasValidSignature(part)) return { text }
  context.report('empty-text', path)
  return undefined
}
