import { mediaTypeOf } from '../../canonical/build/media.ts'
import type { MediaPart } from '../../canonical/model/part.ts'
import { toBase64 } from '../../wire/base64.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { FormatReporter } from './format-loss-reporter.ts'

/** The content of media as one text, for formats that have a link, an id or base64 data. */
export interface MediaContent {
  readonly kind: 'url' | 'id' | 'base64'
  readonly content: string
  readonly mediaType: string | undefined
}

const FAMILIES = ['image', 'audio', 'video'] as const

/** Returns the part type of a media type. */
export function getPartType(mediaType: string | undefined): MediaPart['type'] {
  return FAMILIES.find((family) => mediaType?.startsWith(`${family}/`)) ?? 'file'
}

/** The provider of file ids in formats that have the id alone. */
export const ASSUMED_PROVIDER = 'openai'

/** Returns the content of media. Text is encoded; the provider of a file id is reported unless a reader assumes it. */
export function toMediaContent(
  part: MediaPart,
  path: Path | undefined,
  report: FormatReporter,
): MediaContent {
  const { source } = part
  const mediaType = mediaTypeOf(part)
  switch (source.kind) {
    case 'url':
      return { kind: 'url', content: source.url, mediaType }
    case 'base64':
      return { kind: 'base64', content: source.data, mediaType }
    case 'id':
      if (source.provider !== ASSUMED_PROVIDER)
        report.add('media-detail', child(child(path, 'source'), 'provider'))
      return { kind: 'id', content: source.id, mediaType }
    case 'text':
      report.add('text-encoded', child(path, 'source'))
      return {
        kind: 'base64',
        content: toBase64(new TextEncoder().encode(source.text)),
        mediaType: mediaType ?? 'text/plain',
      }
  }
}
