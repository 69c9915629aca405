import { attachSignature } from '../../canonical/build/parts.ts'
import type { Citation, SourceCitation } from '../../canonical/model/citation.ts'
import type { AssistantPart, Part } from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { hintedExtra, getHints } from '../engine/residue-slots.ts'
import { GROUNDING_SLOT, DIALECT_SLOT } from './constants.ts'
import { toCamelCaseKeys } from './key-casing.ts'
import type { GeminiHint } from './hints.ts'

const encoder = new TextEncoder()

/** How many bytes of UTF-8 stand before a position of a text. */
export function getByteOffset(text: string, index: number): number {
  return encoder.encode(text.slice(0, index)).length
}

/** The position of a text before which so many bytes of UTF-8 stand; undefined inside of a character, and past the end. */
export function getCharacterIndex(text: string, bytes: number): number | undefined {
  let count = 0
  let index = 0
  for (const character of text) {
    if (count >= bytes) break
    count += getByteSize(character.codePointAt(0) ?? 0)
    index += character.length
  }
  return count === bytes ? index : undefined
}

function getByteSize(code: number): number {
  if (code < 0x80) return 1
  if (code < 0x8_00) return 2
  return code < 0x1_00_00 ? 3 : 4
}

/** A text of an answer, and its position among the parts. */
export interface IndexedText {
  readonly index: number
  readonly text: string
}

/** A citation, and which of the texts it is of. */
export interface IndexedCitation {
  readonly index: number
  readonly citation: SourceCitation
}

/** The citations that the sources of an answer say, and how many chunks and supports they were told by. */
export function decodeCitations(
  wire: Json | undefined,
  texts: readonly IndexedText[],
): { readonly cited: readonly IndexedCitation[]; readonly hints: Hints<GeminiHint> } {
  const metadata = isObject(wire) ? toCamelCaseKeys(wire) : {}
  const { groundingChunks, groundingSupports } = metadata
  if (!isList(groundingChunks) || !isList(groundingSupports)) return { cited: [], hints: {} }
  const hints = { chunkCount: groundingChunks.length, supportCount: groundingSupports.length }
  const cited = groundingSupports.flatMap((support, position) =>
    isObject(support)
      ? readSupport(toCamelCaseKeys(support), { ...hints, supportIndex: position }, groundingChunks, texts)
      : [],
  )
  return { cited, hints }
}

/** A support is a stretch of a text, and the chunks that speak for it; nothing for one that we cannot tell as citations. */
function readSupport(
  { segment, groundingChunkIndices: numbers }: JsonObject,
  places: Hints<GeminiHint>,
  chunks: readonly Json[],
  texts: readonly IndexedText[],
): readonly IndexedCitation[] {
  const stretch = isObject(segment) ? findTextRange(toCamelCaseKeys(segment), texts) : undefined
  if (stretch === undefined || !isList(numbers) || new Set(numbers).size !== numbers.length) return []
  const { index, start, end } = stretch
  const cited = numbers.map((chunk) => {
    const web = typeof chunk === 'number' ? getWebPage(chunks[chunk]) : undefined
    if (web === undefined) return undefined
    const extra = hintedExtra(GROUNDING_SLOT, { ...places, chunkIndex: chunk as number })
    return { index, citation: freezeOwned<SourceCitation>({ type: 'source', ...web, start, end, extra }) }
  })
  return cited.every((each) => each !== undefined) ? cited : []
}

function getWebPage(chunk: Json | undefined): { readonly url: string; readonly title?: string } | undefined {
  const web = isObject(chunk) ? chunk['web'] : undefined
  if (!isObject(web) || typeof web['uri'] !== 'string' || web['uri'] === '') return undefined
  return { url: web['uri'], ...(typeof web['title'] === 'string' && { title: web['title'] }) }
}

/** Offsets count bytes of one part, but hosts do not count thoughts: where the words tell, they decide. */
function findTextRange(
  { partIndex = 0, startIndex = 0, endIndex, text }: JsonObject,
  texts: readonly IndexedText[],
): { readonly index: number; readonly start: number; readonly end: number } | undefined {
  if (typeof startIndex !== 'number' || typeof endIndex !== 'number') return undefined
  const named = texts.filter(({ index }) => index === partIndex)
  const places = typeof text === 'string' ? [...named, ...texts] : named
  for (const said of places) {
    const start = getCharacterIndex(said.text, startIndex)
    const end = getCharacterIndex(said.text, endIndex)
    if (start === undefined || end === undefined || start > end) continue
    if (typeof text !== 'string' || said.text.slice(start, end) === text)
      return { index: said.index, start, end }
  }
  return undefined
}

/** The parts with their citations, which belong to what a signature vouches for. */
export function attachCitations(
  parts: readonly AssistantPart[],
  cited: readonly IndexedCitation[],
): readonly AssistantPart[] {
  return parts.map((part, index) => {
    const citations = cited.filter((each) => each.index === index).map(({ citation }) => citation)
    if (part.type !== 'text' || citations.length === 0) return part
    const { signature, ...rest } = part
    return freezeOwned(
      signature === undefined ? { ...rest, citations } : attachSignature({ ...rest, citations }, signature),
    )
  })
}

/** The texts among parts, with their positions. */
export function listIndexedTexts(parts: readonly Part[]): readonly IndexedText[] {
  return parts.flatMap((part, index) => (part.type === 'text' ? [{ index, text: part.text }] : []))
}

/** What is to be written: a citation, what it stands on, and where it stands with us. */
export interface CitationSource extends IndexedText {
  readonly citation: SourceCitation
  readonly path: Path
  /** How many chunks and supports there were where it came from. */
  readonly sizes?: Hints<GeminiHint>
}

/** Everything that the texts of an answer cite, as far as this format can say it. */
export function collectSources(
  parts: readonly Part[],
  positionOf: (index: number) => number,
  path: Path,
  context: EncodeContext,
): readonly CitationSource[] {
  return parts.flatMap((part, index) => {
    if (part.type !== 'text' || part.citations === undefined) return []
    return part.citations.flatMap((citation, number) => {
      const citationPath = child(child(child(path, index), 'citations'), number)
      return isSupportedCitation(citation, part.text, citationPath, context)
        ? [{ index: positionOf(index), text: part.text, citation, path: citationPath }]
        : []
    })
  })
}

/** Whether this format can say a citation; what it cannot say of it is reported. */
export function isSupportedCitation(
  citation: Citation,
  text: string,
  path: Path,
  context: EncodeContext,
): citation is SourceCitation {
  if (citation.type === 'opaque') {
    context.report('foreign-opaque', path)
    return false
  }
  if (citation.url === undefined || text === '') {
    context.report('citations-dropped', path)
    return false
  }
  for (const key of ['quote', 'fileId', 'document', 'location'] as const) {
    if (citation[key] !== undefined) context.report('citation-detail', child(path, key))
  }
  if (getTextRange(citation, text) === undefined) context.report('citation-stretch', path)
  return true
}

/** The stretch of a text that a citation is for; undefined where it names none that there is. */
export function getTextRange(
  { start, end }: SourceCitation,
  text: string,
): readonly [number, number] | undefined {
  if (start === undefined || end === undefined) return undefined
  const whole = start >= 0 && start <= end && end <= text.length
  return whole &&
    getCharacterIndex(text, getByteOffset(text, start)) === start &&
    getCharacterIndex(text, getByteOffset(text, end)) === end
    ? [start, end]
    : undefined
}

/** Whether a citation came from the sources of an answer, which a request does not repeat. */
export function isGrounded(citation: Citation): boolean {
  if (citation.type === 'opaque') return citation.dialect === DIALECT_SLOT
  return getHints(citation, GROUNDING_SLOT)['chunkIndex'] !== undefined
}

/** Writes the sources of an answer: in the places where they came, or numbered anew. */
export function encodeCitations(sources: readonly CitationSource[], hints: Hints<GeminiHint>): JsonObject {
  const placed = hints['chunkCount'] !== undefined
  const chunks: JsonObject[] = createEmptySlots(hints['chunkCount'])
  const supports: JsonObject[] = createEmptySlots(hints['supportCount'])
  const known = new Map<string, number>()
  let before: { readonly source: CitationSource; readonly support: number } | undefined
  for (const source of sources) {
    const { url, title } = source.citation
    const own: Hints<GeminiHint> = placed ? getHints(source.citation, GROUNDING_SLOT) : {}
    const key = JSON.stringify([url, title])
    const chunk = Number(own['chunkIndex'] ?? known.get(key) ?? chunks.length)
    known.set(key, chunk)
    chunks[chunk] = { web: { uri: url ?? '', ...(title !== undefined && { title }) } }
    const same = before !== undefined && isSameRange(before.source, source) ? before.support : supports.length
    const support = Number(own['supportIndex'] ?? same)
    before = { source, support }
    supports[support] = addChunkToSupport(supports[support], source, chunk)
  }
  return { groundingChunks: chunks, groundingSupports: supports }
}

function createEmptySlots(count: Json | undefined): JsonObject[] {
  return Array.from({ length: typeof count === 'number' ? count : 0 }, () => ({}))
}

function isSameRange(a: CitationSource, b: CitationSource): boolean {
  return a.index === b.index && a.citation.start === b.citation.start && a.citation.end === b.citation.end
}

function addChunkToSupport(
  support: JsonObject | undefined,
  source: CitationSource,
  chunk: number,
): JsonObject {
  const { index, text, citation } = source
  const [start, end] = getTextRange(citation, text) ?? [0, text.length]
  const numbers = support === undefined ? [] : ((support['groundingChunkIndices'] ?? []) as readonly number[])
  const first = getByteOffset(text, start)
  return {
    segment: {
      ...(index > 0 && { partIndex: index }),
      ...(first > 0 && { startIndex: first }),
      endIndex: getByteOffset(text, end),
      text: text.slice(start, end),
    },
    groundingChunkIndices: [...new Set([...numbers, chunk])],
  }
}
