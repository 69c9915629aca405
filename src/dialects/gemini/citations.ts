import { attachSignature } from '../../canonical/build/parts.ts'
import type { Citation, SourceCitation } from '../../canonical/model/citation.ts'
import type { AssistantPart, Part } from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { getUtf8Offsets } from '../../wire/utf8-offsets.ts'
import { createHintExtra, getHints } from '../engine/residue-slots.ts'
import { GROUNDING_SLOT, DIALECT_SLOT } from './constants.ts'
import { toCamelCaseKeys } from './key-casing.ts'
import type { GeminiHints } from './hints.ts'

/** The number of texts that are searched for a segment whose part index is wrong. */
const MAX_SEARCHED_TEXTS = 100

/** A text of a candidate and its index among the parts. */
export interface TextWithPartIndex {
  readonly index: number
  readonly text: string
}

/** A citation and the index of the text that it belongs to. */
export interface CitationWithPartIndex {
  readonly index: number
  readonly citation: SourceCitation
}

/** The texts that a segment can belong to. */
interface TextCandidates {
  readonly byIndex: ReadonlyMap<Json, TextWithPartIndex>
  readonly texts: readonly TextWithPartIndex[]
}

/** Decodes grounding metadata as citations, with hints for the number of chunks and supports. */
export function decodeCitations(
  wire: Json | undefined,
  texts: readonly TextWithPartIndex[],
): { readonly cited: readonly CitationWithPartIndex[]; readonly hints: GeminiHints } {
  const { groundingChunks: chunks, groundingSupports: supports } = isObject(wire) ? toCamelCaseKeys(wire) : {}
  if (!isList(chunks) || !isList(supports)) return { cited: [], hints: {} }
  const hints = { chunkCount: chunks.length, supportCount: supports.length }
  const candidates = { byIndex: new Map(texts.map((each) => [each.index, each])), texts }
  const cited = supports.flatMap((support, supportIndex) =>
    isObject(support)
      ? readSupport(toCamelCaseKeys(support), { ...hints, supportIndex }, chunks, candidates)
      : [],
  )
  return { cited, hints }
}

/** Decodes a support, which links a text range to chunks. Returns no citations if any chunk is not a web page. */
function readSupport(
  { segment, groundingChunkIndices: chunkIndices }: JsonObject,
  positionHints: GeminiHints,
  chunks: readonly Json[],
  candidates: TextCandidates,
): readonly CitationWithPartIndex[] {
  const range = isObject(segment) ? findTextRange(toCamelCaseKeys(segment), candidates) : undefined
  if (range === undefined || !isList(chunkIndices) || new Set(chunkIndices).size !== chunkIndices.length)
    return []
  const { index, start, end } = range
  const cited: CitationWithPartIndex[] = []
  for (const chunkIndex of chunkIndices) {
    const web = typeof chunkIndex === 'number' ? getWebPage(chunks[chunkIndex]) : undefined
    if (web === undefined) return []
    const extra = createHintExtra(GROUNDING_SLOT, { ...positionHints, chunkIndex })
    cited.push({ index, citation: freezeOwned({ type: 'source', ...web, start, end, extra }) })
  }
  return cited
}

function getWebPage(chunk: Json | undefined): { readonly url: string; readonly title?: string } | undefined {
  const web = isObject(chunk) ? chunk['web'] : undefined
  if (!isObject(web) || typeof web['uri'] !== 'string' || web['uri'] === '') return undefined
  return { url: web['uri'], ...(typeof web['title'] === 'string' && { title: web['title'] }) }
}

/** A range of a text, and the index of the text. */
interface TextRange {
  readonly index: number
  readonly start: number
  readonly end: number
}

/**
 * Finds the text range of a segment. Hosts do not count reasoning parts, so if the segment contains its text,
 * any of the first text parts that has this text at the offsets matches.
 */
function findTextRange(
  { partIndex = 0, startIndex = 0, endIndex, text }: JsonObject,
  { byIndex, texts }: TextCandidates,
): TextRange | undefined {
  if (typeof startIndex !== 'number' || typeof endIndex !== 'number') return undefined
  const match = (candidate: TextWithPartIndex | undefined): TextRange | undefined => {
    if (candidate === undefined) return undefined
    const offsets = getUtf8Offsets(candidate.text)
    const start = offsets.toIndex(startIndex)
    const end = offsets.toIndex(endIndex)
    if (start === undefined || end === undefined || start > end) return undefined
    return typeof text !== 'string' || candidate.text.slice(start, end) === text
      ? { index: candidate.index, start, end }
      : undefined
  }
  const indicated = match(byIndex.get(partIndex))
  if (indicated !== undefined || typeof text !== 'string') return indicated
  for (const candidate of texts.slice(0, MAX_SEARCHED_TEXTS)) {
    const range = match(candidate)
    if (range !== undefined) return range
  }
  return undefined
}

/** Adds citations to their text parts. Signatures are attached again, since they cover the citations. */
export function attachCitations(
  parts: readonly AssistantPart[],
  indexedCitations: readonly CitationWithPartIndex[],
): readonly AssistantPart[] {
  const citationsByPart = new Map<number, SourceCitation[]>()
  for (const { index, citation } of indexedCitations) {
    const known = citationsByPart.get(index)
    if (known === undefined) citationsByPart.set(index, [citation])
    else known.push(citation)
  }
  return parts.map((part, index) => {
    const citations = citationsByPart.get(index)
    if (part.type !== 'text' || citations === undefined) return part
    const { signature, ...rest } = part
    return freezeOwned(
      signature === undefined ? { ...rest, citations } : attachSignature({ ...rest, citations }, signature),
    )
  })
}

export function listTextsWithPartIndex(parts: readonly Part[]): readonly TextWithPartIndex[] {
  return parts.flatMap((part, index) => (part.type === 'text' ? [{ index, text: part.text }] : []))
}

/** A citation to encode, with the text that it belongs to and its canonical path. */
export interface CitationToEncode extends TextWithPartIndex {
  readonly citation: SourceCitation
  readonly path: Path
  /** The number of chunks and supports in the metadata that the citation was decoded from. */
  readonly sizes?: GeminiHints
}

/** Collects the citations that this dialect can represent; `wireParts` are the parts that are sent. */
export function collectCitations(
  parts: readonly Part[],
  wireParts: readonly { readonly index: number }[],
  path: Path | undefined,
  context: EncodeContext,
): readonly CitationToEncode[] {
  const wireIndexes = new Map(
    wireParts.map(({ index }, wireIndex) => [index, wireIndex] as const).toReversed(),
  )
  return parts.flatMap((part, partIndex) => {
    if (part.type !== 'text' || part.citations === undefined) return []
    const { text, citations } = part
    const wireIndex = wireIndexes.get(partIndex) ?? 0
    const citationsPath = child(child(child(path, 'content'), partIndex), 'citations')
    return citations.flatMap((citation, number) => {
      const citationPath = child(citationsPath, number)
      return isSupportedCitation(citation, text, citationPath, context)
        ? [{ index: wireIndex, text, citation, path: citationPath }]
        : []
    })
  })
}

/** Returns true if this dialect can represent a citation, and reports the fields that it cannot represent. */
export function isSupportedCitation(
  citation: Citation,
  text: string,
  path: Path,
  context: EncodeContext,
): citation is SourceCitation {
  if (citation.type === 'opaque' || citation.url === undefined || text === '') {
    context.report(citation.type === 'opaque' ? 'foreign-opaque' : 'citations-dropped', path)
    return false
  }
  for (const key of ['quote', 'fileId', 'document', 'location'] as const) {
    if (citation[key] !== undefined) context.report('citation-detail', child(path, key))
  }
  if (getCitationTextRange(citation, text) === undefined) context.report('citation-range', path)
  return true
}

/** Returns the text range of a citation; undefined if it has none or an invalid one. */
export function getCitationTextRange(
  { start, end }: SourceCitation,
  text: string,
): readonly [number, number] | undefined {
  if (start === undefined || end === undefined) return undefined
  if (start < 0 || start > end || end > text.length) return undefined
  const offsets = getUtf8Offsets(text)
  return offsets.isBoundary(start) && offsets.isBoundary(end) ? [start, end] : undefined
}

/** Returns true for a citation that was decoded from grounding metadata, which a request does not repeat. */
export function isGroundingCitation(citation: Citation): boolean {
  if (citation.type === 'opaque') return citation.dialect === DIALECT_SLOT
  return getHints(citation, GROUNDING_SLOT)['chunkIndex'] !== undefined
}

/** Encodes citations as grounding metadata, at their recorded indexes or with new ones. */
export function encodeCitations(sources: readonly CitationToEncode[], hints: GeminiHints): JsonObject {
  const hasRecordedIndexes = hints['chunkCount'] !== undefined
  const chunks = createEmptySlots(hints['chunkCount'])
  const supports = createEmptySlots(hints['supportCount'])
  const chunkIndexes = new Map<string, number>()
  const chunksBySupport = new Map<number, Set<number>>()
  let previous: { readonly source: CitationToEncode; readonly support: number } | undefined
  for (const source of sources) {
    const { url, title } = source.citation
    const recorded: GeminiHints = hasRecordedIndexes ? getHints(source.citation, GROUNDING_SLOT) : {}
    const key = JSON.stringify([url, title])
    const chunk = Number(recorded['chunkIndex'] ?? chunkIndexes.get(key) ?? chunks.length)
    chunkIndexes.set(key, chunk)
    chunks[chunk] = { web: { uri: url ?? '', ...(title !== undefined && { title }) } }
    const sharedIndex =
      previous !== undefined && isSameRange(previous.source, source) ? previous.support : supports.length
    const support = Number(recorded['supportIndex'] ?? sharedIndex)
    previous = { source, support }
    const cited = chunksBySupport.get(support) ?? new Set()
    chunksBySupport.set(support, cited.add(chunk))
    // Of several citations with one support, the last one determines its range.
    supports[support] = { segment: encodeSegment(source) }
  }
  for (const [support, cited] of chunksBySupport)
    supports[support] = { ...supports[support], groundingChunkIndices: [...cited] }
  return { groundingChunks: chunks, groundingSupports: supports }
}

function createEmptySlots(count: Json | undefined): JsonObject[] {
  return Array.from({ length: typeof count === 'number' ? count : 0 }, () => ({}))
}

/** Returns the cited range of the text; a citation without one refers to the whole text. */
function getRange({ text, citation }: CitationToEncode): readonly [start: number, end: number] {
  return getCitationTextRange(citation, text) ?? [0, text.length]
}

function isSameRange(a: CitationToEncode, b: CitationToEncode): boolean {
  const [aStart, aEnd] = getRange(a)
  const [bStart, bEnd] = getRange(b)
  return a.index === b.index && aStart === bStart && aEnd === bEnd
}

function encodeSegment(source: CitationToEncode): JsonObject {
  const { index, text } = source
  const [start, end] = getRange(source)
  const offsets = getUtf8Offsets(text)
  const startIndex = offsets.toByteOffset(start)
  return {
    ...(index > 0 && { partIndex: index }),
    ...(startIndex > 0 && { startIndex }),
    endIndex: offsets.toByteOffset(end),
    text: text.slice(start, end),
  }
}
