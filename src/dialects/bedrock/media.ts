import { inlineDataUrl, mediaTypeOf } from '../../canonical/build/media.ts'
import type { MediaPart, MediaSource } from '../../canonical/model/part.ts'
import { isObject, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import { getMediaTypeOfName, normalizeMediaType } from '../../wire/media-type.ts'
import { createMediaFallback, hasMediaData } from '../engine/content-fallback.ts'
import { defineHints } from '../engine/residue-slots.ts'
import { hasMediaField } from '../engine/setting-tables.ts'
import { DIALECT_SLOT, mediaBlockKeys, mediaFormatTables } from './constants.ts'
import { isValidDocumentName } from './document-names.ts'
import {
  type BlockContainerKind,
  type BlockDecodeContext,
  type BlockEncodeContext,
  type DecodedPart,
  isAnswer,
} from './part-context.ts'
import { encodeFallback } from './reasoning.ts'
import { decodeTextList, encodeTextList } from './text-blocks.ts'

type MediaType = MediaPart['type']

/** Decodes an image, a document, a video or audio as a part of the given type. */
export function decodeMedia(
  type: MediaType,
  { format, source, name }: JsonObject,
  context: BlockDecodeContext,
): DecodedPart | undefined {
  const mediaType = mediaFormatTables[type].fromWire(format)
  if (!isObject(source) || (type === 'file' && typeof name !== 'string')) return undefined
  const texts = type === 'file' ? decodeTextList(source['content']) : undefined
  const found: MediaSource | undefined = texts
    ? { kind: 'text', text: texts.text }
    : readSource(type, source, mediaType)
  if (found === undefined) return undefined
  const ownType = found.kind === 'text' ? (mediaType ?? 'text/plain') : mediaType
  const part: MediaPart = {
    type,
    source: found,
    ...(found.kind !== 'base64' && ownType !== undefined && { mediaType: ownType }),
    ...(type === 'file' && typeof name === 'string' && { name }),
  }
  const hints = defineHints(DIALECT_SLOT, {
    ...(texts && { textBlockLengths: [], ...texts.hints }),
    ...(!isAcceptedIn(type, context.location) && isAnswer(context.location) && { mediaInAnswer: true }),
    ...(typeof name === 'string' && isUnusualName(name, context) && { acceptedDocumentName: name }),
  })
  return { part, hints }
}

/** Returns true for a name that breaks the rule, or that an earlier document has. */
function isUnusualName(name: string, { documentNames }: BlockDecodeContext): boolean {
  const key = name.toLowerCase()
  const isRepeated = documentNames.has(key)
  documentNames.add(key)
  return isRepeated || !isValidDocumentName(name)
}

function readSource(
  type: MediaType,
  { bytes, text, s3Location: location }: JsonObject,
  mediaType: string | undefined,
): MediaSource | undefined {
  if (typeof bytes === 'string')
    return mediaType === undefined ? undefined : { kind: 'base64', data: bytes, mediaType }
  if (typeof text === 'string') return type === 'file' ? { kind: 'text', text } : undefined
  const uri = isObject(location) ? location['uri'] : undefined
  return typeof uri === 'string' && mediaType !== undefined ? { kind: 'url', url: uri } : undefined
}

/** Decodes a search result as a named text file. Its `source`, which only the provider cites, is residue. */
export function decodeSearchResult({ title, content }: JsonObject): DecodedPart | undefined {
  const read = decodeTextList(content)
  if (read === undefined || typeof title !== 'string') return undefined
  const source = { kind: 'text', text: read.text } as const
  return {
    part: { type: 'file', source, mediaType: 'text/plain', name: title },
    hints: { ...read.hints, wireType: 'searchResult' },
  }
}

/** Encodes media as a block, or as a text description if the API does not accept the media. */
export function encodeMedia(given: MediaPart, blockContext: BlockEncodeContext): JsonObject | undefined {
  const { path, context, hints, namer } = blockContext
  const part = inlineDataUrl(given)
  const source = isMediaAccepted(part, blockContext) ? writeSource(part, blockContext) : undefined
  if (source === undefined) return encodeFallback(createMediaFallback(part, path, context), blockContext)
  const isFile = part.type === 'file'
  for (const key of ['detail', 'transcript', 'name'] as const) {
    if (hasMediaField(part, key) && !(key === 'name' && isFile))
      context.report('media-detail', child(path, key))
  }
  if (isSearchResult(part, blockContext) && part.source.kind === 'text')
    return { searchResult: { title: part.name ?? '', content: encodeTextList(part.source.text, hints) } }
  const format = getFormat(part)
  const block = {
    ...(format !== undefined && { format }),
    ...(isFile && { name: namer.name(part.name, hints, path, context) }),
    source,
  }
  return { [mediaBlockKeys[part.type]]: block }
}

function isSearchResult(part: MediaPart, { hints }: BlockEncodeContext): boolean {
  return hints['wireType'] === 'searchResult' && part.type === 'file' && part.source.kind === 'text'
}

/** Returns true if a message may contain media of a type; a result may contain no audio, and an answer only images. */
export function isAcceptedIn(type: MediaType, location: BlockContainerKind): boolean {
  if (location === 'response') return type === 'image'
  return location === 'user' || (location === 'result' && type !== 'audio')
}

function isMediaAccepted(part: MediaPart, { hints, location }: BlockEncodeContext): boolean {
  const isReceived = hints['mediaInAnswer'] === true && isAnswer(location)
  return (isReceived || isAcceptedIn(part.type, location)) && hasMediaData(part)
}

/** Returns the format of media; undefined if Bedrock has none for its media type. Text of any type is plain text. */
function getFormat(part: MediaPart): string | undefined {
  const { type, source, name } = part
  const address = source.kind === 'url' ? source.url : (name ?? '')
  const mediaType = mediaTypeOf(part) ?? getMediaTypeOfName(address)
  const format = mediaType && mediaFormatTables[type].toWire(normalizeMediaType(mediaType))
  return format ?? (source.kind === 'text' && type === 'file' ? 'txt' : undefined)
}

/** Encodes the source of media. Bedrock reads only objects in S3 by their address. */
function writeSource(part: MediaPart, { hints }: BlockEncodeContext): JsonObject | undefined {
  const { source, type } = part
  if (getFormat(part) === undefined || source.kind === 'id') return undefined
  if (source.kind === 'base64') return { bytes: source.data }
  if (source.kind === 'url') return isS3Address(source.url) ? { s3Location: { uri: source.url } } : undefined
  if (type !== 'file') return undefined
  const isList = hints['textBlockLengths'] !== undefined
  return isList ? { content: encodeTextList(source.text, hints) } : { text: source.text }
}

function isS3Address(url: string): boolean {
  return /^s3:\/\//i.test(url)
}
