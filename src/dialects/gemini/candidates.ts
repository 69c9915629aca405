import { freshId } from '../../canonical/build/identity.ts'
import type { AssistantMessage, Origin } from '../../canonical/model/message.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import { digestOf } from '../../canonical/read/digest.ts'
import { digestJson } from '../../wire/digest.ts'
import { sealOwn } from '../../wire/frozen.ts'
import { type Echoes, markEchoes, resolveEchoes } from '../../wire/echoes.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { DecodeOptions } from '../dialect.ts'
import { type Encoding, silent } from '../encoding.ts'
import { applyResidue, hintedExtra, hintsFor, withResidue } from '../unit.ts'
import { namesGiven, underOwnName } from '../shared/names.ts'
import { callBook } from './call-book.ts'
import { CANDIDATE, GROUNDING, RESPONSE, SLOT, toolNames } from './codes.ts'
import { encodeFinish, finishFor } from './finish.ts'
import {
  decodeCitations,
  type Source,
  sourcesOf,
  textsOf,
  withCitations,
  encodeCitations,
} from './citations.ts'
import { formOf, listOf, decodeParts } from './messages.ts'
import { encodePart } from './parts.ts'
import { aliases, bothSpellings, camel, type Wire } from './spelling.ts'
import { isOwnCall } from '../shared/own-calls.ts'
import type { GeminiHint } from './hints.ts'

/** What measures or vouches for the words of an answer. */
export const VOUCHERS: readonly string[] = bothSpellings('logprobsResult', 'avgLogprobs', 'citationMetadata')

/** Reads one answer of a response. */
export function decodeCandidate(
  came: Wire,
  index: number,
  origin: Origin,
  options: DecodeOptions,
): AssistantMessage {
  const { content, finishReason, groundingMetadata } = camel(came)
  const { parts } = isObject(content) ? content : {}
  const book = callBook(`${origin.responseId ?? freshId('resp', options)} ${index}`)
  const names = namesGiven(options.request, toolNames)
  const said = decodeParts(listOf(parts) ?? [], 'response', book) as readonly AssistantPart[]
  const read = said.map((part) => underOwnName(part, names, SLOT))
  const { cited, hints: sizes } = decodeCitations(groundingMetadata, textsOf(read))
  const finish = finishFor(finishReason, read.some(isOwnCall))
  const forms = parts === undefined ? {} : formOf(parts)
  const message: AssistantMessage = {
    id: freshId('msg', options),
    role: 'assistant',
    content: withCitations(read, cited),
    origin,
    ...(finish !== undefined && { finish }),
    ...(Object.keys(forms).length > 0 && { extra: hintedExtra(RESPONSE, forms) }),
  }
  const grounded = cited.length > 0 ? withGrounding(message, groundingMetadata as JsonObject, sizes) : message
  const made = writeCandidate(grounded, index, undefined, silent)
  const keys = cited.length > 0 ? VOUCHERS : [...VOUCHERS, ...bothSpellings('groundingMetadata')]
  const bond = { keys, of: wordsOf(grounded) }
  return sealOwn(echoing(withResidue(grounded, CANDIDATE, made, came, undefined, aliases, bond), markEchoes))
}

/** The message with what is kept beside it changed where that repeats its texts and what they cite. */
function echoing(
  message: AssistantMessage,
  change: (value: Json, echoes: Echoes) => Json | undefined,
): AssistantMessage {
  if (message.extra === undefined) return message
  const texts = message.content.flatMap((part, index) => {
    if (part.type !== 'text') return []
    const cited = (part.citations ?? []).flatMap((citation, number) =>
      citation.type === 'opaque' ? [] : [[`citation ${index} ${number}`, citation.url] as const],
    )
    return [[`text ${index}`, part.text] as const, ...cited]
  })
  const echoes: Echoes = Object.fromEntries(texts)
  const extra = Object.entries(message.extra).map(([slot, residue]) => {
    const ours = slot === CANDIDATE || slot === GROUNDING
    return [slot, ours ? ((change(residue, echoes) ?? {}) as JsonObject) : residue] as const
  })
  return { ...message, extra: Object.fromEntries(extra) }
}

/** What log probabilities vouch for: every word that the model said. */
function wordsOf({ content }: AssistantMessage): Json {
  return content.map((part) => ('text' in part ? part.text : part.type))
}

/** The message with what its sources say beyond its citations; that holds for these texts and citations only. */
function withGrounding(
  message: AssistantMessage,
  wire: JsonObject,
  sizes: Hints<GeminiHint>,
): AssistantMessage {
  const hints = { ...sizes, contentDigest: contentDigest(message) }
  const made = encodeCitations(sourcesIn(message, undefined, silent), hints)
  return withResidue(message, GROUNDING, made, wire, hints, aliases)
}

function contentDigest({ content }: AssistantMessage): string {
  return digestJson(content.map(digestOf)).slice(0, 16)
}

/** Writes the sources of an answer; undefined where it has none. */
function encodeGrounding(
  message: AssistantMessage,
  at: Path | undefined,
  encoding: Encoding,
): JsonObject | undefined {
  const sources = sourcesIn(message, at, encoding)
  const hints = hintsFor(message, GROUNDING)
  const holds = hints['contentDigest'] === contentDigest(message)
  if (holds) return applyResidue(encodeCitations(sources, hints), message, GROUNDING)
  if (hints['contentDigest'] !== undefined)
    encoding.lose('stale-grounding', below(below(at, 'extra'), GROUNDING))
  return sources.length === 0 ? undefined : encodeCitations(sources, {})
}

/** What an answer cites, by the positions that its texts have on the wire. */
function sourcesIn(message: AssistantMessage, at: Path | undefined, encoding: Encoding): readonly Source[] {
  // Only the positions are asked for: what is left out depends on the options, and is reported by who writes it.
  const written = writeParts(message, undefined, { ...silent, options: encoding.options })
  const positionOf = (index: number): number =>
    Math.max(
      0,
      written.findIndex((part) => part.index === index),
    )
  return sourcesOf(message.content, positionOf, below(at, 'content'), encoding)
}

/** Writes one answer of a response. */
export function encodeCandidate(
  given: AssistantMessage,
  index: number,
  at: Path,
  encoding: Encoding,
): JsonObject {
  const message = echoing(given, resolveEchoes)
  const stale = (key: string): void => {
    const slot = below(below(at, 'extra'), CANDIDATE)
    encoding.lose('stale-logprobs', below(below(below(slot, '$'), 'bound'), key))
  }
  return applyResidue(writeCandidate(message, index, at, encoding), message, CANDIDATE, {
    of: wordsOf(message),
    stale,
  })
}

function writeCandidate(
  message: AssistantMessage,
  index: number,
  at: Path | undefined,
  encoding: Encoding,
): JsonObject {
  const { finish, origin } = message
  if (message.name !== undefined) encoding.lose('message-name', below(at, 'name'))
  const parts = writeParts(message, at, encoding).map(({ wire }) => wire)
  const grounding = encodeGrounding(message, at, encoding)
  const own = origin?.dialect === SLOT
  const calls = message.content.some(isOwnCall)
  return {
    content: { role: 'model', parts: formed(message, parts) },
    ...(finish !== undefined && {
      finishReason: encodeFinish({ finish, own, calls }, below(at, 'finish'), encoding),
    }),
    index,
    ...(grounding !== undefined && { groundingMetadata: grounding }),
  }
}

/** The parts of an answer that leave something to send, and which of ours they are. */
function writeParts(
  message: AssistantMessage,
  at: Path | undefined,
  encoding: Encoding,
): readonly { readonly index: number; readonly wire: JsonObject }[] {
  let leads = true
  return message.content.flatMap((part, index) => {
    const here = below(below(at, 'content'), index)
    const wire = encodePart(part, { at: here, encoding, place: 'response', leads })
    if (isOwnCall(part)) leads = false
    return wire === undefined ? [] : [{ index, wire }]
  })
}

/** Parts as they came: in a list, or one of them as an object. */
function formed(message: AssistantMessage, parts: readonly JsonObject[]): Json {
  const [only, ...others] = parts
  const asObject = hintsFor(message, RESPONSE)['contentForm'] === 'object' && others.length === 0
  return asObject && only !== undefined ? only : parts
}
