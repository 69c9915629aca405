import type { AssistantPart, OpaquePart, Part } from '../../canonical/model/part.ts'
import { sealOwn } from '../../wire/frozen.ts'
import { equalJson, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import { type Encoding, silent } from '../encoding.ts'
import { applyResidue, hintsFor, withHints, withResidue } from '../unit.ts'
import { encodeOpaque } from '../shared/opaque.ts'
import { decodeCache, encodeCache } from './cache.ts'
import { decodeCall, encodeCall } from './calls.ts'
import { providerResults, requiredFields, SLOT } from './codes.ts'
import { decodeSearchResult, decodeUpload } from './documents.ts'
import { decodeMedia, encodeMedia } from './media.ts'
import { decodeReasoning, encodeReasoning } from './reasoning.ts'
import { decodeProviderResult, decodeResult, encodeResult } from './results.ts'
import { decodeText, encodeText, writeWords } from './text.ts'
import type { AnthropicHint } from './hints.ts'

type Wire = { readonly [key: string]: Json }

/** Where a block stands: what is fine in an answer may be refused in a turn of the user. */
export type Place = 'response' | 'assistant' | 'user' | 'result'

/** A part as the wire says it, with the forms to remember. */
export interface Read {
  readonly part: Part
  readonly hints?: Hints<AnthropicHint>
}

/** Everything that writing a block depends on beside the part. */
export interface Writing {
  readonly hints: Hints<AnthropicHint>
  readonly at: Path | undefined
  readonly encoding: Encoding
  readonly place: Place
  /** Writes the parts inside of this one. */
  readonly inside: typeof encodeParts
}

/** Reads a block of one type; `inside` reads what it holds. */
type Reader = (wire: Wire, place: Place, inside: typeof decodePart) => Read | undefined

const readers: { readonly [type: string]: Reader } = {
  text: decodeText,
  image: decodeMedia,
  document: decodeMedia,
  search_result: decodeSearchResult,
  container_upload: decodeUpload,
  thinking: decodeReasoning,
  redacted_thinking: decodeReasoning,
  tool_use: decodeCall,
  server_tool_use: decodeCall,
  mcp_tool_use: decodeCall,
  tool_result: decodeResult,
}

/** Reads a block; one that we do not model is kept as it is. */
export function decodePart(wire: Json, place: Place = 'assistant'): Part {
  const read = isObject(wire) ? readBlock(wire, place) : undefined
  if (read === undefined || !isObject(wire)) return opaque(wire)
  const part = decodeCache(read.part, wire)
  const hints = { ...read.hints, ...(isBare(wire, place) && { missingDefaults: true }) }
  const made = writeWhole(withHints(part, SLOT, hints), undefined, silent, place)
  // What would go out as another kind of block is not understood well enough to be taken apart.
  const understood = made !== undefined && made['type'] === wire['type']
  if (!understood) return opaque(wire)
  return sealOwn(withResidue(part, SLOT, made, withoutDefaults(wire, place), hints))
}

/** What no answer says, such as a result of the application, stays as it came. */
export function decodeAnswerPart(wire: Json): AssistantPart {
  const part = decodePart(wire, 'response')
  return part.type === 'json' ? opaque(wire) : part
}

/** A block as it came, for one that nobody here understands or wants at its place. */
export function opaque(wire: Json): OpaquePart {
  return sealOwn<OpaquePart>({ type: 'opaque', dialect: SLOT, value: wire })
}

function readBlock(wire: Wire, place: Place): Read | undefined {
  const type = wire['type']
  if (providerResults.has(type)) return decodeProviderResult(wire)
  return typeof type === 'string' && Object.hasOwn(readers, type)
    ? readers[type]?.(wire, place, decodePart)
    : undefined
}

/** What a block of a response must have, whatever it says; undefined for one that must have nothing. */
function defaultsFor({ type }: Wire, place: Place): JsonObject | undefined {
  return place === 'response' && typeof type === 'string' && Object.hasOwn(requiredFields, type)
    ? requiredFields[type]
    : undefined
}

/** Older answers lack what is required today. */
function isBare(wire: Wire, place: Place): boolean {
  const defaults = defaultsFor(wire, place)
  return defaults !== undefined && Object.keys(defaults).some((key) => !Object.hasOwn(wire, key))
}

function withoutDefaults(wire: Wire, place: Place): JsonObject {
  const defaults = defaultsFor(wire, place)
  if (defaults === undefined) return wire
  return Object.fromEntries(
    Object.entries(wire).filter(
      ([key, value]) => !(Object.hasOwn(defaults, key) && equalJson(defaults[key], value)),
    ),
  )
}

/** Writes a part as a block; undefined where it leaves nothing to send. */
export function encodePart(
  part: Part,
  at: Path | undefined,
  encoding: Encoding,
  place: Place = 'assistant',
): JsonObject | undefined {
  const made = writeWhole(part, at, encoding, place)
  if (made === undefined || part.type === 'opaque') return made
  const patched = applyResidue(made, part, SLOT)
  const defaults = hintsFor(part, SLOT)['missingDefaults'] === true ? undefined : defaultsFor(patched, place)
  return defaults === undefined ? patched : { ...defaults, ...patched }
}

/** Writes parts as blocks, without those that leave nothing to send; `at` is where the list stands. */
export function encodeParts(
  parts: readonly Part[],
  at: Path | undefined,
  encoding: Encoding,
  place: Place,
): JsonObject[] {
  const blocks: JsonObject[] = []
  for (const [index, part] of parts.entries()) {
    const block = encodePart(part, below(at, index), encoding, place)
    if (block !== undefined) blocks.push(block)
  }
  return blocks
}

/** A block with its cache marker, before its residue. */
function writeWhole(
  part: Part,
  at: Path | undefined,
  encoding: Encoding,
  place: Place,
): JsonObject | undefined {
  const made = writeBlock(part, { hints: hintsFor(part, SLOT), at, encoding, place, inside: encodeParts })
  if (made === undefined || part.type === 'opaque') return made
  if (part.signature !== undefined && part.type !== 'reasoning')
    encoding.lose('foreign-signature', below(at, 'signature'))
  return part.cache === undefined ? made : { ...made, ...encodeCache(part, made, at, encoding, place) }
}

function writeBlock(part: Part, writing: Writing): JsonObject | undefined {
  const { at, encoding } = writing
  switch (part.type) {
    case 'text':
      return encodeText(part, writing)
    case 'refusal':
      encoding.lose('refusal-as-text', at)
      return writeWords(part.text, writing)
    case 'json':
      encoding.lose('json-as-text', at)
      return writeWords(JSON.stringify(part.value), writing)
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
      return encodeMedia(part, writing)
    case 'reasoning':
      return encodeReasoning(part, writing)
    case 'tool-call':
      return encodeCall(part, writing)
    case 'tool-result':
      return encodeResult(part, writing)
    case 'opaque':
      return encodeOpaque(part, SLOT, at, encoding)
  }
}
