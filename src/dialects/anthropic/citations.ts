import type { Citation, SourceCitation } from '../../canonical/model/citation.ts'
import { isInteger, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import { type Encoding, silent } from '../encoding.ts'
import { encodeOpaque } from '../shared/opaque.ts'
import { applyResidue, hintedExtra, hintsFor, withResidue } from '../unit.ts'
import { locations, SLOT } from './codes.ts'
import type { Place } from './parts.ts'

type Wire = { readonly [key: string]: unknown }

/** The key that vouches for a web result: only this provider makes it. */
const TOKEN = 'encrypted_index'

const WEB = 'web_search_result_location'

/** Reads a citation; one of a kind that we do not model stays opaque. */
export function decodeCitation(wire: Json, place: Place = 'assistant'): Citation {
  const found = isObject(wire) ? (readLocation(wire, place) ?? readWebResult(wire)) : undefined
  if (found === undefined) return { type: 'opaque', dialect: SLOT, value: wire }
  const made = writeCitation(found, undefined, silent, place)
  const bond = { keys: [TOKEN], of: contentOf(found) }
  return withResidue(found, SLOT, made, wire, hintsFor(found, SLOT), undefined, bond)
}

/** Writes a citation; undefined where it cannot be sent. */
export function encodeCitation(
  citation: Citation,
  at: Path | undefined,
  encoding: Encoding,
  place: Place = 'assistant',
): Json | undefined {
  if (citation.type === 'opaque') return encodeOpaque(citation, SLOT, at, encoding)
  const made = writeCitation(citation, at, encoding, place)
  const bonded = { of: contentOf(citation), stale: () => {} }
  const patched = made && applyResidue(made, citation, SLOT, bonded)
  if (patched !== undefined && (patched['type'] !== WEB || Object.hasOwn(patched, TOKEN))) return patched
  encoding.lose('unverifiable-citation', at)
  return undefined
}

/** What the provider's token vouches for. */
function contentOf({ url, title, quote }: SourceCitation): Json {
  return [url ?? null, title ?? null, quote ?? null]
}

function writeCitation(
  citation: SourceCitation,
  at: Path | undefined,
  encoding: Encoding,
  place: Place,
): JsonObject | undefined {
  const located = writeLocation(citation, at, encoding, place)
  const made = located ?? writeWebResult(citation)
  const gone = located === undefined ? (['fileId', 'document', 'location'] as const) : (['url'] as const)
  for (const key of made === undefined ? [] : ([...gone, 'start', 'end'] as const)) {
    if (citation[key] !== undefined) encoding.lose('citation-detail', below(at, key))
  }
  return made
}

function readLocation(wire: Wire, place: Place): SourceCitation | undefined {
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
  if (typeof quote !== 'string') return undefined
  if (!isInteger(document) || !isInteger(start) || !isInteger(end)) return undefined
  return {
    type: 'source',
    quote,
    document,
    ...(typeof title === 'string' && { title }),
    ...(typeof fileId === 'string' && { fileId }),
    location: { unit, start, end },
    ...(typeof fileId === 'string' &&
      place !== 'response' && { extra: hintedExtra(SLOT, { hasCitedFileId: true }) }),
  }
}

/** A file is named in answers; elsewhere only where it was. */
function writeLocation(
  citation: SourceCitation,
  at: Path | undefined,
  encoding: Encoding,
  place: Place,
): JsonObject | undefined {
  const { quote, document, title, fileId, location } = citation
  const row = locations.find(([, unit]) => unit === location?.unit)
  if (row === undefined || location === undefined || document === undefined) return undefined
  const [type, , start, end] = row
  const named = place === 'response' || hintsFor(citation, SLOT)['hasCitedFileId'] === true
  if (!named && fileId !== undefined) encoding.lose('citation-file', below(at, 'fileId'))
  return {
    type,
    cited_text: quote ?? '',
    document_index: document,
    document_title: title ?? null,
    [start]: location.start,
    [end]: location.end,
    ...(place === 'response'
      ? { file_id: fileId ?? null }
      : named && fileId !== undefined && { file_id: fileId }),
  }
}

/** A web result is vouched for by an encrypted index, which only this provider makes. */
function readWebResult(wire: Wire): SourceCitation | undefined {
  const { type, url, title, cited_text: quote, encrypted_index: index } = wire
  if (type !== WEB || typeof url !== 'string' || typeof quote !== 'string') return undefined
  if (typeof index !== 'string') return undefined
  const extra = hintedExtra(SLOT, { webSearchCitation: true })
  return { type: 'source', url, quote, ...(typeof title === 'string' && { title }), extra }
}

function writeWebResult(citation: SourceCitation): JsonObject | undefined {
  const { url, quote, title } = citation
  if (hintsFor(citation, SLOT)['webSearchCitation'] !== true || url === undefined) return undefined
  return { type: WEB, url, title: title ?? null, cited_text: quote ?? '' }
}
