import { mediaTypeOf } from '../../canonical/build/media.ts'
import type { MediaPart, ToolResultContent, ToolResultPart } from '../../canonical/model/part.ts'
import { omitUndefined } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { LossReporter } from '../shared/loss-reporter.ts'
import { pickMediaDetails, toPlainCitation } from '../shared/to-plain-output.ts'
import { wrapInMetadata } from './build-metadata.ts'
import type { AgUiContentPart, AgUiSource } from './ag-ui-event.ts'

/** Converts the content of a tool result: a single text or JSON value to text, or else to content parts. */
export function toAgUiResultContent(
  { content }: ToolResultPart,
  path: Path,
  report: LossReporter,
): string | AgUiContentPart[] {
  const parts = content.flatMap((part, index) =>
    toContentPart(part, child(child(path, 'content'), index), report),
  )
  const [only] = parts
  return parts.length === 1 && only?.type === 'text' && only.metadata === undefined ? only.text : parts
}

function toContentPart(part: ToolResultContent, path: Path, report: LossReporter): AgUiContentPart[] {
  if ('source' in part) return [toMediaPart(part, path, report)]
  switch (part.type) {
    case 'text': {
      const citations = part.citations?.map(toPlainCitation)
      if (citations === undefined) return [{ type: 'text', text: part.text }]
      report.add('citations-as-metadata', child(path, 'citations'))
      return [{ type: 'text', text: part.text, ...wrapInMetadata({ citations }) }]
    }
    case 'json':
      report.add('json-as-text', path)
      return [{ type: 'text', text: JSON.stringify(part.value) }]
    case 'opaque':
      report.add('foreign-opaque', path)
      return []
  }
}

function toMediaPart(part: MediaPart, path: Path, report: LossReporter): AgUiContentPart {
  const { source } = part
  const metadata = wrapInMetadata(pickMediaDetails(part))
  if (source.kind === 'text') {
    report.add('media-as-text', path)
    return { type: 'text', text: source.text, ...metadata }
  }
  const mimeType = omitUndefined({ mimeType: mediaTypeOf(part) })
  const agUiSource: AgUiSource =
    source.kind === 'base64'
      ? { type: 'data', value: source.data, mimeType: source.mediaType }
      : source.kind === 'url'
        ? { type: 'url', value: source.url, ...mimeType }
        : { type: 'file', value: source.id, provider: source.provider, ...mimeType }
  return { type: part.type === 'file' ? 'document' : part.type, source: agUiSource, ...metadata }
}
