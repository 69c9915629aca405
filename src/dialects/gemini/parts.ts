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

/** What a part holds, by the key of it. */
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

/** Which kind of data a wire part holds; undefined for one of a kind that we do not know. */
export function getDataKey(wire: object): string | undefined {
  return dataKeys.find((key) => Object.hasOwn(wire, key))
}

/** Reads a part; one that we do not model is kept as it is. */
export function decodePart(came: Json, partContext: PartDecodeContext): Part {
  if (!isObject(came)) return createOpaquePart(came)
  const wire = toCamelCaseKeys(came)
  const kind = getDataKey(wire)
  const read = kind === undefined ? undefined : partDecoders[kind]?.(wire[kind] as Json, wire, partContext)
  if (read === undefined) return createOpaquePart(came)
  const { part, hints } = decodeSignature(read, wire, partContext)
  const made = writeSignedPart(withHints(part, DIALECT_SLOT, hints), createPlainContext(partContext, hints))
  // What would go out as another kind of part is not understood well enough to be taken apart.
  if (made === undefined || getDataKey(made) !== kind) return createOpaquePart(came)
  return freezeOwned(withResidue(part, DIALECT_SLOT, made, came, hints, keyAliases))
}

/** The encoder inside the decoder knows a part by itself. */
function createPlainContext(
  { location, isFirstCall = false }: PartDecodeContext,
  hints: Hints<GeminiHint>,
): PartEncodeContext {
  return { path: undefined, context: noReport, encodeNested: encodePart, location, isFirstCall, hints }
}

/** A part as it came, for one that nobody here understands or wants at its place. */
export function createOpaquePart(wire: Json): OpaquePart {
  return freezeOwned<OpaquePart>({ type: 'opaque', dialect: DIALECT_SLOT, value: wire })
}

/** Text, or thoughts. Empty text says nothing, but may come. */
function readText(text: Json, thought: Json | undefined): DecodedPart | undefined {
  if (typeof text !== 'string') return undefined
  if (thought === true) return decodeReasoning(text)
  return { part: { type: 'text', text }, ...(text === '' && { hints: { emptyText: true } }) }
}

/** Writes a part; undefined where it leaves nothing to send. */
export function encodePart(part: Part, outerContext: OuterPartContext): JsonObject | undefined {
  const { path, context, location, isFirstCall, detachedSignatures, calls } = outerContext
  // Named one by one: Node 20 takes several times as long to spread them.
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

/** A part with its signature, before its residue. */
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

/** The sources of an answer stand beside it; a request has none. */
function writeText(part: TextPart, partContext: PartEncodeContext): JsonObject | undefined {
  const made = encodePlainText(part.text, part, partContext)
  const foreign = (part.citations ?? []).some((citation) => !isGrounded(citation))
  if (made !== undefined && partContext.location !== 'response' && foreign)
    partContext.context.report('citations-dropped', child(partContext.path, 'citations'))
  return made
}

/** Empty text is refused, unless a signature needs a place. */
function encodePlainText(
  text: string,
  part: Part,
  { hints, path, context }: PartEncodeContext,
): JsonObject | undefined {
  if (text !== '' || hints['emptyText'] === true || hasValidSignature(part)) return { text }
  context.report('empty-text', path)
  return undefined
}
