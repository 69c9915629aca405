import type { Citation, SourceCitation } from '../../canonical/model/citation.ts'
import { applyResidue, attachResidue } from '../../dialects/engine/residue-slots.ts'
import {
  getOwnValue,
  isEmptyObject,
  isObject,
  isSafeInteger,
  type Json,
  type JsonObject,
  omitUndefined,
} from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { FormatReporter } from '../engine/format-loss-reporter.ts'
import { LANGCHAIN_SLOT, NAME } from './constants.ts'

/** Spellings of Python. */
const PYTHON_KEYS = {
  startIndex: ['start_index'],
  endIndex: ['end_index'],
  citedText: ['cited_text'],
} as const

/** The fields of a citation that LangChain lacks. */
const OWN_FIELDS = ['fileId', 'document', 'location'] as const

/** Reads an annotation: a citation, or one of another type, which is kept as it is. */
export function readAnnotation(wire: Json): Citation {
  if (!isObject(wire) || wire['type'] !== 'citation') return { type: 'opaque', dialect: NAME, value: wire }
  const annotation = wire
  const extras = isObject(annotation['extras']) ? getOwnValue(annotation['extras'], 'interlingua') : undefined
  const own = isObject(extras) ? (extras as JsonObject) : {}
  const pickText = (key: string): string | undefined => {
    const value = annotation[key]
    return typeof value === 'string' ? value : undefined
  }
  const pickNumber = (...keys: readonly string[]): number | undefined =>
    keys.map((key) => annotation[key]).find(isSafeInteger)
  const fields = {
    url: pickText('url'),
    title: pickText('title'),
    quote: pickText('citedText') ?? pickText('cited_text'),
    start: pickNumber('startIndex', 'start_index'),
    end: pickNumber('endIndex', 'end_index'),
    ...Object.fromEntries(OWN_FIELDS.map((key) => [key, own[key]])),
  }
  const citation = { type: 'source', ...omitUndefined(fields) } as SourceCitation
  return attachResidue(citation, LANGCHAIN_SLOT, {}, annotation, (unit) => writeCitation(unit), {
    aliases: PYTHON_KEYS,
  })
}

/** Writes the citations of a text; those of other formats are omitted. */
export function writeAnnotations(
  citations: readonly Citation[] = [],
  path: Path | undefined,
  report: FormatReporter,
): readonly JsonObject[] {
  return citations.flatMap((citation, index): readonly JsonObject[] => {
    if (citation.type === 'source') return [applyResidue(writeCitation(citation), citation, LANGCHAIN_SLOT)]
    if (citation.dialect === NAME && isObject(citation.value)) return [citation.value]
    report.add('foreign-citation', child(child(path, 'citations'), index))
    return []
  })
}

function writeCitation(citation: SourceCitation): JsonObject {
  const { url, title, quote, start, end } = citation
  const own: Record<string, unknown> = {}
  for (const key of OWN_FIELDS) if (citation[key] !== undefined) own[key] = citation[key]
  return omitUndefined({
    type: 'citation',
    url,
    title,
    citedText: quote,
    startIndex: start,
    endIndex: end,
    extras: isEmptyObject(own) ? undefined : { interlingua: own },
  }) as JsonObject
}
