import { readDataUrl } from '../../wire/base64.ts'
import { below, type Path } from '../../wire/pointer.ts'
import { sniff, urlSource } from '../build/media.ts'
import type { MediaPart, MediaSource, Part } from '../model/part.ts'
import { partShapes } from '../shape/part.ts'
import { fail, type Reading, type Spare, string } from '../shape/shape.ts'
import { picker } from './picker.ts'

/** Part types of others that hold media: what they are, and the key below which they nest it. */
export const mediaForms: ReadonlyMap<unknown, readonly [type: MediaPart['type'], nested: string]> = new Map([
  ['image', ['image', 'image']],
  ['image_url', ['image', 'image_url']],
  ['input_image', ['image', 'image_url']],
  ['audio', ['audio', 'audio']],
  ['input_audio', ['audio', 'input_audio']],
  ['video', ['video', 'video']],
  ['video_url', ['video', 'video_url']],
  ['file', ['file', 'file']],
  ['input_file', ['file', 'file']],
  ['document', ['file', 'document']],
])

const names = {
  url: ['url', 'file_url'],
  data: ['data', 'file_data', 'base64'],
  id: ['file_id', 'id'],
  text: ['text'],
  format: ['format'],
  mediaType: ['mediaType', 'media_type', 'mimeType', 'mime_type'],
  provider: ['provider'],
  name: ['name', 'filename', 'file_name'],
  detail: ['detail'],
  transcript: ['transcript', 'transcription'],
} as const

type Take = (fact: keyof typeof names) => { readonly value: string; readonly at: Path } | undefined

/** Media types of the formats that are not simply named after them. */
const formats: ReadonlyMap<string, string> = new Map([
  ['mp3', 'audio/mpeg'],
  ['jpg', 'image/jpeg'],
])

/**
 * Reads media as others store it: nested below its own key or flat; by URL, data URL, base64 or file id.
 * What is nested wins over what is flat.
 */
export function readMedia(
  value: { readonly [key: string]: unknown },
  [type, nested]: readonly [type: MediaPart['type'], nested: string],
  at: Path | undefined,
  reading: Reading,
  spare: Spare,
): Part {
  const pick = picker(value, at, [nested])
  pick.take(['type'])
  const take: Take = (fact) => {
    // A string below the nested key is the address itself: { type: 'image_url', image_url: 'https://…' }.
    const found = pick.take(
      fact === 'url' ? [...(typeof value[nested] === 'string' ? [nested] : []), ...names.url] : names[fact],
    )
    return found && { value: string.read(found.value, found.at, reading, {}), at: found.at }
  }
  const source = readSource(take, type, at)
  const fields = Object.fromEntries(
    (['mediaType', 'name', 'detail', 'transcript'] as const).flatMap((key) => {
      const found = key === 'mediaType' && source.kind === 'base64' ? undefined : take(key)
      return found === undefined || found.value === '' ? [] : [[key, found.value]]
    }),
  )
  return partShapes[type].read({ ...pick.rest(), type, source, ...fields }, at, reading, spare)
}

function readSource(take: Take, type: MediaPart['type'], at: Path | undefined): MediaSource {
  const url = take('url')?.value
  if (url) return urlSource(url)
  const data = take('data')
  if (data?.value) return readData(data.value, data.at, take, type)
  const id = take('id')?.value
  if (id) return { kind: 'id', id, provider: take('provider')?.value ?? 'openai' }
  const text = take('text')?.value
  if (text !== undefined) return { kind: 'text', text }
  return fail('missing-field', below(at, 'source'), 'nothing', 'a url, base64 data, a file id or text')
}

function readData(data: string, at: Path, take: Take, type: MediaPart['type']): MediaSource {
  const inline = readDataUrl(data)
  if (inline !== undefined) return { kind: 'base64', ...inline }
  const mediaType = take('mediaType')?.value ?? mediaTypeOfFormat(take('format')?.value, type) ?? sniff(data)
  if (mediaType !== undefined) return { kind: 'base64', data, mediaType }
  return fail('unknown-media-type', at, 'base64 of no known format', 'a media type, a format or a data URL')
}

function mediaTypeOfFormat(format: string | undefined, type: MediaPart['type']): string | undefined {
  if (format === undefined || format.includes('/')) return format
  return formats.get(format) ?? `${type === 'file' ? 'application' : type}/${format}`
}
