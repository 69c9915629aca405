import { mediaTypeOf } from '../../canonical/build/media.ts'
import type { MediaPart, MediaSource } from '../../canonical/model/part.ts'
import { checkAndFreezePart } from '../../canonical/shape/part.ts'
import { applyResidue, attachResidue, getHints } from '../../dialects/engine/residue-slots.ts'
import { toBase64 } from '../../wire/base64.ts'
import { getOwnValue, isObject, type Json, type JsonObject, omitUndefined } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { type FormatReporter, silentReporter } from '../engine/format-loss-reporter.ts'
import { getPartType } from '../engine/media-content.ts'
import { readOptionalText, requireText } from '../engine/require-fields.ts'
import { PYDANTIC_SLOT } from './constants.ts'

/** The part types of links. */
const LINK_TYPES: ReadonlyMap<Json | undefined, MediaPart['type']> = new Map([
  ['image-url', 'image'],
  ['audio-url', 'audio'],
  ['video-url', 'video'],
  ['document-url', 'file'],
])

const LINK_KINDS: { readonly [type in MediaPart['type']]: string } = {
  image: 'image-url',
  audio: 'audio-url',
  video: 'video-url',
  file: 'document-url',
}

/** Returns true for an object that is media: a link, data or a stored file. */
export function isMedia({ kind }: JsonObject): boolean {
  return LINK_TYPES.has(kind) || kind === 'binary' || kind === 'uploaded-file'
}

/** Media that was read, and the hints of its form. */
interface ReadMedia {
  readonly part: MediaPart
  readonly hints: { readonly standard?: boolean }
}

/** Reads the fields of media, without residue. */
export function readMediaFields(wire: JsonObject, path: Path): ReadMedia {
  const mediaType = readOptionalText(wire, 'media_type', path)
  const source = readSource(wire, mediaType, path)
  const { vendor_metadata: vendor, data } = wire
  const detail = isObject(vendor) ? getOwnValue(vendor, 'detail') : undefined
  const part = checkAndFreezePart<MediaPart>(
    {
      type: LINK_TYPES.get(wire['kind']) ?? getPartType(mediaType),
      source,
      ...(source.kind !== 'base64' && mediaType !== undefined && { mediaType }),
      ...(typeof detail === 'string' && { detail }),
    },
    path,
  )
  return { part, hints: typeof data === 'string' && /[+/]/.test(data) ? { standard: true } : {} }
}

/** Reads media. */
export function readMedia(wire: JsonObject, path: Path): MediaPart {
  const { part, hints } = readMediaFields(wire, path)
  return attachResidue(part, PYDANTIC_SLOT, hints, wire, (unit) =>
    writeMedia(unit, undefined, silentReporter),
  )
}

function readSource(wire: JsonObject, mediaType: string | undefined, path: Path): MediaSource {
  if (LINK_TYPES.has(wire['kind'])) return { kind: 'url', url: requireText(wire, 'url', path) }
  if (wire['kind'] === 'uploaded-file')
    return {
      kind: 'id',
      id: requireText(wire, 'file_id', path),
      provider: requireText(wire, 'provider_name', path),
    }
  const data = requireText(wire, 'data', path).replaceAll('-', '+').replaceAll('_', '/')
  return { kind: 'base64', data, mediaType: mediaType ?? 'application/octet-stream' }
}

/** Writes media, with what was read of it. */
export function writeMedia(part: MediaPart, path: Path | undefined, report: FormatReporter): JsonObject {
  return applyResidue(writeMediaFields(part, path, report), part, PYDANTIC_SLOT)
}

/** Writes the fields of media. Pydantic has base64 with the alphabet for URLs, and reads both. */
export function writeMediaFields(
  part: MediaPart,
  path: Path | undefined,
  report: FormatReporter,
): JsonObject {
  const { type, source, name, detail } = part
  const mediaType = mediaTypeOf(part)
  if (name !== undefined) report.add('media-detail', child(path, 'name'))
  if (source.kind !== 'url' && getPartType(mediaType) !== type)
    report.add('media-detail', child(path, 'type'))
  return omitUndefined({
    ...writeSource(part, path, report),
    media_type: mediaType ?? (source.kind === 'text' ? 'text/plain' : undefined),
    vendor_metadata: detail === undefined ? undefined : { detail },
  })
}

function writeSource(part: MediaPart, path: Path | undefined, report: FormatReporter): JsonObject {
  const { source, type } = part
  switch (source.kind) {
    case 'url':
      return { kind: LINK_KINDS[type], url: source.url }
    case 'id':
      return { kind: 'uploaded-file', file_id: source.id, provider_name: source.provider }
    case 'base64': {
      const isStandard = getHints(part, PYDANTIC_SLOT).standard === true
      return { kind: 'binary', data: isStandard ? source.data : toUrlAlphabet(source.data) }
    }
    case 'text':
      report.add('text-encoded', child(path, 'source'))
      return { kind: 'binary', data: toUrlAlphabet(toBase64(new TextEncoder().encode(source.text))) }
  }
}

function toUrlAlphabet(data: string): string {
  return data.replaceAll('+', '-').replaceAll('/', '_')
}
