import type { Citation, SourceCitation } from '../../canonical/model/citation.ts'
import type { TextPart } from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isSafeInteger, isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { applyResidue, withResidue } from '../engine/residue-slots.ts'
import { encodeOpaque } from '../shared/opaque-content.ts'
import { RESPONSE_SLOT, DIALECT_SLOT } from './constants.ts'
import type { PartWithPath } from './parts.ts'

/** Decodes the annotations of a response as citations of its text. */
export function decodeCitations(wire: Json | undefined): Pick<TextPart, 'citations'> {
  if (!isList(wire) || wire.length === 0) return {}
  return { citations: wire.map(decodeAnnotation) }
}

function decodeAnnotation(wire: Json): Citation {
  const citation = isObject(wire) ? readUrl(wire) : undefined
  if (citation === undefined)
    return freezeOwned<Citation>({ type: 'opaque', dialect: DIALECT_SLOT, value: wire })
  return freezeOwned(
    withResidue(citation, RESPONSE_SLOT, encodeAnnotation(citation, 0, 0, undefined, noReport), wire),
  )
}

function readUrl({ type, url_citation: citation }: JsonObject): SourceCitation | undefined {
  if (type !== 'url_citation' || !isObject(citation) || typeof citation['url'] !== 'string') return undefined
  const { url, title, start_index: start, end_index: end } = citation
  if (!isSafeInteger(start) || !isSafeInteger(end)) return undefined
  return { type: 'source', url, ...(typeof title === 'string' && { title }), start, end }
}

/** Encodes the citations of the texts, which are joined into one string. */
export function encodeCitations(
  parts: readonly PartWithPath[],
  context: EncodeContext,
): readonly JsonObject[] {
  const annotations: JsonObject[] = []
  let start = 0
  for (const { part, path } of parts) {
    if (part.type !== 'text' || part.text === '') continue
    const end = start + part.text.length
    for (const [index, citation] of (part.citations ?? []).entries()) {
      const citationPath = child(child(path, 'citations'), index)
      const annotation = encodeAnnotation(citation, start, end, citationPath, context)
      if (annotation !== undefined) annotations.push(annotation)
    }
    start = end
  }
  return annotations
}

/** Encodes a citation of a web page, the only kind; one without a range covers the complete text. */
function encodeAnnotation(
  citation: Citation,
  start: number,
  end: number,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject | undefined {
  if (citation.type === 'opaque') return encodeOpaque(citation, DIALECT_SLOT, path, context)
  const { url, title = '' } = citation
  if (url === undefined) {
    context.report('citations-dropped', path)
    return undefined
  }
  for (const key of ['quote', 'fileId', 'document', 'location'] as const) {
    if (citation[key] !== undefined) context.report('citation-detail', child(path, key))
  }
  if (citation.start === undefined || citation.end === undefined) context.report('citation-range', path)
  const start_index = start + (citation.start ?? 0)
  const end_index = citation.end === undefined ? end : start + citation.end
  const made = { type: 'url_citation', url_citation: { start_index, end_index, title, url } }
  return applyResidue(made, citation, RESPONSE_SLOT)
}
