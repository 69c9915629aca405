import type { Citation, SourceCitation } from '../../canonical/model/citation.ts'
import { isObject, isSafeInteger, itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { applyResidue, withResidue } from '../engine/residue-slots.ts'
import { encodeOpaque } from '../shared/opaque-content.ts'
import { DIALECT_SLOT } from './constants.ts'

/** Locations in documents: the key on the wire, and the canonical unit. */
const locationRows = [
  ['documentChar', 'character'],
  ['documentPage', 'page'],
  ['documentChunk', 'block'],
] as const

/** Decodes a citation. A location of another type stays residue. */
export function decodeCitation(wire: Json): Citation {
  if (!isObject(wire)) return { type: 'opaque', dialect: DIALECT_SLOT, value: wire }
  const { title, sourceContent, location } = wire
  const [only, ...others] = itemsOf(sourceContent)
  const quote = isObject(only) && others.length === 0 ? only['text'] : undefined
  const citation: SourceCitation = {
    type: 'source',
    ...(typeof title === 'string' && { title }),
    ...(typeof quote === 'string' && { quote }),
    ...(isObject(location) && readLocation(location)),
  }
  return withResidue(citation, DIALECT_SLOT, writeCitation(citation, undefined, noReport), wire)
}

/** Encodes a citation; returns undefined for a citation that cannot be sent. */
export function encodeCitation(
  citation: Citation,
  path: Path | undefined,
  context: EncodeContext,
): Json | undefined {
  if (citation.type === 'opaque') return encodeOpaque(citation, DIALECT_SLOT, path, context)
  return applyResidue(writeCitation(citation, path, context), citation, DIALECT_SLOT)
}

function writeCitation(citation: SourceCitation, path: Path | undefined, context: EncodeContext): JsonObject {
  const { title, quote, url } = citation
  const document = writeDocumentLocation(citation)
  const location = document ?? (url === undefined ? undefined : { web: { url } })
  if (citation.fileId !== undefined) context.report('citation-file', child(path, 'fileId'))
  const unsupportedKeys = document ? (['url'] as const) : (['document', 'location'] as const)
  for (const key of [...unsupportedKeys, 'start', 'end'] as const) {
    if (citation[key] !== undefined) context.report('citation-detail', child(path, key))
  }
  return {
    ...(title !== undefined && { title }),
    ...(quote !== undefined && { sourceContent: [{ text: quote }] }),
    ...(location !== undefined && { location }),
  }
}

function readLocation(wire: JsonObject): Pick<SourceCitation, 'document' | 'location' | 'url'> {
  const { web } = wire
  if (isObject(web)) return typeof web['url'] === 'string' ? { url: web['url'] } : {}
  const row = locationRows.find(([key]) => isObject(wire[key]))
  const range = row && wire[row[0]]
  if (row === undefined || !isObject(range)) return {}
  const { documentIndex: document, start, end } = range
  if (!isSafeInteger(document) || !isSafeInteger(start) || !isSafeInteger(end)) return {}
  return { document, location: { unit: row[1], start, end } }
}

function writeDocumentLocation({ document, location }: SourceCitation): JsonObject | undefined {
  const row = locationRows.find(([, unit]) => unit === location?.unit)
  if (row === undefined || location === undefined || document === undefined) return undefined
  return { [row[0]]: { documentIndex: document, start: location.start, end: location.end } }
}
