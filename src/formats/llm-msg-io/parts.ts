import { shortenContent, writeContentBlock } from '../engine/content-blocks.ts'
import type { MediaPart, MediaSource, OpaquePart, Part, TextPart } from '../../canonical/model/part.ts'
import { checkAndFreezePart } from '../../canonical/shape/part.ts'
import { attachResidue, getHints } from '../../dialects/engine/residue-slots.ts'
import { parseBase64DataUrl } from '../../wire/base64.ts'
import { isObject, itemsOf, type Json, type JsonObject, omitUndefined } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { type FormatReporter, silentReporter } from '../engine/format-loss-reporter.ts'
import { ASSUMED_PROVIDER, toMediaContent } from '../engine/media-content.ts'
import type { HasExtra } from '../../canonical/model/extra.ts'
import { MSG_IO_SLOT, NAME } from './constants.ts'
import type { MsgIoHintName } from './types.ts'

const BLOCKS = { name: NAME, writeMedia }

/** Reads content: a text, or a list of parts. */
export function readContent(
  content: Json | undefined,
  path: Path,
): readonly (TextPart | MediaPart | OpaquePart)[] {
  if (typeof content === 'string')
    return content === '' ? [] : [checkAndFreezePart<TextPart>({ type: 'text', text: content }, path)]
  return itemsOf(content).map((part, index) => readPart(part, child(path, index)))
}

function readPart(wire: Json, path: Path): TextPart | MediaPart | OpaquePart {
  const block = isObject(wire) ? wire : {}
  const { type, text } = block
  const part = type === 'text' && typeof text === 'string' ? ({ type, text } as const) : readMedia(block)
  if (part === undefined) return checkAndFreezePart({ type: 'opaque', dialect: NAME, value: wire }, path)
  return attachResidue(checkAndFreezePart<TextPart | MediaPart>(part, path), MSG_IO_SLOT, {}, block, (unit) =>
    writeContentBlock(unit, BLOCKS, undefined, silentReporter),
  )
}

function readMedia({ type, format, url, data, file_id: id, name }: JsonObject): MediaPart | undefined {
  if (type !== 'image' && type !== 'audio' && type !== 'file') return undefined
  const mediaType = typeof format === 'string' && format.includes('/') ? format : undefined
  const source = readSource(url, data, id, mediaType)
  if (source === undefined) return undefined
  const isVideo = type === 'file' && mediaType?.startsWith('video/') === true
  const own = source.kind === 'base64' || mediaType === 'video/*' ? undefined : mediaType
  return {
    type: isVideo ? 'video' : type,
    source,
    ...omitUndefined({ mediaType: own, name: typeof name === 'string' ? name : undefined }),
  }
}

function readSource(
  url: Json | undefined,
  data: Json | undefined,
  id: Json | undefined,
  mediaType = 'application/octet-stream',
): MediaSource | undefined {
  if (typeof data === 'string') return { kind: 'base64', data, mediaType }
  if (typeof url === 'string') {
    const inline = parseBase64DataUrl(url)
    return inline === undefined ? { kind: 'url', url } : { kind: 'base64', ...inline }
  }
  return typeof id === 'string' && id !== '' ? { kind: 'id', id, provider: ASSUMED_PROVIDER } : undefined
}

/** Writes content: one text as it is, and anything else as a list. */
export function writeContent(
  unit: HasExtra,
  parts: readonly Part[],
  pathOf: (part: Part) => Path | undefined,
  report: FormatReporter,
): Json {
  const blocks = parts.flatMap((part): readonly JsonObject[] => {
    const block = writeContentBlock(part, BLOCKS, pathOf(part), report)
    return block === undefined ? [] : [block]
  })
  const isList = getHints<MsgIoHintName>(unit, MSG_IO_SLOT).parts === true
  return isList ? blocks : shortenContent(blocks)
}

/** The field of media by the kind of its content. */
const SOURCE_KEYS = { url: 'url', id: 'file_id', base64: 'data' } as const

/** Writes media; a video is a file with the format of a video. */
function writeMedia(part: MediaPart, path: Path | undefined, report: FormatReporter): JsonObject {
  const { type, name } = part
  const { kind, content, mediaType } = toMediaContent(part, path, report)
  const format = mediaType ?? (type === 'video' ? 'video/*' : undefined)
  return {
    type: type === 'video' ? 'file' : type,
    [SOURCE_KEYS[kind]]: content,
    ...omitUndefined({ format, name }),
  }
}
