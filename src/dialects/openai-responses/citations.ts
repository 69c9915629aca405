import type { Citation, SourceCitation } from '../../canonical/model/citation.ts'
import type { TextPart } from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isSafeInteger, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { applyResidue, hintedExtra, getHints, withResidue } from '../engine/residue-slots.ts'
import { encodeOpaque } from '../shared/opaque-message.ts'
import { DIALECT_SLOT } from './constants.ts'
import type { OpenAIResponsesHint } from './hints.ts'

/**
 * The fields of one annotation type: the canonical field, the wire key, and the value if the citation has
 * none.
 */
type AnnotationFields = readonly (readonly [
  field: 'url' | 'title' | 'fileId' | 'document' | 'start' | 'end',
  key: string,
  blank: string | number,
])[]

const annotationKinds: { readonly [type: string]: AnnotationFields } = {
  url_citation: [
    ['url', 'url', ''],
    ['title', 'title', ''],
    ['start', 'start_index', 0],
    ['end', 'end_index', 0],
  ],
  file_citation: [
    ['fileId', 'file_id', ''],
    ['title', 'filename', ''],
    ['document', 'index', 0],
  ],
  container_file_citation: [
    ['fileId', 'file_id', ''],
    ['title', 'filename', ''],
    ['start', 'start_index', 0],
    ['end', 'end_index', 0],
  ],
  file_path: [
    ['fileId', 'file_id', ''],
    ['document', 'index', 0],
  ],
}

/** Decodes an annotation; an unknown one is kept as an opaque citation. */
export function decodeCitation(wire: Json): Citation {
  const opaque: Citation = { type: 'opaque', dialect: DIALECT_SLOT, value: wire }
  const decoded = isObject(wire) ? readCitation(wire) : undefined
  if (decoded === undefined || !isObject(wire)) return freezeOwned(opaque)
  const hints = { wireType: wire['type'] as string }
  const made = writeCitation({ ...decoded, extra: hintedExtra(DIALECT_SLOT, hints) }, '', undefined, noReport)
  return freezeOwned(withResidue(decoded, DIALECT_SLOT, made, wire, hints))
}

function readCitation(wire: JsonObject): SourceCitation | undefined {
  const { type } = wire
  const fields =
    typeof type === 'string' && Object.hasOwn(annotationKinds, type) ? annotationKinds[type] : undefined
  if (fields === undefined) return undefined
  const entries = fields.flatMap(([field, key, blank]) =>
    (typeof blank === 'number' ? isSafeInteger(wire[key]) : typeof wire[key] === 'string')
      ? [[field, wire[key]] as const]
      : [],
  )
  return entries.length === fields.length ? { type: 'source', ...Object.fromEntries(entries) } : undefined
}

/** Encodes the citations of a text part. */
export function encodeCitations(
  part: TextPart,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject[] {
  return (part.citations ?? []).flatMap((citation, index) => {
    const made = encodeCitation(citation, part.text, child(child(path, 'citations'), index), context)
    return made === undefined ? [] : [made]
  })
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
  const type = getAnnotationType(citation, getHints(citation, DIALECT_SLOT))
  const fields = type === undefined ? undefined : annotationKinds[type]
  if (type === undefined || fields === undefined) return undefined
  const supportedFields = new Set<string>(fields.map(([field]) => field))
  for (const key of ['url', 'title', 'quote', 'fileId', 'document', 'location', 'start', 'end'] as const) {
    if (citation[key] !== undefined && !supportedFields.has(key))
      context.report('citation-detail', child(path, key))
  }
  if (supportedFields.has('end') && (citation.start === undefined || citation.end === undefined))
    context.report('citation-range', path)
  const fullRange = { start: 0, end: text.length }
  return {
    type,
    ...Object.fromEntries(
      fields.map(([field, key, blank]) => [key, { ...fullRange, ...citation }[field] ?? blank] as const),
    ),
  }
}

/** Returns the annotation type: the received one if its fields are present, else one for a URL or a file. */
function getAnnotationType(
  { url, fileId }: SourceCitation,
  { wireType: kind }: Hints<OpenAIResponsesHint>,
): string | undefined {
  const receivedType = typeof kind === 'string' && Object.hasOwn(annotationKinds, kind) ? kind : undefined
  if (receivedType !== undefined && (receivedType === 'url_citation' ? url : fileId) !== undefined)
    return receivedType
  return url !== undefined ? 'url_citation' : fileId !== undefined ? 'file_citation' : undefined
}
