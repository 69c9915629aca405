import type { Citation, SourceCitation } from '../../canonical/model/citation.ts'
import type { TextPart } from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isSafeInteger, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { applyResidue, createHintExtra, getHints, withResidue } from '../engine/residue-slots.ts'
import { encodeOpaque } from '../shared/opaque-content.ts'
import { DIALECT_SLOT } from './constants.ts'

/** The fields of an annotation type: each wire key with the canonical field. */
type AnnotationFields = readonly (readonly [key: string, field: keyof typeof blankFields])[]

/** The values of required wire keys for which a citation has no value. */
const blankFields = { url: '', title: '', fileId: '', document: 0, start: 0, end: 0 } as const

const annotationTypes: ReadonlyMap<unknown, AnnotationFields> = new Map(
  Object.entries({
    url_citation: { url: 'url', title: 'title', start_index: 'start', end_index: 'end' },
    file_citation: { file_id: 'fileId', filename: 'title', index: 'document' },
    container_file_citation: { file_id: 'fileId', filename: 'title', start_index: 'start', end_index: 'end' },
    file_path: { file_id: 'fileId', index: 'document' },
  } as const).map(([type, fields]) => [type, Object.entries(fields)]),
)

/** Decodes an annotation; an unknown one is kept as an opaque citation. */
export function decodeCitation(wire: Json): Citation {
  const decoded = isObject(wire) ? readCitation(wire) : undefined
  if (decoded === undefined || !isObject(wire))
    return freezeOwned({ type: 'opaque', dialect: DIALECT_SLOT, value: wire })
  const hints = { wireType: wire['type'] as string }
  const made = writeCitation(
    { ...decoded, extra: createHintExtra(DIALECT_SLOT, hints) },
    '',
    undefined,
    noReport,
  )
  return freezeOwned(withResidue(decoded, DIALECT_SLOT, made, wire, hints))
}

function readCitation(wire: JsonObject): SourceCitation | undefined {
  const fields = annotationTypes.get(wire['type'])
  const isComplete = fields?.every(([key, field]) =>
    blankFields[field] === 0 ? isSafeInteger(wire[key]) : typeof wire[key] === 'string',
  )
  if (fields === undefined || !isComplete) return undefined
  return { type: 'source', ...Object.fromEntries(fields.map(([key, field]) => [field, wire[key]])) }
}

/** Encodes the citations of a text part. */
export function encodeCitations(
  { citations = [], text }: TextPart,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject[] {
  return citations
    .map((citation, index) => encodeCitation(citation, text, child(child(path, 'citations'), index), context))
    .filter((made) => made !== undefined)
}

/** Reports the citations of a text in a form that has none. */
export function reportOmittedCitations(part: TextPart, path: Path | undefined, context: EncodeContext): void {
  if (part.citations !== undefined && part.citations.length > 0)
    context.report('citations-dropped', child(path, 'citations'))
}

/** Encodes a citation; returns undefined if it cannot be sent. */
export function encodeCitation(
  citation: Citation,
  text: string,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject | undefined {
  if (citation.type === 'opaque') return encodeOpaque(citation, DIALECT_SLOT, path, context)
  const made = writeCitation(citation, text, path, context)
  if (made === undefined) context.report('citations-dropped', path)
  return made && applyResidue(made, citation, DIALECT_SLOT)
}

function writeCitation(
  citation: SourceCitation,
  text: string,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject | undefined {
  const type = getAnnotationType(citation)
  const fields = annotationTypes.get(type)
  if (type === undefined || fields === undefined) return undefined
  const supportedFields = new Set<string>(fields.map(([, field]) => field))
  for (const key of ['url', 'title', 'quote', 'fileId', 'document', 'location', 'start', 'end'] as const) {
    if (citation[key] !== undefined && !supportedFields.has(key))
      context.report('citation-detail', child(path, key))
  }
  if (supportedFields.has('end') && (citation.start === undefined || citation.end === undefined))
    context.report('citation-range', path)
  const values: SourceCitation = { start: 0, end: text.length, ...citation }
  const entries = fields.map(([key, field]) => [key, values[field] ?? blankFields[field]] as const)
  return { type, ...Object.fromEntries(entries) }
}

/** Returns the annotation type: the received one if its fields are present, else one for a URL or a file. */
function getAnnotationType(citation: SourceCitation): string | undefined {
  const { url, fileId } = citation
  const { wireType } = getHints(citation, DIALECT_SLOT)
  if (annotationTypes.has(wireType) && (wireType === 'url_citation' ? url : fileId) !== undefined)
    return wireType as string
  return url !== undefined ? 'url_citation' : fileId !== undefined ? 'file_citation' : undefined
}
