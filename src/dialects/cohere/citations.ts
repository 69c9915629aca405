import type { Citation, SourceCitation } from '../../canonical/model/citation.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import {
  isList,
  isObject,
  isSafeInteger,
  type Json,
  type JsonObject,
  omitUndefined,
} from '../../wire/json.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { addHints, applyResidue, getHints, withHints, withResidue } from '../engine/residue-slots.ts'
import { encodeOpaque } from '../shared/opaque-content.ts'
import type { CodePointOffsets } from './code-point-offsets.ts'
import { CITATION_SLOT, DIALECT_SLOT } from './constants.ts'

/** The ids of documents that have none of their own: the position in the request. */
const DOCUMENT_ID = /^doc:(\d{1,9})$/u

/**
 * Decodes a citation of a text as one canonical citation for each of its sources. `previous` is the citation before it:
 * citations of the same range are written as one unless they were received separately.
 */
export function decodeCitation(
  wire: JsonObject,
  text: CodePointOffsets,
  contentIndex: number,
  previous: Citation | undefined,
): readonly Citation[] {
  const range = decodeRange(wire, text)
  const { sources, ...fields } = wire
  if (range === undefined || !(sources === undefined || isSourceList(sources)))
    return [createOpaqueCitation(wire)]
  const isSeparate =
    previous?.type === 'source' && previous.start === range.start && previous.end === range.end
  const decoded = sources?.map((source) => decodeSource(source, range)) ?? []
  const [first = createSourceless(range, sources === undefined ? 'absent' : 'empty'), ...rest] = decoded
  const separate = isSeparate ? addStartHint(first) : first
  return [withResidue(separate, CITATION_SLOT, encodeFields(separate, text, contentIndex), fields), ...rest]
}

/** Encodes the citations of a text; those of the same range become one with several sources. */
export function encodeCitations(
  citations: readonly Citation[],
  text: CodePointOffsets,
  contentIndex: number,
  path: Path | undefined,
  context: EncodeContext,
): readonly JsonObject[] {
  const written: JsonObject[] = []
  let open: { readonly first: SourceCitation; readonly sources: Json[] } | undefined
  const close = (): void => {
    if (open !== undefined) written.push(encodeGroup(open.first, open.sources, text, contentIndex))
    open = undefined
  }
  for (const [index, given] of citations.entries()) {
    const at = child(path, index)
    if (given.type === 'opaque') {
      close()
      const value = encodeOpaque(given, DIALECT_SLOT, at, context)
      if (value !== undefined) written.push(value)
      continue
    }
    const citation = completeRange(given, text, at, context)
    const source = encodeSource(citation, at, context)
    if (open === undefined || !isSameGroup(open.first, citation)) {
      close()
      open = { first: citation, sources: [] }
    }
    if (source !== undefined) open.sources.push(source)
  }
  close()
  return written
}

function encodeGroup(
  first: SourceCitation,
  sources: readonly Json[],
  text: CodePointOffsets,
  contentIndex: number,
): JsonObject {
  const fields = applyResidue(encodeFields(first, text, contentIndex), first, CITATION_SLOT)
  return getHints(first, DIALECT_SLOT).sources === 'absent' && sources.length === 0
    ? fields
    : { ...fields, sources }
}

/** Encodes a citation without its sources. The text is that of the answer, so that it follows edits; it has whole characters. */
function encodeFields(
  { start: startUnit = 0, end: endUnit = 0 }: SourceCitation,
  text: CodePointOffsets,
  contentIndex: number,
): JsonObject {
  const [start, end] = [text.toCodePoints(startUnit), text.toCodePoints(endUnit)]
  return {
    start,
    end,
    text: text.slice(text.toUtf16(start), text.toUtf16(end)),
    ...(contentIndex > 0 && { content_index: contentIndex }),
    type: 'TEXT_CONTENT',
  }
}

function decodeRange(
  { start, end }: JsonObject,
  text: CodePointOffsets,
): { readonly start: number; readonly end: number } | undefined {
  if (!isSafeInteger(start) || !isSafeInteger(end) || start < 0 || end < start) return undefined
  const range = { start: text.toUtf16(start), end: text.toUtf16(end) }
  return range.end <= text.length ? range : undefined
}

/** Returns a citation with a range inside of the text: a citation without one supports the whole text. */
function completeRange(
  citation: SourceCitation,
  text: CodePointOffsets,
  path: Path,
  context: EncodeContext,
): SourceCitation {
  const { start = 0, end = text.length } = citation
  if (citation.start === undefined || citation.end === undefined) context.report('citation-range', path)
  return {
    ...citation,
    start: Math.min(start, text.length),
    end: Math.min(Math.max(start, end), text.length),
  }
}

function isSameGroup(first: SourceCitation, next: SourceCitation): boolean {
  return (
    first.start === next.start &&
    first.end === next.end &&
    getHints(next, DIALECT_SLOT).startsCitation !== true
  )
}

function isSourceList(sources: Json): sources is readonly JsonObject[] {
  return (
    isList(sources) &&
    sources.every(
      (source) => isObject(source) && (source['type'] === 'document' || source['type'] === 'tool'),
    )
  )
}

function decodeSource(
  wire: JsonObject,
  range: { readonly start: number; readonly end: number },
): SourceCitation {
  const isTool = wire['type'] === 'tool'
  const data = wire[isTool ? 'tool_output' : 'document']
  const { title, url, text, content } = isObject(data) ? data : {}
  const position = DOCUMENT_ID.exec(typeof wire['id'] === 'string' ? wire['id'] : '')?.[1]
  const quote = isTool ? content : text
  const citation: SourceCitation = {
    type: 'source',
    ...omitUndefined({
      url: readText(url),
      title: readText(title),
      quote: readText(quote),
      document: isTool || position === undefined ? undefined : Number(position),
    }),
    ...range,
  }
  const hinted = withHints(citation, DIALECT_SLOT, { ...(isTool && { toolSource: true }) })
  return withResidue(hinted, DIALECT_SLOT, encodeSource(hinted, undefined, noReport), wire, {
    ...(isTool && { toolSource: true }),
  })
}

/** Encodes the source of a citation; undefined if it had none when it was received. */
function encodeSource(
  citation: SourceCitation,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject | undefined {
  const { url, title, quote, document, fileId, location } = citation
  const hints = getHints(citation, DIALECT_SLOT)
  if (fileId !== undefined) context.report('citation-detail', child(path, 'fileId'))
  if (location !== undefined) context.report('citation-detail', child(path, 'location'))
  const hasSource = [url, title, quote, document].some((value) => value !== undefined)
  if (hints.sources !== undefined && !hasSource) return undefined
  const isTool = hints.toolSource === true
  const id = document === undefined || isTool ? undefined : `doc:${document}`
  const data = omitUndefined({ id, title, url, [isTool ? 'content' : 'text']: quote }) as JsonObject
  const made = {
    type: isTool ? 'tool' : 'document',
    ...(id !== undefined && { id }),
    ...(Object.keys(data).length > 0 && { [isTool ? 'tool_output' : 'document']: data }),
  }
  return applyResidue<JsonObject>(made, citation, DIALECT_SLOT)
}

/** Returns the citation of a range that has no source. */
function createSourceless(
  range: { readonly start: number; readonly end: number },
  sources: 'absent' | 'empty',
): SourceCitation {
  const citation: SourceCitation = { type: 'source', ...range }
  return withHints(citation, DIALECT_SLOT, { sources })
}

function addStartHint(citation: SourceCitation): SourceCitation {
  return addHints(citation, DIALECT_SLOT, { startsCitation: true })
}

function createOpaqueCitation(value: JsonObject): Citation {
  return { type: 'opaque', dialect: DIALECT_SLOT, value }
}

function readText(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}
