import { sign } from '../../canonical/build/parts.ts'
import type { Citation, SourceCitation } from '../../canonical/model/citation.ts'
import type { AssistantPart, Part } from '../../canonical/model/part.ts'
import { sealOwn } from '../../wire/frozen.ts'
import { isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { Encoding } from '../encoding.ts'
import { hintedExtra, hintsFor } from '../unit.ts'
import { byteAt, indexAt } from './bytes.ts'
import { GROUNDING, SLOT } from './codes.ts'
import { camel, type Wire } from './spelling.ts'
import type { GeminiHint } from './hints.ts'

/** A text of an answer, and its position among the parts. */
export interface Said {
  readonly index: number
  readonly text: string
}

/** A citation, and which of the texts it is of. */
export interface Cited {
  readonly index: number
  readonly citation: SourceCitation
}

/** The citations that the sources of an answer say, and how many chunks and supports they were told by. */
export function decodeCitations(
  wire: Json | undefined,
  texts: readonly Said[],
): { readonly cited: readonly Cited[]; readonly hints: Hints<GeminiHint> } {
  const metadata = isObject(wire) ? camel(wire) : {}
  const { groundingChunks, groundingSupports } = metadata
  if (!isList(groundingChunks) || !isList(groundingSupports)) return { cited: [], hints: {} }
  const hints = { chunkCount: groundingChunks.length, supportCount: groundingSupports.length }
  const cited = groundingSupports.flatMap((support, position) =>
    isObject(support)
      ? readSupport(camel(support), { ...hints, supportIndex: position }, groundingChunks, texts)
      : [],
  )
  return { cited, hints }
}

/** A support is a stretch of a text, and the chunks that speak for it; nothing for one that we cannot tell as citations. */
function readSupport(
  { segment, groundingChunkIndices: numbers }: Wire,
  places: Hints<GeminiHint>,
  chunks: readonly Json[],
  texts: readonly Said[],
): readonly Cited[] {
  const stretch = isObject(segment) ? findStretch(camel(segment), texts) : undefined
  if (stretch === undefined || !isList(numbers) || new Set(numbers).size !== numbers.length) return []
  const { index, start, end } = stretch
  const cited = numbers.map((chunk) => {
    const web = typeof chunk === 'number' ? webOf(chunks[chunk]) : undefined
    if (web === undefined) return undefined
    const extra = hintedExtra(GROUNDING, { ...places, chunkIndex: chunk as number })
    return { index, citation: sealOwn<SourceCitation>({ type: 'source', ...web, start, end, extra }) }
  })
  return cited.every((each) => each !== undefined) ? cited : []
}

function webOf(chunk: Json | undefined): { readonly url: string; readonly title?: string } | undefined {
  const web = isObject(chunk) ? chunk['web'] : undefined
  if (!isObject(web) || typeof web['uri'] !== 'string' || web['uri'] === '') return undefined
  return { url: web['uri'], ...(typeof web['title'] === 'string' && { title: web['title'] }) }
}

/** Offsets count bytes of one part, but hosts do not count thoughts: where the words tell, they decide. */
function findStretch(
  { partIndex = 0, startIndex = 0, endIndex, text }: Wire,
  texts: readonly Said[],
): { readonly index: number; readonly start: number; readonly end: number } | undefined {
  if (typeof startIndex !== 'number' || typeof endIndex !== 'number') return undefined
  const named = texts.filter(({ index }) => index === partIndex)
  const places = typeof text === 'string' ? [...named, ...texts] : named
  for (const said of places) {
    const start = indexAt(said.text, startIndex)
    const end = indexAt(said.text, endIndex)
    if (start === undefined || end === undefined || start > end) continue
    if (typeof text !== 'string' || said.text.slice(start, end) === text)
      return { index: said.index, start, end }
  }
  return undefined
}

/** The parts with their citations, which belong to what a signature vouches for. */
export function withCitations(
  parts: readonly AssistantPart[],
  cited: readonly Cited[],
): readonly AssistantPart[] {
  return parts.map((part, index) => {
    const citations = cited.filter((each) => each.index === index).map(({ citation }) => citation)
    if (part.type !== 'text' || citations.length === 0) return part
    const { signature, ...rest } = part
    return sealOwn(signature === undefined ? { ...rest, citations } : sign({ ...rest, citations }, signature))
  })
}

/** The texts among parts, with their positions. */
export function textsOf(parts: readonly Part[]): readonly Said[] {
  return parts.flatMap((part, index) => (part.type === 'text' ? [{ index, text: part.text }] : []))
}

/** What is to be written: a citation, what it stands on, and where it stands with us. */
export interface Source extends Said {
  readonly citation: SourceCitation
  readonly at: Path
  /** How many chunks and supports there were where it came from. */
  readonly sizes?: Hints<GeminiHint>
}

/** Everything that the texts of an answer cite, as far as this format can say it. */
export function sourcesOf(
  parts: readonly Part[],
  positionOf: (index: number) => number,
  at: Path,
  encoding: Encoding,
): readonly Source[] {
  return parts.flatMap((part, index) => {
    if (part.type !== 'text' || part.citations === undefined) return []
    return part.citations.flatMap((citation, number) => {
      const here = below(below(below(at, index), 'citations'), number)
      return isSayable(citation, part.text, here, encoding)
        ? [{ index: positionOf(index), text: part.text, citation, at: here }]
        : []
    })
  })
}

/** Whether this format can say a citation; what it cannot say of it is reported. */
export function isSayable(
  citation: Citation,
  text: string,
  at: Path,
  encoding: Encoding,
): citation is SourceCitation {
  if (citation.type === 'opaque') {
    encoding.lose('foreign-opaque', at)
    return false
  }
  if (citation.url === undefined || text === '') {
    encoding.lose('citations-dropped', at)
    return false
  }
  for (const key of ['quote', 'fileId', 'document', 'location'] as const) {
    if (citation[key] !== undefined) encoding.lose('citation-detail', below(at, key))
  }
  if (stretchOf(citation, text) === undefined) encoding.lose('citation-stretch', at)
  return true
}

/** The stretch of a text that a citation is for; undefined where it names none that there is. */
export function stretchOf(
  { start, end }: SourceCitation,
  text: string,
): readonly [number, number] | undefined {
  if (start === undefined || end === undefined) return undefined
  const whole = start >= 0 && start <= end && end <= text.length
  return whole && indexAt(text, byteAt(text, start)) === start && indexAt(text, byteAt(text, end)) === end
    ? [start, end]
    : undefined
}

/** Whether a citation came from the sources of an answer, which a request does not repeat. */
export function isGrounded(citation: Citation): boolean {
  if (citation.type === 'opaque') return citation.dialect === SLOT
  return hintsFor(citation, GROUNDING)['chunkIndex'] !== undefined
}

/** Writes the sources of an answer: in the places where they came, or numbered anew. */
export function encodeCitations(sources: readonly Source[], hints: Hints<GeminiHint>): JsonObject {
  const placed = hints['chunkCount'] !== undefined
  const chunks: JsonObject[] = filled(hints['chunkCount'])
  const supports: JsonObject[] = filled(hints['supportCount'])
  const known = new Map<string, number>()
  let before: { readonly source: Source; readonly support: number } | undefined
  for (const source of sources) {
    const { url, title } = source.citation
    const own: Hints<GeminiHint> = placed ? hintsFor(source.citation, GROUNDING) : {}
    const key = JSON.stringify([url, title])
    const chunk = Number(own['chunkIndex'] ?? known.get(key) ?? chunks.length)
    known.set(key, chunk)
    chunks[chunk] = { web: { uri: url ?? '', ...(title !== undefined && { title }) } }
    const same =
      before !== undefined && isSameStretch(before.source, source) ? before.support : supports.length
    const support = Number(own['supportIndex'] ?? same)
    before = { source, support }
    supports[support] = joined(supports[support], source, chunk)
  }
  return { groundingChunks: chunks, groundingSupports: supports }
}

function filled(count: Json | undefined): JsonObject[] {
  return Array.from({ length: typeof count === 'number' ? count : 0 }, () => ({}))
}

function isSameStretch(a: Source, b: Source): boolean {
  return a.index === b.index && a.citation.start === b.citation.start && a.citation.end === b.citation.end
}

function joined(support: JsonObject | undefined, source: Source, chunk: number): JsonObject {
  const { index, text, citation } = source
  const [start, end] = stretchOf(citation, text) ?? [0, text.length]
  const numbers = support === undefined ? [] : ((support['groundingChunkIndices'] ?? []) as readonly number[])
  const first = byteAt(text, start)
  return {
    segment: {
      ...(index > 0 && { partIndex: index }),
      ...(first > 0 && { startIndex: first }),
      endIndex: byteAt(text, end),
      text: text.slice(start, end),
    },
    groundingChunkIndices: [...new Set([...numbers, chunk])],
  }
}
