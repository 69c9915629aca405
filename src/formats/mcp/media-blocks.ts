import { mediaTypeOf } from '../../canonical/build/media.ts'
import type { MediaPart, MediaSource } from '../../canonical/model/part.ts'
import { throwInvalid } from '../../canonical/shape/shape.ts'
import { getHints } from '../../dialects/engine/residue-slots.ts'
import { type JsonObject, omitUndefined } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { FormatReporter } from '../engine/format-loss-reporter.ts'
import { getPartType } from '../engine/media-content.ts'
import { readOptionalText, requireObject, requireText } from '../engine/require-fields.ts'
import { MCP_SLOT } from './constants.ts'

/** Reads an image, audio, a resource or a link; undefined for another block. */
export function readMediaBlock(block: JsonObject, path: Path): MediaPart | undefined {
  const { type } = block
  if (type === 'image' || type === 'audio') {
    const data = requireText(block, 'data', path)
    return { type, source: { kind: 'base64', data, mediaType: requireText(block, 'mimeType', path) } }
  }
  if (type === 'resource_link') {
    const mediaType = readOptionalText(block, 'mimeType', path)
    return {
      type: getPartType(mediaType),
      source: { kind: 'url', url: requireText(block, 'uri', path) },
      name: requireText(block, 'name', path),
      ...omitUndefined({ mediaType }),
    }
  }
  return type === 'resource' ? readResource(block, path) : undefined
}

/** Reads an embedded resource. Its URI is the name of the part. */
function readResource(block: JsonObject, path: Path): MediaPart {
  const at = child(path, 'resource')
  const resource = requireObject(block['resource'], at, 'a resource')
  const mediaType = readOptionalText(resource, 'mimeType', at)
  const source = readContents(resource, mediaType, at)
  return {
    type: getPartType(mediaType),
    source,
    name: readName(requireText(resource, 'uri', at)),
    ...omitUndefined({ mediaType: source.kind === 'base64' ? undefined : mediaType }),
  }
}

function readContents(resource: JsonObject, mediaType: string | undefined, path: Path): MediaSource {
  const text = readOptionalText(resource, 'text', path)
  if (text !== undefined) return { kind: 'text', text }
  const data = readOptionalText(resource, 'blob', path)
  if (data === undefined) return throwInvalid('missing-field', child(path, 'text'), 'nothing', 'text or blob')
  return { kind: 'base64', data, mediaType: mediaType ?? 'application/octet-stream' }
}

const FILE_URI = 'file:///'

/** Returns the name that {@link writeUri} wrote, and any other URI as it is. */
function readName(uri: string): string {
  const name = uri.startsWith(FILE_URI) ? uri.slice(FILE_URI.length) : ''
  if (name === '' || name.includes('/')) return uri
  try {
    return decodeURIComponent(name)
  } catch {
    return uri
  }
}

function writeUri(name: string): string {
  return /^[a-z][a-z0-9+.-]*:/i.test(name) ? name : `${FILE_URI}${encodeURIComponent(name)}`
}

/** The name of a resource that has none: MCP requires a name or a URI. */
const UNNAMED = 'attachment'

/** Writes media. A message has only images and audio as data; a result also has resources and links. */
export function writeMediaBlock(
  part: MediaPart,
  isResult: boolean,
  path: Path | undefined,
  report: FormatReporter,
): JsonObject | undefined {
  const { type, source, name } = part
  const canBeResource = isResult || getHints(part, MCP_SLOT).resource === true
  if (
    (type === 'image' || type === 'audio') &&
    source.kind === 'base64' &&
    (name === undefined || !canBeResource)
  ) {
    if (name !== undefined) report.add('media-detail', child(path, 'name'))
    return { type, data: source.data, mimeType: source.mediaType }
  }
  if (!canBeResource || source.kind === 'id') {
    report.add('dropped-media', path)
    return undefined
  }
  if (name === undefined) report.add('file-named', path)
  const mimeType = mediaTypeOf(part)
  if (getPartType(mimeType) !== type) report.add('media-detail', child(path, 'type'))
  if (source.kind === 'url')
    return omitUndefined({ type: 'resource_link', uri: source.url, name: name ?? UNNAMED, mimeType })
  const contents = source.kind === 'text' ? { text: source.text } : { blob: source.data }
  const resource = omitUndefined({ uri: writeUri(name ?? UNNAMED), mimeType, ...contents }) as JsonObject
  return { type: 'resource', resource }
}
