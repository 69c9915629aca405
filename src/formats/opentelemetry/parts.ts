import type {
  MediaPart,
  MediaSource,
  ReasoningPart,
  RefusalPart,
  TextPart,
} from '../../canonical/model/part.ts'
import { checkAndFreezePart } from '../../canonical/shape/part.ts'
import { applyResidue, attachResidue } from '../../dialects/engine/residue-slots.ts'
import { type Json, type JsonObject, omitUndefined, readStringOrEmpty } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { type FormatReporter, silentReporter } from '../engine/format-loss-reporter.ts'
import { ASSUMED_PROVIDER, toMediaContent } from '../engine/media-content.ts'
import { readOptionalText, requireText } from '../engine/require-fields.ts'
import type { PartWriter } from '../engine/message-format.ts'
import { TELEMETRY_SLOT } from './constants.ts'

/** The parts that are neither calls nor results. */
export type ContentPart = TextPart | ReasoningPart | RefusalPart | MediaPart

/** Part types by modality; the conventions call a file a document. */
const MODALITIES: readonly (readonly [modality: string, type: MediaPart['type']])[] = [
  ['image', 'image'],
  ['audio', 'audio'],
  ['video', 'video'],
  ['document', 'file'],
]

/** Reads a text, reasoning, a refusal or media; undefined for a part of another type. */
export function readContentPart(wire: JsonObject, path: Path): ContentPart | undefined {
  const part = readFields(wire, path)
  if (part === undefined) return undefined
  return attachResidue(checkAndFreezePart<ContentPart>(part, path), TELEMETRY_SLOT, {}, wire, (unit) =>
    writeContentPart(unit, undefined, silentReporter),
  )
}

function readFields(wire: JsonObject, path: Path): ContentPart | undefined {
  const type = readStringOrEmpty(wire['type'])
  switch (type) {
    case 'text':
    case 'reasoning':
    case 'refusal':
      return { type, text: requireText(wire, 'content', path) }
    case 'blob':
    case 'uri':
    case 'file': {
      const mediaType = readOptionalText(wire, 'mime_type', path)
      const modality = requireText(wire, 'modality', path)
      const source = readSource(type, wire, mediaType, path)
      const transcript = readOptionalText(wire, 'transcript', path)
      return {
        type: MODALITIES.find(([each]) => each === modality)?.[1] ?? 'file',
        source,
        ...omitUndefined({ mediaType: source.kind === 'base64' ? undefined : mediaType, transcript }),
      }
    }
  }
  return undefined
}

function readSource(
  type: 'blob' | 'uri' | 'file',
  wire: JsonObject,
  mediaType: string | undefined,
  path: Path,
): MediaSource {
  if (type === 'uri') return { kind: 'url', url: requireText(wire, 'uri', path) }
  if (type === 'file')
    return { kind: 'id', id: requireText(wire, 'file_id', path), provider: ASSUMED_PROVIDER }
  const data = requireText(wire, 'content', path)
  return { kind: 'base64', data, mediaType: mediaType ?? 'application/octet-stream' }
}

const SOURCE_FIELDS = {
  url: ['uri', 'uri'],
  id: ['file', 'file_id'],
  base64: ['blob', 'content'],
} as const

/** Writes a text, reasoning, a refusal or media; undefined for any other part. */
export const writeContentPart: PartWriter = (part, path, report) => {
  switch (part.type) {
    case 'text':
    case 'reasoning':
    case 'refusal':
      return applyResidue({ type: part.type, content: part.text }, part, TELEMETRY_SLOT)
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
      return applyResidue(writeMedia(part, path, report), part, TELEMETRY_SLOT)
    case 'json':
    case 'opaque':
    case 'tool-call':
    case 'tool-result':
      return undefined
  }
}

function writeMedia(part: MediaPart, path: Path | undefined, report: FormatReporter): JsonObject {
  const { kind, content, mediaType } = toMediaContent(part, path, report)
  if (part.name !== undefined) report.add('media-detail', child(path, 'name'))
  const [type, key] = SOURCE_FIELDS[kind]
  const modality: Json = MODALITIES.find(([, each]) => each === part.type)?.[0] ?? part.type
  return omitUndefined({
    type,
    modality,
    mime_type: mediaType,
    [key]: content,
    transcript: part.transcript,
  }) as JsonObject
}
