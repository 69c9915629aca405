import { mediaTypeOf } from '../../canonical/build/media.ts'
import type { MediaPart, MediaSource } from '../../canonical/model/part.ts'
import { parseBase64DataUrl, toDataUrl } from '../../wire/base64.ts'
import { getOwnValue, isObject, type Json, type JsonObject, omitUndefined } from '../../wire/json.ts'

/** The fields of media that a block contains. */
export type MediaFields = Omit<MediaPart, 'type'> & { readonly type: MediaPart['type'] }

/** One of the forms in which LangChain and its providers have media. */
interface MediaForm {
  /** Returns the media of a block; undefined for a block of another form. */
  read(block: JsonObject): MediaFields | undefined
  /** Writes media; undefined if the form cannot represent its source. */
  write(part: MediaPart): JsonObject | undefined
}

const TYPES = ['image', 'audio', 'video', 'file'] as const

function pickText(object: object, ...keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = getOwnValue(object, key)
    if (typeof value === 'string') return value
  }
  return undefined
}

function readType(block: JsonObject): MediaPart['type'] | undefined {
  return TYPES.find((type) => type === block['type'])
}

function fromUrl(url: string): MediaSource {
  const inline = parseBase64DataUrl(url)
  return inline === undefined ? { kind: 'url', url } : { kind: 'base64', ...inline }
}

const fromBytes = (data: string, mediaType = 'application/octet-stream'): MediaSource => ({
  kind: 'base64',
  data,
  mediaType,
})

const fromId = (id: string): MediaSource | undefined =>
  id === '' ? undefined : { kind: 'id', id, provider: 'openai' }

/** Builds media of a source; the media type is kept beside a source that has none. */
function build(
  type: MediaPart['type'] | undefined,
  source: MediaSource | undefined,
  mediaType?: string,
  rest: Partial<MediaFields> = {},
): MediaFields | undefined {
  if (type === undefined || source === undefined) return undefined
  const own = source.kind === 'base64' ? undefined : mediaType
  return { type, source, ...omitUndefined({ mediaType: own, ...rest }) }
}

/** Creates the form of version 1, whose keys differ between JavaScript and Python. */
function createStandardForm(dataKey: string, idKey: string, typeKey: string): MediaForm {
  return {
    read: (block) => {
      const [url, data, id] = [block['url'], block[dataKey], block[idKey]]
      // A URL alone is the same in both languages; it is read as that of JavaScript.
      const isOwn = [dataKey, idKey, typeKey].some((key) => Object.hasOwn(block, key))
      if (!isOwn && typeKey === 'mime_type') return undefined
      const mediaType = pickText(block, typeKey)
      if (block['type'] === 'text-plain')
        return typeof block['text'] === 'string'
          ? build('file', { kind: 'text', text: block['text'] }, mediaType)
          : undefined
      const type = readType(block)
      if (typeof data === 'string') return build(type, fromBytes(data, mediaType), mediaType)
      if (typeof url === 'string') return build(type, { kind: 'url', url }, mediaType)
      return typeof id === 'string' ? build(type, fromId(id), mediaType) : undefined
    },
    write: (part) => {
      const { source, type } = part
      const mediaType = mediaTypeOf(part)
      const own = mediaType === undefined ? {} : { [typeKey]: mediaType }
      if (source.kind === 'text')
        return type === 'file' ? { type: 'text-plain', text: source.text, ...own } : undefined
      if (source.kind === 'base64') return { type, [dataKey]: source.data, ...own }
      if (source.kind === 'url') return { type, url: source.url, ...own }
      return source.provider === 'openai' ? { type, [idKey]: source.id, ...own } : undefined
    },
  }
}

/** Names of the formats of `input_audio`. */
const AUDIO_FORMATS: { readonly [format: string]: string } = { wav: 'audio/wav', mp3: 'audio/mpeg' }

/** The forms by name; the first one that reads a block counts. `data` is written if no other form was read. */
const MEDIA_FORMS: { readonly [name: string]: MediaForm } = {
  data: {
    read: (block) => {
      const type = block['type'] === 'text' ? 'file' : readType(block)
      const mediaType = pickText(block, 'mime_type')
      const { url, data, id, text } = block
      switch (pickText(block, 'source_type') ?? '') {
        case 'url':
          return typeof url === 'string' ? build(type, { kind: 'url', url }, mediaType) : undefined
        case 'base64':
          return typeof data === 'string' ? build(type, fromBytes(data, mediaType)) : undefined
        case 'text':
          return typeof text === 'string' ? build(type, { kind: 'text', text }, mediaType) : undefined
        case 'id': {
          const provider = isObject(block['metadata']) ? pickText(block['metadata'], 'provider') : undefined
          const source = typeof id === 'string' ? fromId(id) : undefined
          return build(
            type,
            source?.kind === 'id' ? { ...source, provider: provider ?? 'openai' } : source,
            mediaType,
          )
        }
        default:
          return undefined
      }
    },
    write: (part) => {
      const { source, type } = part
      const mime_type = mediaTypeOf(part)
      const [kind, value] =
        source.kind === 'url'
          ? [{ url: source.url }, 'url']
          : source.kind === 'base64'
            ? [{ data: source.data }, 'base64']
            : source.kind === 'text'
              ? [{ text: source.text }, 'text']
              : [{ id: source.id }, 'id']
      const provider = source.kind === 'id' ? { metadata: { provider: source.provider } } : {}
      return omitUndefined({ type, source_type: value, ...kind, mime_type, ...provider })
    },
  },
  image_url: {
    read: ({ type, image_url: given }) => {
      if (type !== 'image_url') return undefined
      const url = typeof given === 'string' ? given : isObject(given) ? pickText(given, 'url') : undefined
      const detail = isObject(given) ? pickText(given, 'detail') : undefined
      return url === undefined
        ? undefined
        : build('image', fromUrl(url), undefined, omitUndefined({ detail }))
    },
    write: ({ type, source, detail }) => {
      const url =
        source.kind === 'url' ? source.url : source.kind === 'base64' ? toDataUrl(source) : undefined
      if (type !== 'image' || url === undefined) return undefined
      return { type: 'image_url', image_url: { url, ...(detail !== undefined && { detail }) } }
    },
  },
  input_audio: {
    read: ({ type, input_audio: given }) => {
      if (type !== 'input_audio' || !isObject(given)) return undefined
      const data = pickText(given, 'data')
      const format = pickText(given, 'format') ?? ''
      const mediaType = Object.hasOwn(AUDIO_FORMATS, format) ? AUDIO_FORMATS[format] : `audio/${format}`
      return data === undefined ? undefined : build('audio', fromBytes(data, mediaType))
    },
    write: ({ type, source }) => {
      if (type !== 'audio' || source.kind !== 'base64' || !source.mediaType.startsWith('audio/'))
        return undefined
      const format = Object.keys(AUDIO_FORMATS).find((each) => AUDIO_FORMATS[each] === source.mediaType)
      const name = format ?? source.mediaType.replace(/^audio\//, '')
      return { type: 'input_audio', input_audio: { data: source.data, format: name } }
    },
  },
  openai_file: {
    read: ({ type, file: given }) => {
      if (type !== 'file' || !isObject(given)) return undefined
      const [data, id, name] = [
        pickText(given, 'file_data'),
        pickText(given, 'file_id'),
        pickText(given, 'filename'),
      ]
      const source = data === undefined ? (id === undefined ? undefined : fromId(id)) : fromUrl(data)
      return build('file', source, undefined, omitUndefined({ name }))
    },
    write: ({ type, source, name: filename }) => {
      const file_data =
        source.kind === 'base64' ? toDataUrl(source) : source.kind === 'url' ? source.url : undefined
      const file_id = source.kind === 'id' && source.provider === 'openai' ? source.id : undefined
      if (type !== 'file' || (file_data ?? file_id) === undefined) return undefined
      return { type: 'file', file: omitUndefined({ file_data, file_id, filename }) as JsonObject }
    },
  },
  anthropic: {
    read: ({ type, source: given }) => {
      const partType = type === 'document' ? 'file' : type === 'image' ? 'image' : undefined
      if (!isObject(given)) return undefined
      const { type: kind, url, data, media_type: mediaType, file_id: id } = given
      if (kind === 'url' && typeof url === 'string') return build(partType, { kind: 'url', url })
      if (kind === 'base64' && typeof data === 'string')
        return build(partType, fromBytes(data, typeof mediaType === 'string' ? mediaType : undefined))
      if (kind === 'text' && typeof data === 'string') return build(partType, { kind: 'text', text: data })
      return kind === 'file' && typeof id === 'string' && id !== ''
        ? build(partType, { kind: 'id', id, provider: 'anthropic' })
        : undefined
    },
    write: ({ type, source }) => {
      if (type !== 'image' && type !== 'file') return undefined
      const block = type === 'file' ? 'document' : 'image'
      if (source.kind === 'url') return { type: block, source: { type: 'url', url: source.url } }
      if (source.kind === 'text')
        return { type: block, source: { type: 'text', data: source.text, media_type: 'text/plain' } }
      if (source.kind === 'id')
        return source.provider === 'anthropic'
          ? { type: block, source: { type: 'file', file_id: source.id } }
          : undefined
      return { type: block, source: { type: 'base64', data: source.data, media_type: source.mediaType } }
    },
  },
  python: createStandardForm('base64', 'file_id', 'mime_type'),
  javascript: createStandardForm('data', 'fileId', 'mimeType'),
}

/** Reads a media block of any form, with the name of its form; undefined for a block that is no media. */
export function readMediaBlock(
  block: JsonObject,
): { readonly media: MediaFields; readonly form: string } | undefined {
  for (const [form, handler] of Object.entries(MEDIA_FORMS)) {
    const media = handler.read(block)
    if (media !== undefined) return { media, form }
  }
  return undefined
}

/** Writes media in the form that it was read in, or in the form that both languages of LangChain accept. */
export function writeMediaBlock(part: MediaPart, form: Json | undefined): JsonObject {
  const chosen = typeof form === 'string' && Object.hasOwn(MEDIA_FORMS, form) ? MEDIA_FORMS[form] : undefined
  return chosen?.write(part) ?? (MEDIA_FORMS['data'] as MediaForm).write(part) ?? {}
}
