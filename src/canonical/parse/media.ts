import { parseBase64DataUrl, toBase64 } from '../../wire/base64.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { detectMediaType, toUint8Array, toUrlOrBase64Source } from '../build/media.ts'
import type { MediaPart, MediaSource, Part } from '../model/part.ts'
import { partShape, partShapes } from '../shape/part.ts'
import {
  throwInvalid,
  throwMissing,
  throwWrongType,
  type ReadContext,
  stringShape,
  type ValueReader,
  enumShape,
} from '../shape/shape.ts'
import { createFieldPicker, type PickedField } from './field-picker.ts'
import { getOwnValue, isObject } from '../../wire/json.ts'

/** Part types of other formats that contain media: the canonical type, and the key of nested media. */
export const mediaPartTypeAliases: ReadonlyMap<unknown, readonly [type: MediaPart['type'], nested: string]> =
  new Map([
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
    // Parts in the tool results of the AI SDK.
    ['image-data', ['image', 'image']],
    ['image-url', ['image', 'image']],
    ['file-data', ['file', 'file']],
    ['file-url', ['file', 'file']],
    ['media', ['file', 'media']],
  ])

const MEDIA_FIELD_ALIASES = {
  url: ['url', 'file_url'],
  data: ['data', 'file_data', 'base64'],
  id: ['file_id', 'fileId', 'id'],
  text: ['text'],
  format: ['format'],
  mediaType: ['mediaType', 'media_type', 'mimeType', 'mime_type'],
  provider: ['provider'],
  name: ['name', 'filename', 'file_name'],
  detail: ['detail'],
  transcript: ['transcript', 'transcription'],
} as const

/** Reads an attachment: `{ type, content, content_type: 'url' | 'base64' | 'id', media_type }`. */
export const readAttachmentPart: ValueReader<Part> = (value, path, context) => {
  if (!isObject(value)) return throwWrongType(value, path, 'an attachment: an object')
  const pick = createFieldPicker(value, path)
  const [type] = mediaPartTypeAliases.get(pick.take('type')?.value) ?? []
  if (type === undefined) {
    const expected = 'image, audio, video, document or file'
    return throwInvalid('unknown-part-type', child(path, 'type'), 'another type', expected)
  }
  const content = pick.take('content')
  if (content === undefined) return partShape.read(value, path, context)
  const kind = pick.take('content_type', 'contentType')
  const mediaType = pick.take(...MEDIA_FIELD_ALIASES.mediaType)
  const source = readAttachmentSource(content, kind, mediaType, path, context)
  const hasOwnType = source.kind !== 'base64' && mediaType !== undefined
  const part = { ...pick.remaining(), type, source, ...(hasOwnType && { mediaType: mediaType.value }) }
  return partShapes[type].read(part, path, context)
}

const sourceKindShape = enumShape('url', 'base64', 'id')

function readAttachmentSource(
  content: PickedField,
  kind: PickedField | undefined,
  mediaType: PickedField | undefined,
  path: Path | undefined,
  context: ReadContext,
): MediaSource {
  const text = stringShape.read(content.value, content.path, context)
  const givenKind = sourceKindShape.read(kind?.value, kind?.path ?? child(path, 'content_type'), context)
  if (givenKind === 'url') return { kind: 'url', url: text }
  if (givenKind === 'id') return { kind: 'id', id: text, provider: 'openai' }
  const given = () => mediaType && stringShape.read(mediaType.value, mediaType.path, context)
  return readBase64(text, content.path, given, 'a media type or a data URL')
}

/** Reads base64 or a data URL; the media type of base64 is the given one, or is detected. */
function readBase64(data: string, path: Path, given: () => string | undefined, expects: string): MediaSource {
  const inline = parseBase64DataUrl(data)
  if (inline !== undefined) return { kind: 'base64', ...inline }
  const mediaType = given() ?? detectMediaType(data)
  if (mediaType !== undefined) return { kind: 'base64', data, mediaType }
  return throwInvalid('unknown-media-type', path, 'base64 of no known format', expects)
}

/** Takes a text field by any of its names. */
type TakeField = (
  field: keyof typeof MEDIA_FIELD_ALIASES,
) => { readonly value: string; readonly path: Path } | undefined

/** Media types of formats whose name differs from the subtype. */
const FORMAT_MEDIA_TYPES: ReadonlyMap<string, string> = new Map([
  ['mp3', 'audio/mpeg'],
  ['jpg', 'image/jpeg'],
])

/** Reads media of another format: nested under a key or flat; by URL, data URL, base64 or file id. */
export function readMediaPart(
  value: object,
  [givenType, nested]: readonly [type: MediaPart['type'], nested: string],
  path: Path | undefined,
  context: ReadContext,
): Part {
  const type = mediaTypeToPartType(givenType, getOwnValue(value, 'mediaType'))
  const pick = createFieldPicker(value, path, nested)
  pick.take('type')
  // A string under the nested key is the URL or base64: { type: 'image_url', image_url: 'https://…' }.
  const isFlat = !isObject(getOwnValue(value, nested))
  const urlKeys = isFlat ? [nested] : []
  const take: TakeField = (field) => {
    const found = pick.take(...(field === 'url' ? urlKeys : []), ...MEDIA_FIELD_ALIASES[field])
    return found && { value: stringShape.read(toText(found.value), found.path, context), path: found.path }
  }
  const source = readMediaSource(take, type, path)
  const ownType = (): string | undefined =>
    take('mediaType')?.value ?? mediaTypeOfFormat(take('format')?.value, type)
  const fields = {
    ...(source.kind !== 'base64' && { mediaType: ownType() }),
    name: take('name')?.value,
    detail: take('detail')?.value,
    transcript: take('transcript')?.value,
  }
  const given = Object.fromEntries(
    Object.entries(fields).filter(([, each]) => each !== undefined && each !== ''),
  )
  return partShapes[type].read({ ...pick.remaining(), type, source, ...given }, path, context)
}

/** Returns bytes and URLs of a program as text; the AI SDK has them in its parts. */
function toText(value: unknown): unknown {
  const bytes = toUint8Array(value)
  if (bytes !== undefined) return toBase64(bytes)
  return value instanceof URL ? value.href : value
}

/** Files of the AI SDK may be images, audio or video, as their `mediaType` says. */
function mediaTypeToPartType(type: MediaPart['type'], mediaType: unknown): MediaPart['type'] {
  const [family] = typeof mediaType === 'string' ? mediaType.split('/', 1) : []
  const isMedia = family === 'image' || family === 'audio' || family === 'video'
  return type === 'file' && isMedia ? family : type
}

/** Reads an image of a list, as Ollama stores them: base64 or a URL as text, or a part. */
export const readImage: ValueReader<Part> = (value, path, context) =>
  typeof value === 'string'
    ? readMediaPart({ image: value }, ['image', 'image'], path, context)
    : partShape.read(value, path, context)

/** The sources of Anthropic's images and documents, which have a `type` instead of a `kind`. */
const ANTHROPIC_SOURCES: ReadonlyMap<unknown, (source: RawSource) => object> = new Map<
  unknown,
  (source: RawSource) => object
>([
  ['base64', ({ type: _type, media_type: mediaType, ...rest }) => ({ ...rest, kind: 'base64', mediaType })],
  ['url', ({ type: _type, ...rest }) => ({ ...rest, kind: 'url' })],
  ['file', ({ type: _type, file_id: id, ...rest }) => ({ ...rest, kind: 'id', id, provider: 'anthropic' })],
  [
    'text',
    ({ type: _type, media_type: _mediaType, data, ...rest }) => ({ ...rest, kind: 'text', text: data }),
  ],
])

type RawSource = { readonly [key: string]: unknown }

/** Returns a part with a source of Anthropic as a part with the canonical source; any other part as it is. */
export function convertAnthropicSource(part: object): object {
  const source = getOwnValue(part, 'source')
  const [type, title] = [mediaPartTypeAliases.get(getOwnValue(part, 'type'))?.[0], getOwnValue(part, 'title')]
  if (!isObject(source) || type === undefined || Object.hasOwn(source, 'kind')) return part
  const convert = ANTHROPIC_SOURCES.get(getOwnValue(source, 'type'))
  if (convert === undefined) return part
  return {
    ...part,
    type,
    source: convert(source),
    ...(typeof title === 'string' && { title: undefined, name: title }),
  }
}

function readMediaSource(take: TakeField, type: MediaPart['type'], path: Path | undefined): MediaSource {
  const url = take('url')?.value
  if (url) return toUrlOrBase64Source(url)
  const data = take('data')
  if (data?.value && /^https?:/i.test(data.value)) return { kind: 'url', url: data.value }
  if (data?.value) {
    const given = () => take('mediaType')?.value ?? mediaTypeOfFormat(take('format')?.value, type)
    return readBase64(data.value, data.path, given, 'a media type, a format or a data URL')
  }
  const id = take('id')?.value
  if (id) return { kind: 'id', id, provider: take('provider')?.value ?? 'openai' }
  const text = take('text')?.value
  if (text !== undefined) return { kind: 'text', text }
  return throwMissing(child(path, 'source'), 'a url, base64 data, a file id or text')
}

function mediaTypeOfFormat(format: string | undefined, type: MediaPart['type']): string | undefined {
  if (format === undefined || format.includes('/')) return format
  return FORMAT_MEDIA_TYPES.get(format) ?? `${type === 'file' ? 'application' : type}/${format}`
}
