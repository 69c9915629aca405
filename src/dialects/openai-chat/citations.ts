import type { Citation, SourceCitation } from '../../canonical/model/citation.ts'
import type { TextPart } from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isSafeInteger, isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { applyResidue, withResidue } from '../engine/residue-slots.ts'
import { encodeOpaque } from '../shared/opaque-message.ts'
import { RESPONSE_SLOT, DIALECT_SLOT } from './constants.ts'

/** Reads the annotations of an answer as citations of its text. */
export function decodeCitations(wire: Json | undefined): Pick<TextPart, 'citations'> {
  if (!isList(wire) || wire.length === 0) return {}
  return { citations: wire.map(decodeAnnotation) }
}

function decodeAnnotation(wire: Json): Citation {
  const read = isObject(wire) ? readUrl(wire) : undefined
  if (read === undefined) return freezeOwned<Citation>({ type: 'opaque', dialect: DIALECT_SLOT, value: wire })
  return freezeOwned(withResidue(read, RESPONSE_SLOT, writeUrl(read, 0, 0, undefined, noReport), wire))
}

function readUrl({ type, url_citation: cited }: JsonObject): SourceCitation | undefined {
  if (type !== 'url_citation' || !isObject(cited) || typeof cited['url'] !== 'string') return undefined
  const { url, title, start_index: start, end_index: end } = cited
  if (!isSafeInteger(start) || !isSafeInteger(end)) return undefined
  return { type: 'source', url, ...(typeof title === 'string' && { title }), start, end }
}

/** Writes the citations of texts that stand one after the other. */
export function encodeCitations(
  texts: readonly { readonly part: TextPart; readonly path: Path }[],
  context: EncodeContext,
): readonly JsonObject[] {
  let offset = 0
  return texts.flatMap(({ part, path }) => {
    const start = offset
    offset += part.text.length
    return (part.citations ?? []).flatMap((citation, index) => {
      const here = child(child(path, 'citations'), index)
      const made = encodeAnnotation(citation, start, offset, here, context)
      return made === undefined ? [] : [made]
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

/** Only pages on the web can be cited; without a stretch of its own a citation stands for the whole text. */
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
  if (citation.start === undefined || citation.end === undefined) context.report('citation-stretch', path)
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
