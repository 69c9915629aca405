import type { AssistantPart, OpaquePart, Part } from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isEqualJson, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { applyResidue, getHints, withHints, withResidue } from '../engine/residue-slots.ts'
import { encodeOpaque } from '../shared/opaque-message.ts'
import { decodeCacheMarker, encodePartCacheMarker } from './cache-markers.ts'
import { decodeToolCall, encodeToolCall } from './tool-calls.ts'
import { providerResultTypes, requiredResponseFields, DIALECT_SLOT } from './constants.ts'
import { decodeSearchResult, decodeContainerUpload, decodeMedia, encodeMedia } from './media.ts'
import { decodeReasoning, encodeReasoning } from './reasoning.ts'
import { decodeProviderResult, decodeToolResult, encodeToolResult } from './tool-results.ts'
import { decodeText, encodeText, encodePlainText } from './text-blocks.ts'
import type { AnthropicHint } from './hints.ts'

/** Where a block stands: what is fine in an answer may be refused in a turn of the user. */
export type BlockLocation = 'response' | 'assistant' | 'user' | 'result'

/** A part as the wire says it, with the forms to remember. */
export interface DecodedPart {
  readonly part: Part
  readonly hints?: Hints<AnthropicHint>
}

/** Everything that writing a block depends on beside the part. */
export interface BlockEncodeContext {
  readonly hints: Hints<AnthropicHint>
  readonly path: Path | undefined
  readonly context: EncodeContext
  readonly location: BlockLocation
  /** Writes the parts inside of this one. */
  readonly encodeNested: typeof encodeParts
}

/** Reads a block of one type; `inside` reads what it holds. */
type BlockReader = (
  wire: JsonObject,
  place: BlockLocation,
  inside: typeof decodePart,
) => DecodedPart | undefined

const blockReaders: { readonly [type: string]: BlockReader } = {
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

/** Reads a block; one that we do not model is kept as it is. */
export function decodePart(wire: Json, place: BlockLocation = 'assistant'): Part {
  const read = isObject(wire) ? readBlock(wire, place) : undefined
  if (read === undefined || !isObject(wire)) return createOpaquePart(wire)
  const part = decodeCacheMarker(read.part, wire)
  const hints = { ...read.hints, ...(hasNoRequiredFields(wire, place) && { missingDefaults: true }) }
  const made = writeBlockWithCache(withHints(part, DIALECT_SLOT, hints), undefined, noReport, place)
  // What would go out as another kind of block is not understood well enough to be taken apart.
  const understood = made !== undefined && made['type'] === wire['type']
  if (!understood) return createOpaquePart(wire)
  return freezeOwned(withResidue(part, DIALECT_SLOT, made, omitRequiredDefaults(wire, place), hints))
}

/** What no answer says, such as a result of the application, stays as it came. */
export function decodeAssistantPart(wire: Json): AssistantPart {
  const part = decodePart(wire, 'response')
  return part.type === 'json' ? createOpaquePart(wire) : part
}

/** A block as it came, for one that nobody here understands or wants at its place. */
export function createOpaquePart(wire: Json): OpaquePart {
  return freezeOwned<OpaquePart>({ type: 'opaque', dialect: DIALECT_SLOT, value: wire })
}

function readBlock(wire: JsonObject, place: BlockLocation): DecodedPart | undefined {
  const type = wire['type']
  if (providerResultTypes.has(type)) return decodeProviderResult(wire)
  return typeof type === 'string' && Object.hasOwn(blockReaders, type)
    ? blockReaders[type]?.(wire, place, decodePart)
    : undefined
}

/** What a block of a response must have, whatever it says; undefined for one that must have nothing. */
function getRequiredFields({ type }: JsonObject, place: BlockLocation): JsonObject | undefined {
  return place === 'response' && typeof type === 'string' && Object.hasOwn(requiredResponseFields, type)
    ? requiredResponseFields[type]
    : undefined
}

/** Older answers lack what is required today. */
function hasNoRequiredFields(wire: JsonObject, place: BlockLocation): boolean {
  const defaults = getRequiredFields(wire, place)
  return defaults !== undefined && Object.keys(defaults).some((key) => !Object.hasOwn(wire, key))
}

function omitRequiredDefaults(wire: JsonObject, place: BlockLocation): JsonObject {
  const defaults = getRequiredFields(wire, place)
  if (defaults === undefined) return wire
  return Object.fromEntries(
    Object.entries(wire).filter(
      ([key, value]) => !(Object.hasOwn(defaults, key) && isEqualJson(defaults[key], value)),
    ),
  )
}

/** Writes a part as a block; undefined where it leaves nothing to send. */
export function encodePart(
  part: Part,
  path: Path | undefined,
  context: EncodeContext,
  place: BlockLocation = 'assistant',
): JsonObject | undefined {
  const made = writeBlockWithCache(part, path, context, place)
  if (made === undefined || part.type === 'opaque') return made
  const patched = applyResidue(made, part, DIALECT_SLOT)
  const defaults =
    getHints(part, DIALECT_SLOT)['missingDefaults'] === true ? undefined : getRequiredFields(patched, place)
  return defaults === undefined ? patched : { ...defaults, ...patched }
}

/** Writes parts as blocks, without those that leave nothing to send; `at` is where the list stands. */
export function encodeParts(
  parts: readonly Part[],
  path: Path | undefined,
  context: EncodeContext,
  place: BlockLocation,
): JsonObject[] {
  const blocks: JsonObject[] = []
  for (const [index, part] of parts.entries()) {
    const block = encodePart(part, child(path, index), context, place)
    if (block !== undefined) blocks.push(block)
  }
  return blocks
}

/** A block with its cache marker, before its residue. */
function writeBlockWithCache(
  part: Part,
  path: Path | undefined,
  context: EncodeContext,
  place: BlockLocation,
): JsonObject | undefined {
  const made = writeBlock(part, {
    hints: getHints(part, DIALECT_SLOT),
    path,
    context,
    location: place,
    encodeNested: encodeParts,
  })
  if (made === undefined || part.type === 'opaque') return made
  if (part.signature !== undefined && part.type !== 'reasoning')
    context.report('foreign-signature', child(path, 'signature'))
  return part.cache === undefined
    ? made
    : { ...made, ...encodePartCacheMarker(part, made, path, context, place) }
}

function writeBlock(part: Part, writing: BlockEncodeContext): JsonObject | undefined {
  const { path, context } = writing
  switch (part.type) {
    case 'text':
      return encodeText(part, writing)
    case 'refusal':
      context.report('refusal-as-text', path)
      return encodePlainText(part.text, writing)
    case 'json':
      context.report('json-as-text', path)
      return encodePlainText(JSON.stringify(part.value), writing)
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
      return encodeToolResult(part, writing)
    case 'opaque':
      return encodeOpaque(part, DIALECT_SLOT, path, context)
  }
}
