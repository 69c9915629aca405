import { readFile } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { detectMediaType } from '../canonical/build/media.ts'
import { audio, file, image, type MediaOptions, video } from '../canonical/build/parts.ts'
import type { AudioPart, FilePart, ImagePart, MediaPart, VideoPart } from '../canonical/model/part.ts'
import { InterlinguaError } from '../errors.ts'

/** Media types of formats that their bytes do not give away, by file extension. */
const MEDIA_TYPES_BY_EXTENSION: ReadonlyMap<string, string> = new Map([
  ['.csv', 'text/csv'],
  ['.css', 'text/css'],
  ['.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['.html', 'text/html'],
  ['.js', 'text/javascript'],
  ['.json', 'application/json'],
  ['.md', 'text/markdown'],
  ['.pptx', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  ['.svg', 'image/svg+xml'],
  ['.ts', 'text/x-typescript'],
  ['.txt', 'text/plain'],
  ['.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['.xml', 'application/xml'],
  ['.yaml', 'application/yaml'],
  ['.yml', 'application/yaml'],
])

type BuildMediaPart<T> = (
  input: { readonly data: Uint8Array; readonly mediaType: string },
  options: MediaOptions,
) => T

async function buildPartFromFile<T extends MediaPart>(
  path: string | URL,
  build: BuildMediaPart<T>,
  family: string,
  options: MediaOptions,
): Promise<T> {
  const name = basename(path instanceof URL ? decodeURIComponent(path.pathname) : path)
  const data = await readFileBytes(path, name)
  const mediaType =
    options.mediaType ?? detectMediaType(data) ?? MEDIA_TYPES_BY_EXTENSION.get(extname(name).toLowerCase())
  const accepted = family === '' || mediaType?.startsWith(`${family}/`)
  if (accepted)
    return build({ data, mediaType: mediaType ?? 'application/octet-stream' }, { name, ...options })
  throw new InterlinguaError('unknown-media-type', `${name} is no ${family} file`, {
    found: mediaType ?? 'bytes of no known format',
    expected: `${family}/…`,
    hint: `Use fileFromFile for it, or say its media type: { mediaType: '${family}/…' }.`,
  })
}

async function readFileBytes(path: string | URL, name: string): Promise<Uint8Array> {
  try {
    return await readFile(path)
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown reason'
    throw new InterlinguaError('unreadable-file', `${name} cannot be read (${reason})`, {
      found: reason,
      expected: 'a file that can be read',
      hint: 'Check the path and its permissions.',
      cause,
    })
  }
}

/**
 * An image part with the bytes of a file; the media type is told from the bytes.
 *
 * @example
 * user(['What is this?', await imageFromFile('cat.png')])
 */
export function imageFromFile(path: string | URL, options: MediaOptions = {}): Promise<ImagePart> {
  return buildPartFromFile(path, image, 'image', options)
}

/**
 * An audio part with the bytes of a file.
 *
 * @example
 * user([await audioFromFile('question.wav')])
 */
export function audioFromFile(path: string | URL, options: MediaOptions = {}): Promise<AudioPart> {
  return buildPartFromFile(path, audio, 'audio', options)
}

/**
 * A video part with the bytes of a file.
 *
 * @example
 * user([await videoFromFile('clip.mp4'), 'What happens here?'])
 */
export function videoFromFile(path: string | URL, options: MediaOptions = {}): Promise<VideoPart> {
  return buildPartFromFile(path, video, 'video', options)
}

/**
 * A file part with the bytes of any file, such as a PDF.
 *
 * @example
 * user([await fileFromFile('report.pdf'), 'Sum this up.'])
 */
export function fileFromFile(path: string | URL, options: MediaOptions = {}): Promise<FilePart> {
  return buildPartFromFile(path, file, '', options)
}
