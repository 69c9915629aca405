import type { Citation, SourceCitation } from '../../canonical/model/citation.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import type { Path } from '../../wire/pointer.ts'
import { type Encoding, silent } from '../encoding.ts'
import { applyResidue, hintsFor, withResidue } from '../unit.ts'
import { locations, SLOT } from './codes.ts'

type Wire = { readonly [key: string]: unknown }

/** Reads a citation; one of a kind that we do not model stays opaque. */
export function decodeCitation(wire: Json): Citation {
  const found = isObject(wire) ? (readLocation(wire) ?? readWebResult(wire)) : undefined
  if (found === undefined) return { type: 'opaque', dialect: SLOT, value: wire }
  return withResidue(found, SLOT, encodeCitation(found, undefined, silent), wire, hintsFor(found, SLOT))
}

/** Writes a citation; undefined where it cannot be sent. */
export function encodeCitation(
  citation: Citation,
  at: Path | undefined,
  encoding: Encoding,
): Json | undefined {
  if (citation.type === 'opaque') {
    if (citation.dialect === SLOT) return citation.value
    encoding.lose('foreign-opaque', at)
    return undefined
  }
  const made = writeLocation(citation) ?? writeWebResult(citation)
  if (made !== undefined) return applyResidue(made, citation, SLOT)
  encoding.lose('unverifiable-citation', at)
  return undefined
}

function readLocation(wire: Wire): SourceCitation | undefined {
  const row = locations.find(([type]) => type === wire['type'])
  if (row === undefined) return undefined
  const [, unit, startKey, endKey] = row
  const {
    cited_text: quote,
    document_index: document,
    document_title: title,
    file_id: fileId,
    [startKey]: start,
    [endKey]: end,
  } = wire
  if (
    typeof quote !== 'string' ||
    typeof document !== 'number' ||
    typeof start !== 'number' ||
    typeof end !== 'number'
  )
    return undefined
  return {
    type: 'source',
    quote,
    document,
    ...(typeof title === 'string' && { title }),
    ...(typeof fileId === 'string' && { fileId }),
    location: { unit, start, end },
  }
}

function writeLocation({ quote, document, title, fileId, location }: SourceCitation): JsonObject | undefined {
  const row = locations.find(([, unit]) => unit === location?.unit)
  if (row === undefined || location === undefined || document === undefined) return undefined
  const [type, , start, end] = row
  const file = fileId === undefined ? {} : { file_id: fileId }
  const place = { [start]: location.start, [end]: location.end }
  return {
    type,
    cited_text: quote ?? '',
    document_index: document,
    document_title: title ?? null,
    ...place,
    ...file,
  }
}

/** A web result is vouched for by an encrypted index, which only this provider makes. */
function readWebResult(wire: Wire): SourceCitation | undefined {
  const { type, url, title, cited_text: quote, encrypted_index: index } = wire
  if (type !== 'web_search_result_location' || typeof url !== 'string' || typeof quote !== 'string')
    return undefined
  if (typeof index !== 'string') return undefined
  const extra = { [SLOT]: { $: { hints: { web: true } } } }
  return { type: 'source', url, quote, ...(typeof title === 'string' && { title }), extra }
}

function writeWebResult(citation: SourceCitation): JsonObject | undefined {
  const { url, quote, title } = citation
  if (hintsFor(citation, SLOT)['web'] !== true || url === undefined) return undefined
  return { type: 'web_search_result_location', url, title: title ?? null, cited_text: quote ?? '' }
}
