/** One row per format: the media type, and the bytes that give it away, as `offset: text` in Latin-1. */
const MAGIC_NUMBERS: readonly (readonly [
  mediaType: string,
  ...marks: readonly (readonly [number, string])[],
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

/** How many leading bytes {@link sniffMediaType} looks at. */
export const SNIFF_BYTES = 16

/** The media type that the first bytes give away, for the common image, audio, video and PDF formats. */
export function sniffMediaType(bytes: Uint8Array): string | undefined {
  const head = String.fromCharCode(...bytes.subarray(0, SNIFF_BYTES))
  const found = MAGIC_NUMBERS.find(([, ...marks]) =>
    marks.every(([offset, mark]) => head.startsWith(mark, offset)),
  )
  return found?.[0]
}

/**
 * Whether a media type, parameters aside, is among those that are listed; `image/*` lists all of its kind.
 *
 * @example
 * isListedType('image/png; q=1', ['image/*']) // true
 */
export function isAcceptedMediaType(given: string | null | undefined, listed: readonly string[]): boolean {
  const type = (given ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return listed.some((each) =>
    each.endsWith('/*') ? type.startsWith(each.slice(0, -1).toLowerCase()) : type === each.toLowerCase(),
  )
}
