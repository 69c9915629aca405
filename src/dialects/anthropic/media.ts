import { mediaTypeOf, inlineDataUrl } from '../../canonical/build/media.ts'
import type { MediaPart, MediaSource, FilePart } from '../../canonical/model/part.ts'
import { isObject, type Json, type JsonObject, isList } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { hasMediaField } from '../engine/setting-defaults.ts'
import { createMediaTextFallback } from '../engine/text-fallback.ts'
import { DIALECT_SLOT } from './constants.ts'
import type { BlockLocation, DecodedPart, BlockEncodeContext } from './part-context.ts'
import type { AnthropicHint } from './hints.ts'

/** The separator between the joined texts of several blocks. */
const BLOCK_SEPARATOR = '\n'

/**
 * Decodes a search result as a named text file. Its `source` stays in the residue, since only the provider
 * cites it.
 */
export function decodeSearchResult({ title, content }: JsonObject): DecodedPart | undefined {
  const read = typeof content === 'string' ? undefined : decodeTextBlocks(content)
  if (read === undefined || typeof title !== 'string') return undefined
  return { part: { ...read.part, name: title }, hints: { ...read.hints, wireType: 'search_result' } }
}

/**
 * Decodes the text of a document, which is a string or a list of text blocks. Returns undefined for blocks
 * that have other fields or types.
 */
function decodeTextBlocks(
  content: Json | undefined,
): { part: FilePart; hints: Hints<AnthropicHint> } | undefined {
  const blocks =
    isList(content) && content.length > 0 && content.every(isPlainTextBlock) ? content : undefined
  if (typeof content !== 'string' && blocks === undefined) return undefined
  const texts = blocks?.map(({ text }) => text) ?? [content as string]
  const source = { kind: 'text', text: texts.join(BLOCK_SEPARATOR) } as const
  const part: FilePart = { type: 'file', source, mediaType: 'text/plain' }
  const lengths = blocks === undefined ? 'string' : texts.map(({ length }) => length)
  return { part, hints: { textBlockLengths: lengths } }
}

function isPlainTextBlock(block: Json): block is { readonly type: 'text'; readonly text: string } {
  return (
    isObject(block) &&
    block['type'] === 'text' &&
    typeof block['text'] === 'string' &&
    Object.keys(block).length === 2
  )
}

/** Encodes text in blocks of the recorded lengths, if they still fit the text; otherwise in one block. */
function encodeTextBlocks(text: string, { textBlockLengths: lengths }: Hints<AnthropicHint>): Json {
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

function encodeSearchResult(text: string, name: string | undefined, hints: Hints<AnthropicHint>): JsonObject {
  return { type: 'search_result', title: name ?? '', content: encodeTextBlocks(text, hints) }
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

function readSource({
  type,
  media_type: mediaType,
  data,
  url,
  file_id: id,
}: JsonObject): MediaSource | undefined {
  if (type === 'base64' && typeof data === 'string' && typeof mediaType === 'string')
    return { kind: 'base64', data, mediaType }
  if (type === 'text' && typeof data === 'string') return { kind: 'text', text: data }
  if (type === 'url' && typeof url === 'string') return { kind: 'url', url }
  return type === 'file' && typeof id === 'string' && id !== ''
    ? { kind: 'id', id, provider: DIALECT_SLOT }
    : undefined
}

/** Encodes media as a block, or as a text description if the API does not accept the media. */
export function encodeMedia(
  given: MediaPart,
  { path, context, location, hints }: BlockEncodeContext,
): JsonObject | undefined {
  const part = inlineDataUrl(given)
  const source = isMediaAllowed(location, hints) ? writeSource(part, hints) : undefined
  if (source === undefined) {
    const text = createMediaTextFallback(part, path, context)
    return text === undefined ? undefined : { type: 'text', text }
  }
  for (const key of ['detail', 'transcript'] as const) {
    if (hasMediaField(part, key)) context.report('media-detail', child(path, key))
  }
  if (part.type === 'image') {
    if (part.name !== undefined) context.report('media-detail', child(path, 'name'))
    return { type: 'image', source }
  }
  if (hints['wireType'] === 'container_upload' && part.source.kind === 'id')
    return encodeContainerUpload(part, path, context)
  if (hints['wireType'] === 'search_result' && part.source.kind === 'text')
    return encodeSearchResult(part.source.text, part.name, hints)
  return { type: 'document', source, ...(part.name !== undefined && { title: part.name }) }
}

/** Encodes a file for the provider's container; such a block has no title. */
function encodeContainerUpload(
  { source, name }: MediaPart,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject {
  if (name !== undefined) context.report('media-detail', child(path, 'name'))
  return { type: 'container_upload', file_id: source.kind === 'id' ? source.id : '' }
}

/**
 * Returns true if a message may contain the media: an assistant message contains only files of the provider's
 * container.
 */
function isMediaAllowed(location: BlockLocation, { wireType }: Hints<AnthropicHint>): boolean {
  return location === 'user' || location === 'result' || wireType === 'container_upload'
}

function writeSource(part: MediaPart, hints: Hints<AnthropicHint>): JsonObject | undefined {
  const { source } = part
  if (part.type !== 'image' && part.type !== 'file') return undefined
  if (source.kind === 'url') return /^data:/i.test(source.url) ? undefined : { type: 'url', url: source.url }
  if (source.kind === 'id')
    return source.provider === DIALECT_SLOT ? { type: 'file', file_id: source.id } : undefined
  if (source.kind === 'text' && hints['textBlockLengths'] !== undefined)
    return { type: 'content', content: encodeTextBlocks(source.text, hints) }
  if (source.kind === 'text')
    return part.type === 'file' ? { type: 'text', media_type: 'text/plain', data: source.text } : undefined
  const isSupported =
    part.type === 'image' ? imageTypes.has(source.mediaType) : mediaTypeOf(part) === 'application/pdf'
  return isSupported ? { type: 'base64', media_type: source.mediaType, data: source.data } : undefined
}
