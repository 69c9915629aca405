import { createTwoWayTable, type TwoWayTable } from './two-way-table.ts'

/** Audio formats by media type. */
export const audioFormatTable: TwoWayTable<string, string> = /* @__PURE__ */ createTwoWayTable([
  ['wav', 'audio/wav'],
  ['mp3', 'audio/mpeg'],
])

/** The signatures of file formats: the media type, and the bytes that identify it, as offset and Latin-1 text. */
const MAGIC_NUMBERS: readonly (readonly [
  mediaType: string,
  ...signatures: readonly (readonly [number, string])[],
])[] = [
  ['image/png', [0, '\x89PNG\r\n\x1a\n']],
  ['image/jpeg', [0, '\xff\xd8\xff']],
  ['image/gif', [0, 'GIF8']],
  ['image/webp', [0, 'RIFF'], [8, 'WEBP']],
  ['image/avif', [4, 'ftypavif']],
  ['image/heic', [4, 'ftypheic']],
  ['image/heic', [4, 'ftypmif1']],
  ['image/tiff', [0, 'II*\0']],
  ['image/tiff', [0, 'MM\0*']],
  ['image/bmp', [0, 'BM'], [6, '\0\0\0\0']],
  ['application/pdf', [0, '%PDF-']],
  ['audio/wav', [0, 'RIFF'], [8, 'WAVE']],
  ['audio/aiff', [0, 'FORM'], [8, 'AIF']],
  ['audio/flac', [0, 'fLaC']],
  ['audio/ogg', [0, 'OggS']],
  ['audio/mpeg', [0, 'ID3']],
  ['audio/aac', [0, '\xff\xf1']],
  ['audio/aac', [0, '\xff\xf9']],
  ['audio/mpeg', [0, '\xff\xfb']],
  ['audio/mpeg', [0, '\xff\xf3']],
  ['audio/mpeg', [0, '\xff\xf2']],
  ['audio/mpeg', [0, '\xff\xfa']],
  ['audio/mp4', [4, 'ftypM4A']],
  ['video/quicktime', [4, 'ftypqt']],
  ['video/3gpp', [4, 'ftyp3gp']],
  ['video/mp4', [4, 'ftyp']],
  ['video/webm', [0, '\x1a\x45\xdf\xa3']],
  ['video/x-msvideo', [0, 'RIFF'], [8, 'AVI ']],
  ['video/mpeg', [0, '\0\0\x01\xba']],
  ['video/x-flv', [0, 'FLV\x01']],
]

/** The number of leading bytes that {@link sniffMediaType} examines. */
export const SNIFF_BYTES = 16

/** Detects the media type of common image, audio, video and PDF formats from the first bytes. */
export function sniffMediaType(bytes: Uint8Array): string | undefined {
  const head = String.fromCharCode(...bytes.subarray(0, SNIFF_BYTES))
  const found = MAGIC_NUMBERS.find(([, ...signatures]) =>
    signatures.every(([offset, signature]) => head.startsWith(signature, offset)),
  )
  return found?.[0]
}

/**
 * Returns true if a media type, without its parameters, is in a list; `image/*` in the list accepts all images.
 *
 * @example
 * isAcceptedMediaType('image/png; q=1', ['image/*']) // true
 */
export function isAcceptedMediaType(
  mediaType: string | null | undefined,
  accepted: readonly string[],
): boolean {
  const type = removeParameters(mediaType ?? '')
  return accepted.some((pattern) =>
    pattern.endsWith('/*')
      ? type.startsWith(pattern.slice(0, -1).toLowerCase())
      : type === pattern.toLowerCase(),
  )
}

/** Media types by file extension. The first extension of a type is the one that new file names get. */
const TYPES_BY_EXTENSION: ReadonlyMap<string, string> = new Map([
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
  ['avif', 'image/avif'],
  ['bmp', 'image/bmp'],
  ['heic', 'image/heic'],
  ['heif', 'image/heif'],
  ['ico', 'image/x-icon'],
  ['svg', 'image/svg+xml'],
  ['tiff', 'image/tiff'],
  ['tif', 'image/tiff'],
  ['aac', 'audio/aac'],
  ['aiff', 'audio/aiff'],
  ['flac', 'audio/flac'],
  ['m4a', 'audio/mp4'],
  ['mp3', 'audio/mpeg'],
  ['ogg', 'audio/ogg'],
  ['opus', 'audio/opus'],
  ['wav', 'audio/wav'],
  ['3gp', 'video/3gpp'],
  ['avi', 'video/x-msvideo'],
  ['flv', 'video/x-flv'],
  ['mkv', 'video/x-matroska'],
  ['mov', 'video/quicktime'],
  ['mp4', 'video/mp4'],
  ['mpeg', 'video/mpeg'],
  ['mpg', 'video/mpeg'],
  ['webm', 'video/webm'],
  ['wmv', 'video/x-ms-wmv'],
  ['css', 'text/css'],
  ['csv', 'text/csv'],
  ['docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['html', 'text/html'],
  ['js', 'text/javascript'],
  ['json', 'application/json'],
  ['md', 'text/markdown'],
  ['pdf', 'application/pdf'],
  ['pptx', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  ['ts', 'text/x-typescript'],
  ['txt', 'text/plain'],
  ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['xml', 'application/xml'],
  ['yaml', 'application/yaml'],
  ['yml', 'application/yaml'],
])

/**
 * Returns the media type that the extension of a file name or an address implies; undefined if it has none.
 *
 * @example
 * getMediaTypeOfName('gs://bucket/report.PDF?v=2') // 'application/pdf'
 */
export function getMediaTypeOfName(name: string): string | undefined {
  const [path = ''] = name.split(/[?#]/, 1)
  const extension = /\.([a-z0-9]{1,5})$/i.exec(path.slice(path.lastIndexOf('/') + 1))?.[1]
  return extension === undefined ? undefined : TYPES_BY_EXTENSION.get(extension.toLowerCase())
}

/**
 * Returns a file extension for a media type; undefined for an unknown type.
 *
 * @example
 * getFileExtension('image/jpeg') // 'jpg'
 */
export function getFileExtension(mediaType: string): string | undefined {
  const wanted = normalizeMediaType(mediaType)
  for (const [extension, type] of TYPES_BY_EXTENSION) if (type === wanted) return extension
  return undefined
}

/** Returns a media type in lower case, without parameters, and under its registered name. */
export function normalizeMediaType(mediaType: string): string {
  const type = removeParameters(mediaType)
  return type === 'image/jpg' ? 'image/jpeg' : type
}

function removeParameters(mediaType: string): string {
  return mediaType.replace(/;.*/s, '').trim().toLowerCase()
}
