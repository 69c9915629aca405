import type { Citation, SourceCitation } from '../../canonical/model/citation.ts'
import type { TextPart } from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isSafeInteger, isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { applyResidue, withResidue } from '../engine/residue-slots.ts'
import { encodeOpaque } from '../shared/opaque-message.ts'
import { RESPONSE_SLOT, DIALECT_SLOT } from './constants.ts'

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
    withResidue(citation, RESPONSE_SLOT, writeUrl(citation, 0, 0, undefined, noReport), wire),
  )
}

function readUrl({ type, url_citation: citation }: JsonObject): SourceCitation | undefined {
  if (type !== 'url_citation' || !isObject(citation) || typeof citation['url'] !== 'string') return undefined
  const { url, title, start_index: start, end_index: end } = citation
  if (!isSafeInteger(start) || !isSafeInteger(end)) return undefined
  return { type: 'source', url, ...(typeof title === 'string' && { title }), start, end }
}

/** Encodes the citations of texts that are joined into one string. */
export function encodeCitations(
  texts: readonly { readonly part: TextPart; readonly path: Path }[],
  context: EncodeContext,
): readonly JsonObject[] {
  let offset = 0
  return texts.flatMap(({ part, path }) => {
    const start = offset
    offset += part.text.length
    return (part.citations ?? []).flatMap((citation, index) => {
      const citationPath = child(child(path, 'citations'), index)
      const annotation = encodeAnnotation(citation, start, offset, citationPath, context)
      return annotation === undefined ? [] : [annotation]
    })
  })
}

function encodeAnnotation(
  citation: Citation,
  start: number,
  end: number,
  path: Path,
  context: EncodeContext,
): JsonObject | undefined {
  if (citation.type === 'opaque') return encodeOpaque(citation, DIALECT_SLOT, path, context)
  const made = writeUrl(citation, start, end, path, context)
  if (made === undefined) context.report('citations-dropped', path)
  return made && applyResidue(made, citation, RESPONSE_SLOT)
}

/**
 * Encodes a citation of a web page, the only kind of the format. A citation without a range covers the
 * complete text.
 */
function writeUrl(
  citation: SourceCitation,
  start: number,
  end: number,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject | undefined {
  const { url, title } = citation
  if (url === undefined) return undefined
  for (const key of ['quote', 'fileId', 'document', 'location'] as const) {
    if (citation[key] !== undefined) context.report('citation-detail', child(path, key))
  }
  if (citation.start === undefined || citation.end === undefined) context.report('citation-range', path)
  return {
    type: 'url_citation',
    url_citation: {
      start_index: start + (citation.start ?? 0),
      end_index: citation.end === undefined ? end : start + citation.end,
      title: title ?? '',
      url,
    },
  }
}
