import type { Citation, SourceCitation } from '../../canonical/model/citation.ts'
import type { TextPart } from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import {
  isObject,
  isSafeInteger,
  itemsOf,
  type Json,
  type JsonObject,
  omitUndefined,
  readStringOrEmpty,
} from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { getUtf8Offsets, type Utf8Offsets } from '../../wire/utf8-offsets.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { applyResidue, createHintExtra, getHints, withResidue } from '../engine/residue-slots.ts'
import { encodeOpaque } from '../shared/opaque-content.ts'
import { DIALECT_SLOT } from './constants.ts'

type TextField = 'url' | 'title' | 'fileId'

/** The text fields of each annotation type: the wire key of each canonical field. */
const annotationTypes: ReadonlyMap<unknown, { readonly [field in TextField]?: string }> = new Map(
  Object.entries({
    url_citation: { url: 'url', title: 'title' },
    file_citation: { fileId: 'document_uri', title: 'file_name' },
    place_citation: { url: 'url', title: 'name' },
  }),
)

/** Decodes the annotations of a text, of which only the offsets are needed. */
export function decodeCitations(wire: Json | undefined, offsets: Utf8Offsets): readonly Citation[] {
  return itemsOf(wire).map((annotation) => decodeCitation(annotation, offsets))
}

/** Decodes an annotation of a text; an unknown one is kept as an opaque citation. */
function decodeCitation(wire: Json, offsets: Utf8Offsets): Citation {
  const decoded = isObject(wire) ? readCitation(wire, offsets) : undefined
  if (decoded === undefined || !isObject(wire))
    return freezeOwned({ type: 'opaque', dialect: DIALECT_SLOT, value: wire })
  const hints = { wireType: readStringOrEmpty(wire['type']) }
  const hinted = { ...decoded, extra: createHintExtra(DIALECT_SLOT, hints) }
  const made = writeCitation(hinted, offsets, undefined, noReport)
  return freezeOwned(withResidue(decoded, DIALECT_SLOT, made, wire, hints))
}

function readCitation(wire: JsonObject, offsets: Utf8Offsets): SourceCitation | undefined {
  const fields = annotationTypes.get(wire['type'])
  if (fields === undefined) return undefined
  const entries = Object.entries(fields).filter(([, key]) => typeof wire[key] === 'string')
  const range = readRange(wire, offsets)
  if (entries.length === 0) return undefined
  const { page_number: page } = wire
  const hasPage = wire['type'] === 'file_citation' && isSafeInteger(page)
  return {
    type: 'source',
    ...Object.fromEntries(entries.map(([field, key]) => [field, wire[key]])),
    ...(hasPage && { location: { unit: 'page', start: page, end: page + 1 } }),
    ...range,
  }
}

/** Reads the cited range, which the wire counts in bytes; a range that does not match the text stays residue. */
function readRange(
  { start_index: first, end_index: last }: JsonObject,
  offsets: Utf8Offsets,
): Pick<SourceCitation, 'start' | 'end'> {
  const { start, end } = { start: first ?? 0, end: last }
  if (typeof start !== 'number' || typeof end !== 'number') return {}
  const range = { start: offsets.toIndex(start), end: offsets.toIndex(end) }
  const isValid = range.start !== undefined && range.end !== undefined && range.start <= range.end
  return isValid ? omitUndefined(range) : {}
}

/** Encodes the citations of a text part. */
export function encodeCitations(
  { citations = [], text }: TextPart,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject[] {
  const offsets = getUtf8Offsets(citations.length === 0 ? '' : text)
  return citations
    .map((citation, index) =>
      encodeCitation(citation, offsets, child(child(path, 'citations'), index), context),
    )
    .filter((made) => made !== undefined)
}

/** Encodes a citation of a text; returns undefined if it cannot be sent. */
export function encodeCitation(
  citation: Citation,
  offsets: Utf8Offsets,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject | undefined {
  if (citation.type === 'opaque') return encodeOpaque(citation, DIALECT_SLOT, path, context)
  const made = writeCitation(citation, offsets, path, context)
  if (made === undefined) context.report('citations-dropped', path)
  return made && applyResidue(made, citation, DIALECT_SLOT)
}

function writeCitation(
  citation: SourceCitation,
  offsets: Utf8Offsets,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject | undefined {
  const type = getAnnotationType(citation)
  const fields = annotationTypes.get(type)
  if (type === undefined || fields === undefined) return undefined
  const { location } = citation
  const page = type === 'file_citation' && location?.unit === 'page' ? location.start : undefined
  for (const key of ['url', 'title', 'fileId', 'quote', 'document'] as const) {
    if (citation[key] !== undefined && !Object.hasOwn(fields, key))
      context.report('citation-detail', child(path, key))
  }
  const isPage = page !== undefined && location?.end === page + 1
  if (location !== undefined && !isPage) context.report('citation-detail', child(path, 'location'))
  const range = writeRange(citation, offsets)
  for (const key of ['start', 'end'] as const)
    if (citation[key] !== undefined && range === undefined)
      context.report('citation-detail', child(path, key))
  const entries = Object.entries(fields).map(([field, key]) => [key, citation[field as TextField]] as const)
  return omitUndefined({
    type,
    ...Object.fromEntries(entries),
    page_number: page,
    ...range,
  })
}

/** Encodes the cited range in bytes; undefined if the citation has none within the text that divides no character. */
function writeRange({ start, end }: SourceCitation, offsets: Utf8Offsets): JsonObject | undefined {
  if (start === undefined || end === undefined || start < 0 || start > end || end > offsets.length)
    return undefined
  if (!offsets.isBoundary(start) || !offsets.isBoundary(end)) return undefined
  return { start_index: offsets.toByteOffset(start), end_index: offsets.toByteOffset(end) }
}

/** Returns the annotation type: the received one if its fields are present, else one for a URL or a file. */
function getAnnotationType(citation: SourceCitation): string | undefined {
  const { url, fileId, title } = citation
  const { wireType } = getHints(citation, DIALECT_SLOT)
  const received = annotationTypes.get(wireType)
  const isKept =
    received !== undefined && Object.keys(received).some((key) => citation[key as TextField] !== undefined)
  if (isKept && (url === undefined || Object.hasOwn(received, 'url'))) return wireType as string
  if (url !== undefined) return 'url_citation'
  return fileId !== undefined || title !== undefined ? 'file_citation' : undefined
}
