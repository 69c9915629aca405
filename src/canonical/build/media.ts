import { InterlinguaError } from '../../errors.ts'
import { fromBase64, parseBase64DataUrl, toBase64, decodeDataUrl } from '../../wire/base64.ts'
import { describeType, isObject } from '../../wire/json.ts'
import { SNIFF_BYTES, sniffMediaType } from '../../wire/media-type.ts'
import type { MediaPart, MediaSource } from '../model/part.ts'
import { withTypedErrors } from '../../wire/typed-errors.ts'
import { tryParseUrl } from '../../wire/urls.ts'

/** Returns media with a `data:` URL as base64, for formats that fetch URLs. */
export function inlineDataUrl<T extends MediaPart>(part: T): T {
  const data = part.source.kind === 'url' ? decodeDataUrl(part.source.url) : undefined
  return data === undefined ? part : { ...part, source: { kind: 'base64', ...data } }
}

/** Bytes as JavaScript holds them: a `Buffer` or other typed array, or its buffer. */
type Bytes = ArrayBuffer | ArrayBufferView

/** The input of a media builder: a URL, base64 or a data URL, bytes, or the fields of a source. */
export type MediaInput =
  | string
  | URL
  | Bytes
  | { readonly url: string | URL }
  | { readonly data: string | Bytes; readonly mediaType?: string }
  | { readonly id: string; readonly provider: string }
  | { readonly text: string }
  | MediaSource

/** Returns the bytes of a typed array or buffer; undefined for any other value. */
export function toUint8Array(value: unknown): Uint8Array | undefined {
  if (value instanceof Uint8Array) return value
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
  return value instanceof ArrayBuffer ? new Uint8Array(value) : undefined
}

/** Returns the media source of an input. The media type of bytes is the given one, or is detected. */
export function toMediaSource(input: MediaInput, mediaType?: string): MediaSource {
  if (typeof input === 'string' || input instanceof URL) return toFetchableSource(input)
  const bytes = toUint8Array(input)
  if (bytes !== undefined) return toBase64Source(bytes, mediaType)
  if (!isObject(input) || input instanceof Blob) return throwNotMedia(input)
  if ('kind' in input) return input as MediaSource
  if ('url' in input) return toFetchableSource(input.url)
  if ('data' in input) return toBase64Source(input.data, input.mediaType ?? mediaType)
  if ('id' in input) return { kind: 'id', ...input }
  return 'text' in input ? { kind: 'text', ...input } : throwNotMedia(input)
}

/** Schemes that only the local program can read, and drive letters of Windows paths. */
const LOCAL_URL = /^(file|blob|[a-z]):/i

/** Returns the source of a URL, a data URL or base64 text; a path is refused, because no provider can read it. */
function toFetchableSource(url: string | URL): MediaSource {
  const source = toUrlOrBase64Source(String(url))
  if (source.kind !== 'url') return source
  if (tryParseUrl(source.url) !== undefined && !LOCAL_URL.test(source.url)) return source
  throw new InterlinguaError('invalid-value', 'The media is not a URL that a provider can fetch', {
    found: LOCAL_URL.test(source.url) ? 'the URL of a local file' : 'text that is no URL and no known base64',
    expected: 'an absolute URL, a data URL, or base64 of a known format',
    hint:
      'Read a file with imageFromFile, audioFromFile, videoFromFile or fileFromFile of interlingua/node. Pass other ' +
      'base64 as { data, mediaType }, and plain text as { text }.',
  })
}

/** Returns base64 of a known format and base64 data URLs as bytes, and any other text as a URL. */
export function toUrlOrBase64Source(text: string): MediaSource {
  const mediaType = detectMediaType(text)
  return mediaType === undefined ? toUrlSource(text) : { kind: 'base64', data: text, mediaType }
}

function throwNotMedia(input: unknown): never {
  const isBlob = input instanceof Blob
  throw new InterlinguaError('invalid-type', 'The input of a media part is not media', {
    found: isBlob ? 'a Blob or File, which is read asynchronously' : describeType(input),
    expected: 'a URL, bytes, or an object with `url`, `data`, `id` or `text`',
    hint: isBlob
      ? 'Use `await mediaFromBlob(blob)` of interlingua/content.'
      : 'Pass bytes as a Uint8Array, a Buffer or an ArrayBuffer.',
  })
}

/**
 * Returns the media type of a part: that of its source, or its own.
 *
 * @example
 * mediaTypeOf(image('https://example.com/cat', { mediaType: 'image/png' })) // 'image/png'
 */
export function mediaTypeOf(part: Pick<MediaPart, 'source' | 'mediaType'>): string | undefined {
  return withTypedErrors(
    () => (part.source.kind === 'base64' ? part.source.mediaType : part.mediaType),
    [part],
  )
}

/** Returns a URL source, or a base64 source for a base64 data URL. */
export function toUrlSource(url: string | URL): MediaSource {
  const href = String(url)
  const data = parseBase64DataUrl(href)
  return data === undefined ? { kind: 'url', url: href } : { kind: 'base64', ...data }
}

function toBase64Source(input: string | Bytes, mediaType: string | undefined): MediaSource {
  const data = typeof input === 'string' ? input : toUint8Array(input)
  if (data === undefined) return throwNotMedia(input)
  if (typeof data === 'string') {
    const url = parseBase64DataUrl(data)
    if (url !== undefined) return { kind: 'base64', ...url }
  }
  if (data.length === 0)
    throw new InterlinguaError('invalid-value', 'The media is empty', {
      found: 'no bytes',
      expected: 'the bytes of the media',
      hint: 'Check that the file or the upload was read completely.',
    })
  const type = mediaType ?? detectMediaType(data)
  if (type === undefined) {
    throw new InterlinguaError('unknown-media-type', 'The media type could not be detected from the bytes', {
      found: 'bytes of no known image, audio, video or PDF format',
      expected: 'a media type',
      hint: 'Pass the media type: { data, mediaType }.',
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
