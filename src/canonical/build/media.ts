import { InterlinguaError } from '../../errors.ts'
import { fromBase64, parseBase64DataUrl, toBase64, decodeDataUrl } from '../../wire/base64.ts'
import { SNIFF_BYTES, sniffMediaType } from '../../wire/media-type.ts'
import type { MediaPart, MediaSource } from '../model/part.ts'

/** Returns media with a `data:` URL as base64, for formats that fetch URLs. */
export function inlineDataUrl<T extends MediaPart>(part: T): T {
  const data = part.source.kind === 'url' ? decodeDataUrl(part.source.url) : undefined
  return data === undefined ? part : { ...part, source: { kind: 'base64', ...data } }
}

/** The input of a media builder: a URL, bytes, or the fields of a source. */
export type MediaInput =
  | string
  | URL
  | Uint8Array
  | { readonly url: string | URL }
  | { readonly data: string | Uint8Array; readonly mediaType?: string }
  | { readonly id: string; readonly provider: string }
  | { readonly text: string }
  | MediaSource

/** Returns the media source of an input. The media type of bytes is detected if it is missing. */
export function toMediaSource(input: MediaInput): MediaSource {
  if (typeof input === 'string' || input instanceof URL) return toUrlSource(input)
  if (input instanceof Uint8Array) return toBase64Source(input, undefined)
  if ('kind' in input) return input
  if ('url' in input) return toUrlSource(input.url)
  if ('data' in input) return toBase64Source(input.data, input.mediaType)
  return 'id' in input ? { kind: 'id', ...input } : { kind: 'text', ...input }
}

/**
 * Returns the media type of a part: that of its source, or its own.
 *
 * @example
 * mediaTypeOf(image('https://example.com/cat', { mediaType: 'image/png' })) // 'image/png'
 */
export function mediaTypeOf(part: Pick<MediaPart, 'source' | 'mediaType'>): string | undefined {
  return part.source.kind === 'base64' ? part.source.mediaType : part.mediaType
}

/** Returns a URL source, or a base64 source for a base64 data URL. */
export function toUrlSource(url: string | URL): MediaSource {
  const href = String(url)
  const data = parseBase64DataUrl(href)
  return data === undefined ? { kind: 'url', url: href } : { kind: 'base64', ...data }
}

function toBase64Source(data: string | Uint8Array, mediaType: string | undefined): MediaSource {
  if (typeof data === 'string') {
    const url = parseBase64DataUrl(data)
    if (url !== undefined) return { kind: 'base64', ...url }
  }
  const type = mediaType ?? detectMediaType(data)
  if (type === undefined) {
    throw new InterlinguaError('unknown-media-type', 'The media type could not be detected from the bytes', {
      found: 'bytes of no known image, audio, video or PDF format',
      expected: 'a media type',
      hint: 'Pass it: { data, mediaType }.',
    })
  }
  return { kind: 'base64', data: typeof data === 'string' ? data : toBase64(data), mediaType: type }
}

/** Detects the media type from the first bytes, of bytes or of base64 text. */
export function detectMediaType(data: string | Uint8Array): string | undefined {
  if (typeof data !== 'string') return sniffMediaType(data)
  const head = fromBase64(data.slice(0, Math.ceil(SNIFF_BYTES / 3) * 4))
  return head === undefined ? undefined : sniffMediaType(head)
}
