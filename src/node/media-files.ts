import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { detectMediaType } from '../canonical/build/media.ts'
import { audio, file, image, type MediaOptions, video } from '../canonical/build/parts.ts'
import type { AudioPart, FilePart, ImagePart, MediaPart, VideoPart } from '../canonical/model/part.ts'
import { InterlinguaError } from '../errors.ts'
import { getMediaTypeOfName } from '../wire/media-type.ts'
import { withTypedRejections } from '../wire/typed-errors.ts'

function buildPartFromFile<T extends MediaPart>(
  path: string | URL,
  build: (input: { data: Uint8Array; mediaType: string }, options: MediaOptions) => T,
  family: string,
  options: MediaOptions,
): Promise<T> {
  return withTypedRejections(async () => {
    const name = basename(path instanceof URL ? decodeURIComponent(path.pathname) : path)
    const data = await readFileBytes(path, name)
    const mediaType = options.mediaType ?? detectMediaType(data) ?? getMediaTypeOfName(name)
    if (family === '' || mediaType?.startsWith(`${family}/`))
      return build({ data, mediaType: mediaType ?? 'application/octet-stream' }, { name, ...options })
    throw new InterlinguaError('unknown-media-type', `${name} is not a file of type ${family}`, {
      found: mediaType ?? 'bytes of an unknown format',
      expected: `${family}/…`,
      hint: `Use fileFromFile, or pass the media type: { mediaType: '${family}/…' }.`,
    })
  }, [path, options])
}

async function readFileBytes(path: string | URL, name: string): Promise<Uint8Array> {
  try {
    return await readFile(path)
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown reason'
    throw new InterlinguaError('unreadable-file', `${name} cannot be read (${reason})`, {
      found: reason,
      expected: 'a readable file',
      hint: 'Check the path and the permissions of the file.',
      cause,
    })
  }
}

/**
 * Reads a file as an image part; the media type is detected from the bytes.
 *
 * @example
 * user(['What is this?', await imageFromFile('cat.png')])
 */
export function imageFromFile(path: string | URL, options: MediaOptions = {}): Promise<ImagePart> {
  return buildPartFromFile(path, image, 'image', options)
}

/**
 * Reads a file as an audio part.
 *
 * @example
 * user([await audioFromFile('question.wav')])
 */
export function audioFromFile(path: string | URL, options: MediaOptions = {}): Promise<AudioPart> {
  return buildPartFromFile(path, audio, 'audio', options)
}

/**
 * Reads a file as a video part.
 *
 * @example
 * user([await videoFromFile('clip.mp4'), 'What happens in this video?'])
 */
export function videoFromFile(path: string | URL, options: MediaOptions = {}): Promise<VideoPart> {
  return buildPartFromFile(path, video, 'video', options)
}

/**
 * Reads any file, such as a PDF, as a file part.
 *
 * @example
 * user([await fileFromFile('report.pdf'), 'Summarize this.'])
 */
export function fileFromFile(path: string | URL, options: MediaOptions = {}): Promise<FilePart> {
  return buildPartFromFile(path, file, '', options)
}
