import type { Citation, SourceCitation } from '../../canonical/model/citation.ts'
import { isSafeInteger, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { encodeOpaque } from '../shared/opaque-content.ts'
import { applyResidue, createHintExtra, getHints, withResidue } from '../engine/residue-slots.ts'
import { DIALECT_SLOT } from './constants.ts'
import type { BlockContainerKind } from './part-context.ts'

/** The key of the token that authenticates a web search citation. Only Anthropic can issue it. */
const ENCRYPTED_INDEX_KEY = 'encrypted_index'

const WEB_CITATION_TYPE = 'web_search_result_location'

/** Citations of documents: the wire type, the canonical unit, and the keys of start and end. */
const locationRows = [
  ['char_location', 'character', 'start_char_index', 'end_char_index'],
  ['page_location', 'page', 'start_page_number', 'end_page_number'],
  ['content_block_location', 'block', 'start_block_index', 'end_block_index'],
] as const

/** Decodes a citation; a citation of an unknown type becomes opaque. */
export function decodeCitation(wire: Json, blockLocation: BlockContainerKind): Citation {
  const found = isObject(wire) ? (readLocation(wire, blockLocation) ?? readWebResult(wire)) : undefined
  if (found === undefined) return { type: 'opaque', dialect: DIALECT_SLOT, value: wire }
  const made = writeCitation(found, undefined, noReport, blockLocation)
  const binding = { keys: [ENCRYPTED_INDEX_KEY], content: getSignedContent(found) }
  return withResidue(found, DIALECT_SLOT, made, wire, getHints(found, DIALECT_SLOT), undefined, binding)
}

/** Encodes a citation; returns undefined for a citation that cannot be sent. */
export function encodeCitation(
  citation: Citation,
  path: Path | undefined,
  context: EncodeContext,
  blockLocation: BlockContainerKind,
): Json | undefined {
  if (citation.type === 'opaque') return encodeOpaque(citation, DIALECT_SLOT, path, context)
  const made = writeCitation(citation, path, context, blockLocation)
  const bound = { content: getSignedContent(citation), onMismatch: () => {} }
  const patched = made && applyResidue(made, citation, DIALECT_SLOT, bound)
  if (patched && (patched['type'] !== WEB_CITATION_TYPE || Object.hasOwn(patched, ENCRYPTED_INDEX_KEY)))
    return patched
  context.report('unverifiable-citation', path)
  return undefined
}

/** Returns the fields that the encrypted index of a citation is bound to. */
function getSignedContent({ url, title, quote }: SourceCitation): Json {
  return [url ?? null, title ?? null, quote ?? null]
}

function writeCitation(
  citation: SourceCitation,
  path: Path | undefined,
  context: EncodeContext,
  blockLocation: BlockContainerKind,
): JsonObject | undefined {
  const located = writeLocation(citation, blockLocation === 'response')
  const made = located ?? writeWebResult(citation)
  if (made === undefined) return undefined
  if (located && citation.fileId !== undefined && !Object.hasOwn(located, 'file_id'))
    context.report('citation-file', child(path, 'fileId'))
  const unsupportedKeys = located ? (['url'] as const) : (['fileId', 'document', 'location'] as const)
  for (const key of [...unsupportedKeys, 'start', 'end'] as const) {
    if (citation[key] !== undefined) context.report('citation-detail', child(path, key))
  }
  return made
}

function readLocation(wire: JsonObject, blockLocation: BlockContainerKind): SourceCitation | undefined {
  const row = locationRows.find(([type]) => type === wire['type'])
  if (row === undefined) return undefined
  const [, unit, startKey, endKey] = row
  const { cited_text: quote, document_index: document, document_title: title, file_id: fileId } = wire
  const { [startKey]: start, [endKey]: end } = wire
  if (typeof quote !== 'string') return undefined
  if (!isSafeInteger(document) || !isSafeInteger(start) || !isSafeInteger(end)) return undefined
  return {
    type: 'source',
    quote,
    document,
    ...(typeof title === 'string' && { title }),
    ...(typeof fileId === 'string' && { fileId }),
    location: { unit, start, end },
    ...(typeof fileId === 'string' &&
      blockLocation !== 'response' && { extra: createHintExtra(DIALECT_SLOT, { hasCitedFileId: true }) }),
  }
}

/** Encodes a citation of a document. A request has `file_id` only if it was decoded with one. */
function writeLocation(citation: SourceCitation, isResponse: boolean): JsonObject | undefined {
  const { quote = '', document, title = null, fileId, location } = citation
  const row = locationRows.find(([, unit]) => unit === location?.unit)
  if (row === undefined || location === undefined || document === undefined) return undefined
  const [type, , start, end] = row
  const isFileIdSent =
    isResponse || (fileId !== undefined && getHints(citation, DIALECT_SLOT)['hasCitedFileId'] === true)
  return {
    type,
    cited_text: quote,
    document_index: document,
    document_title: title,
    [start]: location.start,
    [end]: location.end,
    ...(isFileIdSent && { file_id: fileId ?? null }),
  }
}

/** Decodes a citation of a web search result, which the API accepts only with its encrypted index. */
function readWebResult(wire: JsonObject): SourceCitation | undefined {
  const { type, url, title, cited_text: quote, [ENCRYPTED_INDEX_KEY]: index } = wire
  if (type !== WEB_CITATION_TYPE || typeof url !== 'string' || typeof quote !== 'string') return undefined
  if (typeof index !== 'string') return undefined
  const extra = createHintExtra(DIALECT_SLOT, { webSearchCitation: true })
  return { type: 'source', url, quote, ...(typeof title === 'string' && { title }), extra }
}

function writeWebResult(citation: SourceCitation): JsonObject | undefined {
  const { url, quote = '', title = null } = citation
  if (getHints(citation, DIALECT_SLOT)['webSearchCitation'] !== true || url === undefined) return undefined
  return { type: WEB_CITATION_TYPE, url, title, cited_text: quote }
}
