import type { SourceCitation } from '../../canonical/model/citation.ts'
import type {
  MediaPart,
  OpaquePart,
  ReasoningPart,
  RefusalPart,
  TextPart,
} from '../../canonical/model/part.ts'
import { throwWrongType } from '../../canonical/shape/shape.ts'
import { checkAndFreezePart } from '../../canonical/shape/part.ts'
import { applyResidue, attachResidue } from '../../dialects/engine/residue-slots.ts'
import { isEmptyObject, isObject, type JsonObject, omitUndefined } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import {
  buildMedia,
  readReference,
  readSource,
  writeMediaDetails,
  writeMediaType,
  writeUrl,
} from '../ai-sdk-shared/media.ts'
import {
  addProviderMetadata,
  buildPartMetadata,
  readOwnProviderMetadata,
} from '../ai-sdk-shared/provider-metadata.ts'
import { type FormatReporter, silentReporter } from '../engine/format-loss-reporter.ts'
import { NAME, UI_SLOT } from './constants.ts'

/** The part types that are not calls. */
export type ContentPart = TextPart | ReasoningPart | RefusalPart | MediaPart | OpaquePart

/** Reads a text with the sources that follow it. */
export function readText(
  wire: JsonObject,
  sources: readonly JsonObject[],
  path: Path,
): TextPart | RefusalPart {
  const { text, providerMetadata } = wire
  const citations = sources.map(readCitation)
  const isRefusal = readOwnProviderMetadata(providerMetadata)['refusal'] === true && citations.length === 0
  const part = isRefusal
    ? ({ type: 'refusal', text: text as string } as const)
    : ({ type: 'text', text: text as string, ...(citations.length > 0 && { citations }) } as const)
  return keepResidue(addProviderMetadata<TextPart | RefusalPart>(part, providerMetadata, path), wire)
}

/** Reads any other part that is not a call; a part of unknown type is kept as it is. */
export function readPart(wire: JsonObject, path: Path): ReasoningPart | MediaPart | OpaquePart {
  if (wire['type'] === 'reasoning') return readReasoning(wire, path)
  if (wire['type'] === 'file') return readFile(wire, path)
  return keepUnchanged(wire, path)
}

/** Returns a part that its message cannot contain, or whose type is unknown, as it is. */
export function keepUnchanged(wire: JsonObject, path: Path): OpaquePart {
  return checkAndFreezePart({ type: 'opaque', dialect: NAME, value: wire }, path)
}

function keepResidue<T extends ContentPart>(part: T, wire: JsonObject): T {
  return attachResidue(part, UI_SLOT, {}, wire, (unit) => writePart(unit, undefined, silentReporter)[0])
}

function readReasoning(wire: JsonObject, path: Path): ReasoningPart {
  const { text, providerMetadata } = wire
  const own = readOwnProviderMetadata(providerMetadata)
  const marks = {
    ...(own['summary'] === true && { summary: true as const }),
    ...(own['redacted'] === true && { redacted: true as const }),
  }
  const part: ReasoningPart = { type: 'reasoning', text: text as string, ...marks }
  return keepResidue(addProviderMetadata(part, providerMetadata, path), wire)
}

function readFile(wire: JsonObject, path: Path): MediaPart {
  const { url, mediaType, filename, providerReference, providerMetadata } = wire
  const source =
    readReference(providerReference) ??
    (typeof url === 'string'
      ? readSource(url, mediaType)
      : throwWrongType(url, child(path, 'url'), 'the URL of the file: a text'))
  const part = buildMedia(source, mediaType, filename, readOwnProviderMetadata(providerMetadata))
  return keepResidue(addProviderMetadata(part, providerMetadata, path), wire)
}

/** The fields of a citation that are kept in provider metadata. */
const CITATION_FIELDS = ['quote', 'fileId', 'document', 'location', 'start', 'end'] as const

function readCitation(wire: JsonObject): SourceCitation {
  const { url, title, providerMetadata } = wire
  const own = readOwnProviderMetadata(providerMetadata)
  const details = Object.fromEntries(CITATION_FIELDS.map((key) => [key, own[key]]))
  const isTitled = title !== undefined && own['untitled'] !== true
  const citation = {
    type: 'source',
    ...omitUndefined({ url, ...details, title: isTitled ? title : undefined }),
  }
  return attachResidue(citation as SourceCitation, UI_SLOT, {}, wire, (unit) => writeSource(unit))
}

/** Writes a part that is not a call: a text is followed by its sources. */
export function writePart(
  part: ContentPart,
  path: Path | undefined,
  report: FormatReporter,
): readonly JsonObject[] {
  switch (part.type) {
    case 'text':
      return [
        patch({ type: 'text', text: part.text }, part, path, report),
        ...(part.citations ?? []).flatMap((citation, index): readonly JsonObject[] => {
          const at = child(child(path, 'citations'), index)
          if (citation.type === 'source')
            return [nameSource(applyResidue(writeSource(citation), citation, UI_SLOT), index)]
          report.add('foreign-citation', at)
          return []
        }),
      ]
    case 'refusal':
      return [patch({ type: 'text', text: part.text }, part, path, report, { refusal: true })]
    case 'reasoning': {
      const { summary, redacted } = part
      const own = omitUndefined({ summary, redacted }) as JsonObject
      return [patch({ type: 'reasoning', text: part.text }, part, path, report, own)]
    }
    case 'opaque':
      if (part.dialect === NAME && isObject(part.value)) return [part.value]
      report.add('foreign-opaque', path)
      return []
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
      return [patch(writeFile(part, path, report), part, path, report, writeMediaDetails(part))]
  }
}

function patch(
  wire: JsonObject,
  part: ContentPart,
  path: Path | undefined,
  report: FormatReporter,
  own: JsonObject = {},
): JsonObject {
  const providerMetadata = buildPartMetadata(part, path, report, own)
  return applyResidue({ ...wire, ...(providerMetadata && { providerMetadata }) }, part, UI_SLOT)
}

function writeFile(part: MediaPart, path: Path | undefined, report: FormatReporter): JsonObject {
  const { source, name } = part
  const mediaType = writeMediaType(part, child(path, 'mediaType'), report)
  const providerReference = source.kind === 'id' ? { [source.provider]: source.id } : undefined
  return omitUndefined({
    type: 'file',
    mediaType,
    filename: name,
    url: writeUrl(source) ?? '',
    providerReference,
  })
}

/** Writes a source without its id, which the SDK only needs to tell sources apart. */
function writeSource(citation: SourceCitation): JsonObject {
  const { url, title, location } = citation
  const own: Record<string, unknown> = {}
  for (const key of CITATION_FIELDS) if (citation[key] !== undefined) own[key] = citation[key]
  if (url === undefined && title === undefined) own['untitled'] = true
  const providerMetadata = isEmptyObject(own) ? undefined : { interlingua: own }
  if (url !== undefined)
    return omitUndefined({ type: 'source-url', url, title, providerMetadata }) as JsonObject
  const mediaType = location?.unit === 'page' ? 'application/pdf' : 'text/plain'
  return omitUndefined({
    type: 'source-document',
    mediaType,
    title: title ?? `Document ${(citation.document ?? 0) + 1}`,
    providerMetadata,
  }) as JsonObject
}

function nameSource(wire: JsonObject, index: number): JsonObject {
  return Object.hasOwn(wire, 'sourceId') ? wire : { ...wire, sourceId: `source-${index + 1}` }
}
