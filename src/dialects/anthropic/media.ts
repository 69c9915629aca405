import { inlineDataUrl } from '../../canonical/build/media.ts'
import { encodeFallback } from './reasoning.ts'
import type { MediaPart, MediaSource, FilePart } from '../../canonical/model/part.ts'
import { isObject, type Json, type JsonObject, isList, itemsOf } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import { hasMediaField } from '../engine/setting-tables.ts'
import { createMediaFallback, isSendableMedia } from '../engine/content-fallback.ts'
import { normalizeMediaType } from '../../wire/media-type.ts'
import { DIALECT_SLOT } from './constants.ts'
import { type AnthropicFlavor, getFlavor } from './flavors.ts'
import { isPlainTextBlock } from './text-blocks.ts'
import type { DecodedPart, BlockEncodeContext } from './part-context.ts'
import type { AnthropicHints } from './hints.ts'

/** The separator between the joined texts of several blocks. */
const BLOCK_SEPARATOR = '\n'

/** Decodes a search result as a named text file. Its `source`, which only the provider cites, is residue. */
export function decodeSearchResult({ title, content }: JsonObject): DecodedPart | undefined {
  const read = typeof content === 'string' ? undefined : decodeTextBlocks(content)
  if (read === undefined || typeof title !== 'string') return undefined
  return { part: { ...read.part, name: title }, hints: { ...read.hints, wireType: 'search_result' } }
}

/** Decodes the text of a document: a string, or a list of text blocks without other fields. */
function decodeTextBlocks(content: Json | undefined): { part: FilePart; hints: AnthropicHints } | undefined {
  const isString = typeof content === 'string'
  const blocks: readonly Json[] = isString ? [{ type: 'text', text: content }] : itemsOf(content)
  if (blocks.length === 0 || !blocks.every(isPlainTextBlock)) return undefined
  const texts = blocks.map(({ text }) => text)
  const source = { kind: 'text', text: texts.join(BLOCK_SEPARATOR) } as const
  const lengths = isString ? 'string' : texts.map(({ length }) => length)
  return { part: { type: 'file', source, mediaType: 'text/plain' }, hints: { textBlockLengths: lengths } }
}

/** Encodes text in blocks of the recorded lengths, if they still fit the text; otherwise in one block. */
function encodeTextBlocks(text: string, { textBlockLengths: lengths }: AnthropicHints): Json {
  if (lengths === 'string') return text
  return (splitByLengths(text, lengths) ?? [text]).map((each) => ({ type: 'text', text: each }))
}

function splitByLengths(text: string, lengths: Json | undefined): readonly string[] | undefined {
  if (!isList(lengths)) return undefined
  let offset = 0
  const texts = lengths.map((length) => {
    const each = text.slice(offset, offset + Number(length))
    offset += each.length + BLOCK_SEPARATOR.length
    return each
  })
  return texts.join(BLOCK_SEPARATOR) === text ? texts : undefined
}

/** Decodes a file that is uploaded to the container in which the provider runs code. */
export function decodeContainerUpload({ file_id: id }: JsonObject): DecodedPart | undefined {
  if (typeof id !== 'string' || id === '') return undefined
  const part: FilePart = { type: 'file', source: { kind: 'id', id, provider: DIALECT_SLOT } }
  return { part, hints: { wireType: 'container_upload' } }
}

const imageTypes: ReadonlySet<unknown> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp'])

export function decodeMedia({ type, source, title }: JsonObject): DecodedPart | undefined {
  if (!isObject(source)) return undefined
  const name = typeof title === 'string' ? { name: title } : {}
  if (type === 'document' && source['type'] === 'content') {
    const read = decodeTextBlocks(source['content'])
    return read && { part: { ...read.part, ...name }, hints: read.hints }
  }
  const found = readSource(source)
  if (found === undefined) return undefined
  const mediaType = found.kind === 'text' ? { mediaType: 'text/plain' } : {}
  return { part: { type: type === 'image' ? 'image' : 'file', source: found, ...mediaType, ...name } }
}

function readSource(wire: JsonObject): MediaSource | undefined {
  const { type, media_type: mediaType, data, url, file_id: id } = wire
  if (type === 'base64' && typeof data === 'string' && typeof mediaType === 'string')
    return { kind: 'base64', data, mediaType }
  if (type === 'text' && typeof data === 'string') return { kind: 'text', text: data }
  if (type === 'url' && typeof url === 'string') return { kind: 'url', url }
  return type === 'file' && typeof id === 'string' && id !== ''
    ? { kind: 'id', id, provider: DIALECT_SLOT }
    : undefined
}

/** Encodes media as a block, or as a text description if the API does not accept the media. */
export function encodeMedia(given: MediaPart, blockContext: BlockEncodeContext): JsonObject | undefined {
  const { path, context, location, hints } = blockContext
  const part = inlineDataUrl(given)
  const { wireType } = hints
  // An assistant message contains only files of the provider's container.
  const isAllowed =
    (location === 'user' || location === 'result' || wireType === 'container_upload') &&
    (isAcceptedByHost(part, getFlavor(context.options)) || hints['acceptedByHost'] === context.options.flavor)
  const source = isAllowed ? writeSource(part, hints) : undefined
  if (source === undefined) {
    return encodeFallback(createMediaFallback(part, path, context), blockContext)
  }
  const isImage = part.type === 'image'
  const isUpload = wireType === 'container_upload' && !isImage && part.source.kind === 'id'
  for (const key of ['detail', 'transcript', 'name'] as const) {
    const isSupported = key === 'name' && !isImage && !isUpload
    if (hasMediaField(part, key) && !isSupported) context.report('media-detail', child(path, key))
  }
  if (isImage) return { type: 'image', source }
  if (isUpload) return { type: 'container_upload', file_id: part.source.id }
  if (wireType === 'search_result' && part.source.kind === 'text') {
    const content = encodeTextBlocks(part.source.text, hints)
    return { type: 'search_result', title: part.name ?? '', content }
  }
  return { type: 'document', source, ...(part.name !== undefined && { title: part.name }) }
}

/** Returns true if the row of a host allows the media. */
export function isAcceptedByHost(
  { type, source }: MediaPart,
  { mediaTypes, imageUrls }: AnthropicFlavor,
): boolean {
  return mediaTypes?.includes(type) !== false && !(imageUrls === false && source.kind === 'url')
}

function writeSource(part: MediaPart, hints: AnthropicHints): JsonObject | undefined {
  const { source } = part
  if ((part.type !== 'image' && part.type !== 'file') || !isSendableMedia(part)) return undefined
  if (source.kind === 'url') return { type: 'url', url: source.url }
  if (source.kind === 'id')
    return source.provider === DIALECT_SLOT ? { type: 'file', file_id: source.id } : undefined
  if (source.kind === 'text' && hints['textBlockLengths'] !== undefined)
    return { type: 'content', content: encodeTextBlocks(source.text, hints) }
  if (source.kind === 'text')
    return part.type === 'file' ? { type: 'text', media_type: 'text/plain', data: source.text } : undefined
  const mediaType = normalizeMediaType(source.mediaType)
  const isSupported = part.type === 'image' ? imageTypes.has(mediaType) : mediaType === 'application/pdf'
  return isSupported ? { type: 'base64', media_type: mediaType, data: source.data } : undefined
}
