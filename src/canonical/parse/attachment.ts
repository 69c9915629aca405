import { readDataUrl } from '../../wire/base64.ts'
import { describe, isObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import { sniff } from '../build/media.ts'
import type { MediaSource, Part } from '../model/part.ts'
import { partShapes } from '../shape/part.ts'
import { fail, type Read, type Reading, string, word } from '../shape/shape.ts'
import { mediaForms } from './media.ts'
import { type Picked, picker } from './picker.ts'

const kinds = word('url', 'base64', 'id')
const mediaTypeNames = ['mediaType', 'media_type', 'mimeType', 'mime_type'] as const

/** Reads an attachment: `{ type, content, content_type: 'url' | 'base64' | 'id', media_type }`. */
export const readAttachment: Read<Part> = (value, at, reading, spare) => {
  if (!isObject(value)) return fail('invalid-type', at, describe(value), 'an attachment: an object')
  const pick = picker(value, at, [])
  const type = pick.take(['type'])
  const form = mediaForms.get(type?.value)
  if (form === undefined)
    return fail(
      'unknown-part-type',
      below(at, 'type'),
      'another type',
      'image, audio, video, document or file',
    )
  const content = pick.take(['content'])
  if (content === undefined) return reading.part(value, at, reading, spare)
  const kind = pick.take(['content_type', 'contentType'])
  const mediaType = pick.take(mediaTypeNames)
  const source = readSource(content, kind, mediaType, at, reading)
  const stated = source.kind === 'base64' || mediaType === undefined ? {} : { mediaType: mediaType.value }
  return partShapes[form[0]].read({ ...pick.rest(), type: form[0], source, ...stated }, at, reading, spare)
}

function readSource(
  content: Picked,
  kind: Picked | undefined,
  mediaType: Picked | undefined,
  at: Path | undefined,
  reading: Reading,
): MediaSource {
  const text = string.read(content.value, content.at, reading, {})
  const stated = kinds.read(kind?.value, kind?.at ?? below(at, 'content_type'), reading, {})
  if (stated === 'url') return { kind: 'url', url: text }
  if (stated === 'id') return { kind: 'id', id: text, provider: 'openai' }
  const inline = readDataUrl(text)
  if (inline !== undefined) return { kind: 'base64', ...inline }
  const type = mediaType === undefined ? sniff(text) : string.read(mediaType.value, mediaType.at, reading, {})
  if (type !== undefined) return { kind: 'base64', data: text, mediaType: type }
  return fail('unknown-media-type', content.at, 'base64 of no known format', 'a media type or a data URL')
}
