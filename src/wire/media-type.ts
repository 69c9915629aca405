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
  const type = (mediaType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return accepted.some((pattern) =>
    pattern.endsWith('/*')
      ? type.startsWith(pattern.slice(0, -1).toLowerCase())
      : type === pattern.toLowerCase(),
  )
}
