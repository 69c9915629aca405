import type { OpaquePart, Part, TextPart } from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { applyResidue, getHints, withHints, withResidue } from '../engine/residue-slots.ts'
import { encodeOpaque } from '../shared/opaque-message.ts'
import type { CallIdResolver } from './call-ids.ts'
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
import type { EncodedCalls } from './encoded-calls.ts'
import { keyAliases, toCamelCaseKeys } from './key-casing.ts'
import type { GeminiHint } from './hints.ts'

/** Where a part stands: what is fine in one place may be refused, or needed, in another. */
type PartLocation = 'response' | 'assistant' | 'user' | 'system' | 'tool' | 'result'

/** A part as the wire says it, with the forms to remember. */
export interface DecodedPart {
  readonly part: Part
  readonly hints?: Hints<GeminiHint>
}

/** Everything that reading a part depends on beside the part. */
export interface PartDecodeContext {
  readonly location: PartLocation
  readonly callIds: CallIdResolver
  /** Whether a call at this place is the first of its message. */
  readonly isFirstCall?: boolean
}

/** Everything that writing a part depends on beside the part. */
export interface PartEncodeContext {
  readonly hints: Hints<GeminiHint>
  readonly path: Path | undefined
  readonly context: EncodeContext
  readonly location: PartLocation
  readonly isFirstCall: boolean
  /** Signatures that another host gave apart from the calls that they vouch for. */
  readonly detachedSignatures?: string[] | undefined
  /** The calls of the conversation so far, for the results. */
  readonly calls?: EncodedCalls | undefined
  /** Writes a part inside of this one. */
  readonly encodeNested: typeof encodePart
}

/** What a part holds, by the key of it. */
const partReaders: {
  readonly [key: string]: (
    body: Json,
    wire: JsonObject,
    reading: PartDecodeContext,
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
const dataKeys: readonly string[] = Object.keys(partReaders)

/** Which kind of data a wire part holds; undefined for one of a kind that we do not know. */
export function getDataKey(wire: object): string | undefined {
  return dataKeys.find((key) => Object.hasOwn(wire, key))
}

/** Reads a part; one that we do not model is kept as it is. */
export function decodePart(came: Json, reading: PartDecodeContext): Part {
  if (!isObject(came)) return createOpaquePart(came)
  const wire = toCamelCaseKeys(came)
  const kind = getDataKey(wire)
  const read = kind === undefined ? undefined : partReaders[kind]?.(wire[kind] as Json, wire, reading)
  if (read === undefined) return createOpaquePart(came)
  const { part, hints } = decodeSignature(read, wire, reading)
  const made = writeSignedPart(withHints(part, DIALECT_SLOT, hints), createPlainContext(reading, hints))
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
export function encodePart(
  part: Part,
  writing: Omit<PartEncodeContext, 'hints' | 'encodeNested'>,
): JsonObject | undefined {
  const { path, context, location, isFirstCall, detachedSignatures, calls } = writing
  // Named one by one: Node 20 takes several times as long to spread them.
  const whole = {
    hints: getHints(part, DIALECT_SLOT),
    path,
    context,
    location,
    isFirstCall,
    detachedSignatures,
    calls,
    encodeNested: encodePart,
  }
  const made = writeSignedPart(part, whole)
  return made === undefined || part.type === 'opaque' ? made : applyResidue(made, part, DIALECT_SLOT)
}

/** A part with its signature, before its residue. */
function writeSignedPart(part: Part, writing: PartEncodeContext): JsonObject | undefined {
  const made = writePart(part, writing)
  if (made === undefined || part.type === 'opaque') return made
  const { path, context } = writing
  if (part.cache !== undefined) context.report('cache-hint', child(path, 'cache'))
  const signature = encodeSignature(part, made, writing)
  return signature === undefined ? made : Object.assign({}, made, { thoughtSignature: signature })
}

function writePart(part: Part, writing: PartEncodeContext): JsonObject | undefined {
  const { path, context, location } = writing
  switch (part.type) {
    case 'text':
      return writeText(part, writing)
    case 'refusal':
      context.report('refusal-as-text', path)
      return encodePlainText(part.text, part, writing)
    case 'json':
      context.report('json-as-text', path)
      return encodePlainText(JSON.stringify(part.value), part, writing)
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
      return encodeMedia(part, writing)
    case 'reasoning':
      return encodeReasoning(part, writing)
    case 'tool-call':
      return encodeToolCall(part, writing)
    case 'tool-result':
      return location === 'tool' ? encodeToolResult(part, writing) : encodeProviderResult(part, writing)
    case 'opaque':
      return encodeOpaque(part, DIALECT_SLOT, path, context)
  }
}

/** The sources of an answer stand beside it; a request has none. */
function writeText(part: TextPart, writing: PartEncodeContext): JsonObject | undefined {
  const made = encodePlainText(part.text, part, writing)
  const foreign = (part.citations ?? []).some((citation) => !isGrounded(citation))
  if (made !== undefined && writing.location !== 'response' && foreign)
    writing.context.report('citations-dropped', child(writing.path, 'citations'))
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
