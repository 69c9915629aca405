import type { OpaquePart, Part, TextPart } from '../../canonical/model/part.ts'
import { sealOwn } from '../../wire/frozen.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import { type Encoding, silent } from '../encoding.ts'
import { applyResidue, hintsFor, withHints, withResidue } from '../unit.ts'
import { encodeOpaque } from '../shared/opaque.ts'
import type { CallBook } from './call-book.ts'
import { decodeCall, encodeCall } from './calls.ts'
import { SLOT } from './codes.ts'
import { isGrounded } from './citations.ts'
import { decodeMedia, encodeMedia } from './media.ts'
import {
  decodeCode,
  decodeCodeResult,
  decodeToolCall,
  decodeToolResponse,
  encodeProviderResult,
} from './provider-calls.ts'
import { decodeReasoning, encodeReasoning } from './reasoning.ts'
import { decodeResult, encodeResult } from './results.ts'
import type { SentCalls } from './sent-calls.ts'
import { carries, decodeSignature, encodeSignature } from './signatures.ts'
import { aliases, camel, type Wire } from './spelling.ts'
import type { GeminiHint } from './hints.ts'

/** Where a part stands: what is fine in one place may be refused, or needed, in another. */
type Place = 'response' | 'assistant' | 'user' | 'system' | 'tool' | 'result'

/** A part as the wire says it, with the forms to remember. */
export interface Read {
  readonly part: Part
  readonly hints?: Hints<GeminiHint>
}

/** Everything that reading a part depends on beside the part. */
export interface Reading {
  readonly place: Place
  readonly book: CallBook
  /** Whether a call at this place is the first of its message. */
  readonly leads?: boolean
}

/** Everything that writing a part depends on beside the part. */
export interface Writing {
  readonly hints: Hints<GeminiHint>
  readonly at: Path | undefined
  readonly encoding: Encoding
  readonly place: Place
  readonly leads: boolean
  /** Signatures that another host gave apart from the calls that they vouch for. */
  readonly adrift?: string[] | undefined
  /** The calls of the conversation so far, for the results. */
  readonly calls?: SentCalls | undefined
  /** Writes a part inside of this one. */
  readonly inside: typeof encodePart
}

/** What a part holds, by the key of it. */
const readers: { readonly [key: string]: (body: Json, wire: Wire, reading: Reading) => Read | undefined } = {
  text: (body, { thought }) => readText(body, thought),
  inlineData: (_body, wire) => decodeMedia(wire),
  fileData: (_body, wire) => decodeMedia(wire),
  functionCall: (body, _wire, { book }) => decodeCall(body, book),
  functionResponse: (body, _wire, { book }) => decodeResult(body, book, decodePart),
  executableCode: (body, _wire, { book }) => decodeCode(body, book),
  codeExecutionResult: (body, _wire, { book }) => decodeCodeResult(body, book),
  toolCall: (body, _wire, { book }) => decodeToolCall(body, book),
  toolResponse: (body, _wire, { book }) => decodeToolResponse(body, book),
}
const dataKeys: readonly string[] = Object.keys(readers)

/** Which kind of data a wire part holds; undefined for one of a kind that we do not know. */
export function kindOfPart(wire: object): string | undefined {
  return dataKeys.find((key) => Object.hasOwn(wire, key))
}

/** Reads a part; one that we do not model is kept as it is. */
export function decodePart(came: Json, reading: Reading): Part {
  if (!isObject(came)) return opaque(came)
  const wire = camel(came)
  const kind = kindOfPart(wire)
  const read = kind === undefined ? undefined : readers[kind]?.(wire[kind] as Json, wire, reading)
  if (read === undefined) return opaque(came)
  const { part, hints } = decodeSignature(read, wire, reading)
  const made = writeWhole(withHints(part, SLOT, hints), plainly(reading, hints))
  // What would go out as another kind of part is not understood well enough to be taken apart.
  if (made === undefined || kindOfPart(made) !== kind) return opaque(came)
  return sealOwn(withResidue(part, SLOT, made, came, hints, aliases))
}

/** The encoder inside the decoder knows a part by itself. */
function plainly({ place, leads = false }: Reading, hints: Hints<GeminiHint>): Writing {
  return { at: undefined, encoding: silent, inside: encodePart, place, leads, hints }
}

/** A part as it came, for one that nobody here understands or wants at its place. */
export function opaque(wire: Json): OpaquePart {
  return sealOwn<OpaquePart>({ type: 'opaque', dialect: SLOT, value: wire })
}

/** Text, or thoughts. Empty text says nothing, but may come. */
function readText(text: Json, thought: Json | undefined): Read | undefined {
  if (typeof text !== 'string') return undefined
  if (thought === true) return decodeReasoning(text)
  return { part: { type: 'text', text }, ...(text === '' && { hints: { emptyText: true } }) }
}

/** Writes a part; undefined where it leaves nothing to send. */
export function encodePart(part: Part, writing: Omit<Writing, 'hints' | 'inside'>): JsonObject | undefined {
  const { at, encoding, place, leads, adrift, calls } = writing
  // Named one by one: Node 20 takes several times as long to spread them.
  const whole = { hints: hintsFor(part, SLOT), at, encoding, place, leads, adrift, calls, inside: encodePart }
  const made = writeWhole(part, whole)
  return made === undefined || part.type === 'opaque' ? made : applyResidue(made, part, SLOT)
}

/** A part with its signature, before its residue. */
function writeWhole(part: Part, writing: Writing): JsonObject | undefined {
  const made = writePart(part, writing)
  if (made === undefined || part.type === 'opaque') return made
  const { at, encoding } = writing
  if (part.cache !== undefined) encoding.lose('cache-hint', below(at, 'cache'))
  const signature = encodeSignature(part, made, writing)
  return signature === undefined ? made : Object.assign({}, made, { thoughtSignature: signature })
}

function writePart(part: Part, writing: Writing): JsonObject | undefined {
  const { at, encoding, place } = writing
  switch (part.type) {
    case 'text':
      return writeText(part, writing)
    case 'refusal':
      encoding.lose('refusal-as-text', at)
      return writeWords(part.text, part, writing)
    case 'json':
      encoding.lose('json-as-text', at)
      return writeWords(JSON.stringify(part.value), part, writing)
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
      return place === 'tool' ? encodeResult(part, writing) : encodeProviderResult(part, writing)
    case 'opaque':
      return encodeOpaque(part, SLOT, at, encoding)
  }
}

/** The sources of an answer stand beside it; a request has none. */
function writeText(part: TextPart, writing: Writing): JsonObject | undefined {
  const made = writeWords(part.text, part, writing)
  const foreign = (part.citations ?? []).some((citation) => !isGrounded(citation))
  if (made !== undefined && writing.place !== 'response' && foreign)
    writing.encoding.lose('citations-dropped', below(writing.at, 'citations'))
  return made
}

/** Empty text is refused, unless a signature needs a place. */
function writeWords(text: string, part: Part, { hints, at, encoding }: Writing): JsonObject | undefined {
  if (text !== '' || hints['emptyText'] === true || carries(part)) return { text }
  encoding.lose('empty-text', at)
  return undefined
}
