import { mediaTypeOf } from '../../canonical/build/media.ts'
import type { MediaPart, MediaSource } from '../../canonical/model/part.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { Encoding } from '../encoding.ts'
import { hasMediaField } from '../setting-defaults.ts'
import { mediaInWords } from '../shared/describe.ts'
import { inlined } from '../shared/inline.ts'
import { SLOT } from './codes.ts'
import { encodeSearchResult, readText, writeText } from './documents.ts'
import type { Place, Read, Writing } from './parts.ts'
import type { AnthropicHint } from './hints.ts'

type Wire = { readonly [key: string]: Json }

const imageTypes: ReadonlySet<unknown> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp'])

/** Reads an image or a document. */
export function decodeMedia({ type, source, title }: Wire): Read | undefined {
  if (!isObject(source)) return undefined
  const name = typeof title === 'string' ? { name: title } : {}
  if (type === 'document' && source['type'] === 'content') {
    const read = readText(source['content'])
    return read && { part: { ...read.part, ...name }, hints: read.hints }
  }
  const found = readSource(source)
  if (found === undefined) return undefined
  const mediaType = found.kind === 'text' ? { mediaType: 'text/plain' } : {}
  return { part: { type: type === 'image' ? 'image' : 'file', source: found, ...mediaType, ...name } }
}

function readSource({ type, media_type: mediaType, data, url, file_id: id }: Wire): MediaSource | undefined {
  if (type === 'base64' && typeof data === 'string' && typeof mediaType === 'string')
    return { kind: 'base64', data, mediaType }
  if (type === 'text' && typeof data === 'string') return { kind: 'text', text: data }
  if (type === 'url' && typeof url === 'string') return { kind: 'url', url }
  return type === 'file' && typeof id === 'string' && id !== ''
    ? { kind: 'id', id, provider: SLOT }
    : undefined
}

/** Writes media as a block, or says in words what cannot be sent. */
export function encodeMedia(
  given: MediaPart,
  { at, encoding, place, hints }: Writing,
): JsonObject | undefined {
  const part = inlined(given)
  const source = isHeld(place, hints) ? writeSource(part, hints) : undefined
  if (source === undefined) {
    const text = mediaInWords(part, at, encoding)
    return text === undefined ? undefined : { type: 'text', text }
  }
  for (const key of ['detail', 'transcript'] as const) {
    if (hasMediaField(part, key)) encoding.lose('media-detail', below(at, key))
  }
  if (part.type === 'image') {
    if (part.name !== undefined) encoding.lose('media-detail', below(at, 'name'))
    return { type: 'image', source }
  }
  if (hints['wireType'] === 'container_upload' && part.source.kind === 'id') return upload(part, at, encoding)
  if (hints['wireType'] === 'search_result' && part.source.kind === 'text')
    return encodeSearchResult(part.source.text, part.name, hints)
  return { type: 'document', source, ...(part.name !== undefined && { title: part.name }) }
}

/** A file that is put where the provider's code runs has no title. */
function upload({ source, name }: MediaPart, at: Path | undefined, encoding: Encoding): JsonObject {
  if (name !== undefined) encoding.lose('media-detail', below(at, 'name'))
  return { type: 'container_upload', file_id: source.kind === 'id' ? source.id : '' }
}

/** Answers hold no media, but for what the provider's own code made. */
function isHeld(place: Place, { wireType }: Hints<AnthropicHint>): boolean {
  return place === 'user' || place === 'result' || wireType === 'container_upload'
}

function writeSource(part: MediaPart, hints: Hints<AnthropicHint>): JsonObject | undefined {
  const { source } = part
  if (part.type !== 'image' && part.type !== 'file') return undefined
  if (source.kind === 'url') return /^data:/i.test(source.url) ? undefined : { type: 'url', url: source.url }
  if (source.kind === 'id') return source.provider === SLOT ? { type: 'file', file_id: source.id } : undefined
  if (source.kind === 'text' && hints['textBlockLengths'] !== undefined)
    return { type: 'content', content: writeText(source.text, hints) }
  if (source.kind === 'text')
    return part.type === 'file' ? { type: 'text', media_type: 'text/plain', data: source.text } : undefined
  const fits =
    part.type === 'image' ? imageTypes.has(source.mediaType) : mediaTypeOf(part) === 'application/pdf'
  return fits ? { type: 'base64', media_type: source.mediaType, data: source.data } : undefined
}
