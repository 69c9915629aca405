import type { Citation, SourceCitation } from '../../canonical/model/citation.ts'
import type { TextPart } from '../../canonical/model/part.ts'
import { sealOwn } from '../../wire/frozen.ts'
import { isInteger, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import { type Encoding, silent } from '../encoding.ts'
import { applyResidue, hintedExtra, hintsFor, withResidue } from '../unit.ts'
import { encodeOpaque } from '../shared/opaque.ts'
import { SLOT } from './codes.ts'
import type { OpenAIResponsesHint } from './hints.ts'

type Wire = { readonly [key: string]: Json }

/** What one kind of annotation holds: our field, the wire's key, and what stands where we have nothing. */
type Fields = readonly (readonly [
  ours: 'url' | 'title' | 'fileId' | 'document' | 'start' | 'end',
  key: string,
  blank: string | number,
])[]

const kinds: { readonly [type: string]: Fields } = {
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

/** Reads an annotation; one of a kind that we do not model stays opaque. */
export function decodeCitation(wire: Json): Citation {
  const opaque: Citation = { type: 'opaque', dialect: SLOT, value: wire }
  const read = isObject(wire) ? readCitation(wire) : undefined
  if (read === undefined || !isObject(wire)) return sealOwn(opaque)
  const hints = { wireType: wire['type'] as string }
  const made = writeCitation({ ...read, extra: hintedExtra(SLOT, hints) }, '', undefined, silent)
  return sealOwn(withResidue(read, SLOT, made, wire, hints))
}

function readCitation(wire: Wire): SourceCitation | undefined {
  const { type } = wire
  const fields = typeof type === 'string' && Object.hasOwn(kinds, type) ? kinds[type] : undefined
  if (fields === undefined) return undefined
  const read = fields.flatMap(([ours, key, blank]) =>
    (typeof blank === 'number' ? isInteger(wire[key]) : typeof wire[key] === 'string')
      ? [[ours, wire[key]] as const]
      : [],
  )
  return read.length === fields.length ? { type: 'source', ...Object.fromEntries(read) } : undefined
}

/** Writes the citations of a text. */
export function encodeCitations(part: TextPart, at: Path | undefined, encoding: Encoding): JsonObject[] {
  return (part.citations ?? []).flatMap((citation, index) => {
    const made = encodeCitation(citation, part.text, below(below(at, 'citations'), index), encoding)
    return made === undefined ? [] : [made]
  })
}

/** Writes a citation; undefined where it cannot be sent. */
export function encodeCitation(
  citation: Citation,
  text: string,
  at: Path | undefined,
  encoding: Encoding,
): JsonObject | undefined {
  if (citation.type === 'opaque') return encodeOpaque(citation, SLOT, at, encoding)
  const made = writeCitation(citation, text, at, encoding)
  if (made === undefined) encoding.lose('citations-dropped', at)
  return made && applyResidue(made, citation, SLOT)
}

function writeCitation(
  citation: SourceCitation,
  text: string,
  at: Path | undefined,
  encoding: Encoding,
): JsonObject | undefined {
  const type = kindOf(citation, hintsFor(citation, SLOT))
  const fields = type === undefined ? undefined : kinds[type]
  if (type === undefined || fields === undefined) return undefined
  const told = new Set<string>(fields.map(([ours]) => ours))
  for (const key of ['url', 'title', 'quote', 'fileId', 'document', 'location', 'start', 'end'] as const) {
    if (citation[key] !== undefined && !told.has(key)) encoding.lose('citation-detail', below(at, key))
  }
  if (told.has('end') && (citation.start === undefined || citation.end === undefined))
    encoding.lose('citation-stretch', at)
  const whole = { start: 0, end: text.length }
  return {
    type,
    ...Object.fromEntries(
      fields.map(([ours, key, blank]) => [key, { ...whole, ...citation }[ours] ?? blank] as const),
    ),
  }
}

/** A page on the web, or a file; the other kinds only where they came as such. */
function kindOf(
  { url, fileId }: SourceCitation,
  { wireType: kind }: Hints<OpenAIResponsesHint>,
): string | undefined {
  const came = typeof kind === 'string' && Object.hasOwn(kinds, kind) ? kind : undefined
  if (came !== undefined && (came === 'url_citation' ? url : fileId) !== undefined) return came
  return url !== undefined ? 'url_citation' : fileId !== undefined ? 'file_citation' : undefined
}
