import { mediaTypeOf } from '../../canonical/build/media.ts'
import type { Citation, SourceCitation } from '../../canonical/model/citation.ts'
import type { MediaPart, MediaSource, TextPart } from '../../canonical/model/part.ts'
import { toBase64 } from '../../wire/base64.ts'
import { isEmptyObject, omitUndefined } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { LossReporter } from '../shared/loss-reporter.ts'
import { buildProviderMetadata } from './build-message-metadata.ts'
import type { ProviderMetadata, UIMessageChunk } from './ui-message-chunk.ts'

/** The media type of a part that has none, by its type. */
const DEFAULT_MEDIA_TYPES: { readonly [type in MediaPart['type']]: string } = {
  image: 'image/*',
  audio: 'audio/*',
  video: 'video/*',
  file: 'application/octet-stream',
}

/** Returns the chunk of a media part; none if it has no URL. */
export function toFileChunks(part: MediaPart, path: Path, report: LossReporter): readonly UIMessageChunk[] {
  const url = toUrl(part.source)
  if (url === undefined) {
    report.add('file-reference', path)
    return []
  }
  const knownMediaType = mediaTypeOf(part) ?? (part.source.kind === 'text' ? 'text/plain' : undefined)
  if (knownMediaType === undefined) report.add('media-type-added', child(path, 'mediaType'))
  const mediaType = knownMediaType ?? DEFAULT_MEDIA_TYPES[part.type]
  return [{ type: 'file', url, mediaType, ...buildProviderMetadata(part, path, report) }]
}

function toUrl(source: MediaSource): string | undefined {
  switch (source.kind) {
    case 'url':
      return source.url
    case 'base64':
      return `data:${source.mediaType};base64,${source.data}`
    case 'text':
      return `data:text/plain;charset=utf-8;base64,${toBase64(new TextEncoder().encode(source.text))}`
    case 'id':
      return undefined
  }
}

/** Returns the source chunks of a text, one for each citation, without those that were already sent. */
export function toSourceChunks(
  { citations = [] }: TextPart,
  id: string,
  path: Path,
  report: LossReporter,
  alreadySent = 0,
): readonly UIMessageChunk[] {
  return citations.flatMap((citation, index) => {
    if (index < alreadySent) return []
    return toSourceChunk(citation, `${id}-${index}`, child(child(path, 'citations'), index), report)
  })
}

function toSourceChunk(
  citation: Citation,
  sourceId: string,
  path: Path,
  report: LossReporter,
): readonly UIMessageChunk[] {
  if (citation.type === 'opaque') {
    report.add('foreign-citation', path)
    return []
  }
  const { url, title } = citation
  const metadata = buildCitationMetadata(citation)
  if (url !== undefined) {
    return [{ type: 'source-url', sourceId, url, ...omitUndefined({ title }), ...metadata }]
  }
  report.add('source-synthesized', path)
  const shownTitle = title ?? `Document ${(citation.document ?? 0) + 1}`
  const mediaType = documentMediaType(citation)
  return [{ type: 'source-document', sourceId, mediaType, title: shownTitle, ...metadata }]
}

/** Infers the media type of a cited document: only PDF documents have pages. */
function documentMediaType({ location }: SourceCitation): string {
  if (location === undefined) return 'application/octet-stream'
  return location.unit === 'page' ? 'application/pdf' : 'text/plain'
}

/** Returns the fields of a citation besides URL and title: quote, location, the range that it supports. */
function buildCitationMetadata(citation: SourceCitation): { readonly providerMetadata?: ProviderMetadata } {
  const { type: _type, url: _url, title: _title, extra: _extra, location, ...rest } = citation
  const details = { ...rest, ...(location && { location: { ...location } }) }
  return isEmptyObject(details) ? {} : { providerMetadata: { interlingua: details } }
}
