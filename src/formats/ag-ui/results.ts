import { mediaTypeOf } from '../../canonical/build/media.ts'
import type { MediaPart, ToolResultContent, ToolResultPart } from '../../canonical/model/part.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { LossReport } from '../shared/report.ts'
import { plainCitation } from '../shared/results.ts'
import type { AgUiContentPart, AgUiSource } from './events.ts'

/** What a tool gave: one text or value as text, anything else as parts. */
export function resultContent(
  { content }: ToolResultPart,
  at: Path,
  report: LossReport,
): string | AgUiContentPart[] {
  const parts = content.flatMap((part, index) =>
    contentPart(part, below(below(at, 'content'), index), report),
  )
  const [only] = parts
  return parts.length === 1 && only?.type === 'text' && only.metadata === undefined ? only.text : parts
}

function contentPart(part: ToolResultContent, at: Path, report: LossReport): AgUiContentPart[] {
  switch (part.type) {
    case 'text': {
      const citations = part.citations?.map(plainCitation)
      if (citations === undefined) return [{ type: 'text', text: part.text }]
      report.lose('citations-as-metadata', below(at, 'citations'))
      return [{ type: 'text', text: part.text, metadata: { interlingua: { citations } } }]
    }
    case 'json':
      report.lose('json-as-text', at)
      return [{ type: 'text', text: JSON.stringify(part.value) }]
    case 'opaque':
      report.lose('foreign-opaque', at)
      return []
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
      return [mediaPart(part, at, report)]
  }
}

function mediaPart(part: MediaPart, at: Path, report: LossReport): AgUiContentPart {
  const { source } = part
  const marks = marksOf(part)
  const metadata = Object.keys(marks).length === 0 ? {} : { metadata: { interlingua: marks } }
  if (source.kind === 'text') {
    report.lose('media-as-text', at)
    return { type: 'text', text: source.text, ...metadata }
  }
  const mimeType = mediaTypeOf(part)
  const typed = mimeType === undefined ? {} : { mimeType }
  const bytes: AgUiSource =
    source.kind === 'base64'
      ? { type: 'data', value: source.data, mimeType: source.mediaType }
      : source.kind === 'url'
        ? { type: 'url', value: source.url, ...typed }
        : { type: 'file', value: source.id, provider: source.provider, ...typed }
  return { type: part.type === 'file' ? 'document' : part.type, source: bytes, ...metadata }
}

function marksOf({ name, detail, transcript }: MediaPart): { readonly [key: string]: string } {
  return {
    ...(name !== undefined && { name }),
    ...(detail !== undefined && { detail }),
    ...(transcript !== undefined && { transcript }),
  }
}
