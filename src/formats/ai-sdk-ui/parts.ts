import { mediaTypeOf } from '../../canonical/build/media.ts'
import type { Citation, SourceCitation } from '../../canonical/model/citation.ts'
import type { MediaPart, MediaSource, TextPart } from '../../canonical/model/part.ts'
import { toBase64 } from '../../wire/base64.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { LossReport } from '../shared/report.ts'
import type { UIMessageChunk } from './chunks.ts'
import { metadataOf } from './metadata.ts'

/** The media type to say where a part does not: as much as its kind tells. */
const kinds: { readonly [type in MediaPart['type']]: string } = {
  image: 'image/*',
  audio: 'audio/*',
  video: 'video/*',
  file: 'application/octet-stream',
}

/** A file that the answer holds; none where it has no address. */
export function fileChunks(part: MediaPart, at: Path, report: LossReport): readonly UIMessageChunk[] {
  const url = addressOf(part.source)
  if (url === undefined) {
    report.lose('file-reference', at)
    return []
  }
  const said = mediaTypeOf(part) ?? (part.source.kind === 'text' ? 'text/plain' : undefined)
  if (said === undefined) report.lose('media-type-added', below(at, 'mediaType'))
  return [{ type: 'file', url, mediaType: said ?? kinds[part.type], ...metadataOf(part, at, report) }]
}

function addressOf(source: MediaSource): string | undefined {
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

/** The sources that a text cites, one for each citation, but for those that were told before. */
export function sourceChunks(
  { citations = [] }: TextPart,
  id: string,
  at: Path,
  report: LossReport,
  told = 0,
): readonly UIMessageChunk[] {
  return citations.flatMap((citation, index) =>
    index < told ? [] : sourceChunk(citation, `${id}-${index}`, below(below(at, 'citations'), index), report),
  )
}

function sourceChunk(
  citation: Citation,
  sourceId: string,
  at: Path,
  report: LossReport,
): readonly UIMessageChunk[] {
  if (citation.type === 'opaque') {
    report.lose('foreign-citation', at)
    return []
  }
  const { url, title } = citation
  const metadata = detailsOf(citation)
  if (url !== undefined) {
    return [{ type: 'source-url', sourceId, url, ...(title !== undefined && { title }), ...metadata }]
  }
  report.lose('source-synthesized', at)
  return [
    {
      type: 'source-document',
      sourceId,
      mediaType: documentType(citation),
      title: title ?? `Document ${(citation.document ?? 0) + 1}`,
      ...metadata,
    },
  ]
}

/** Pages are those of a PDF; characters and blocks are text. */
function documentType({ location }: SourceCitation): string {
  if (location === undefined) return 'application/octet-stream'
  return location.unit === 'page' ? 'application/pdf' : 'text/plain'
}

/** What a citation says beyond address and title: the words, the place, the stretch of text that it supports. */
function detailsOf(
  citation: SourceCitation,
): Pick<UIMessageChunk & { type: 'source-url' }, 'providerMetadata'> {
  const { type: _type, url: _url, title: _title, extra: _extra, location, ...rest } = citation
  const details = { ...rest, ...(location !== undefined && { location: { ...location } }) }
  return Object.keys(details).length === 0 ? {} : { providerMetadata: { interlingua: details } }
}
