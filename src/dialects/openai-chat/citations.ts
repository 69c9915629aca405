import type { Citation, SourceCitation } from '../../canonical/model/citation.ts'
import type { TextPart } from '../../canonical/model/part.ts'
import { sealOwn } from '../../wire/frozen.ts'
import { isInteger, isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import { type Encoding, silent } from '../encoding.ts'
import { applyResidue, withResidue } from '../unit.ts'
import { encodeOpaque } from '../shared/opaque.ts'
import { RESPONSE, SLOT } from './codes.ts'

type Wire = { readonly [key: string]: Json }

/** Reads the annotations of an answer as citations of its text. */
export function decodeCitations(wire: Json | undefined): Pick<TextPart, 'citations'> {
  if (!isList(wire) || wire.length === 0) return {}
  return { citations: wire.map(decodeAnnotation) }
}

function decodeAnnotation(wire: Json): Citation {
  const read = isObject(wire) ? readUrl(wire) : undefined
  if (read === undefined) return sealOwn<Citation>({ type: 'opaque', dialect: SLOT, value: wire })
  return sealOwn(withResidue(read, RESPONSE, writeUrl(read, 0, 0, undefined, silent), wire))
}

function readUrl({ type, url_citation: cited }: Wire): SourceCitation | undefined {
  if (type !== 'url_citation' || !isObject(cited) || typeof cited['url'] !== 'string') return undefined
  const { url, title, start_index: start, end_index: end } = cited
  if (!isInteger(start) || !isInteger(end)) return undefined
  return { type: 'source', url, ...(typeof title === 'string' && { title }), start, end }
}

/** Writes the citations of texts that stand one after the other. */
export function encodeCitations(
  texts: readonly { readonly part: TextPart; readonly at: Path }[],
  encoding: Encoding,
): readonly JsonObject[] {
  let offset = 0
  return texts.flatMap(({ part, at }) => {
    const start = offset
    offset += part.text.length
    return (part.citations ?? []).flatMap((citation, index) => {
      const here = below(below(at, 'citations'), index)
      const made = encodeAnnotation(citation, start, offset, here, encoding)
      return made === undefined ? [] : [made]
    })
  })
}

function encodeAnnotation(
  citation: Citation,
  start: number,
  end: number,
  at: Path,
  encoding: Encoding,
): JsonObject | undefined {
  if (citation.type === 'opaque') return encodeOpaque(citation, SLOT, at, encoding)
  const made = writeUrl(citation, start, end, at, encoding)
  if (made === undefined) encoding.lose('citations-dropped', at)
  return made && applyResidue(made, citation, RESPONSE)
}

/** Only pages on the web can be cited; without a stretch of its own a citation stands for the whole text. */
function writeUrl(
  citation: SourceCitation,
  start: number,
  end: number,
  at: Path | undefined,
  encoding: Encoding,
): JsonObject | undefined {
  const { url, title } = citation
  if (url === undefined) return undefined
  for (const key of ['quote', 'fileId', 'document', 'location'] as const) {
    if (citation[key] !== undefined) encoding.lose('citation-detail', below(at, key))
  }
  if (citation.start === undefined || citation.end === undefined) encoding.lose('citation-stretch', at)
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
