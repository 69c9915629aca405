import type { Citation } from '../../canonical/model/citation.ts'
import type { MediaPart, ToolResultContent, ToolResultPart } from '../../canonical/model/part.ts'
import { type Json, type JsonObject, omitUndefined } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { LossReporter } from './loss-reporter.ts'

/** Converts a tool result to plain data: a single text or JSON value, or else the list of its parts. */
export function toPlainOutput({ content }: ToolResultPart, path: Path, report: LossReporter): Json {
  const known = content.filter((part, index) => {
    if (part.type === 'opaque') report.add('foreign-opaque', child(child(path, 'content'), index))
    return part.type !== 'opaque'
  })
  const [only] = known
  if (known.length === 1 && only?.type === 'text') return only.text
  return known.length === 1 && only?.type === 'json' ? only.value : known.map(toPlainPart)
}

/** Removes the fields of a part that are not shown to a user. */
export function toPlainPart(part: MediaPart | ToolResultContent): JsonObject {
  const { extra: _extra, metadata: _metadata, cache: _cache, signature: _signature, ...content } = part
  if (content.type !== 'text' || content.citations === undefined) return content as unknown as JsonObject
  return { type: content.type, text: content.text, citations: content.citations.map(toPlainCitation) }
}

/** Removes the residue of a citation. */
export function toPlainCitation(citation: Citation): JsonObject {
  if (citation.type === 'opaque') return { ...citation }
  const { extra: _extra, ...rest } = citation
  return rest as unknown as JsonObject
}

/** Returns the fields of a media part that UI protocols send as metadata. */
export function pickMediaDetails({ name, detail, transcript }: MediaPart): {
  readonly [key: string]: string
} {
  return omitUndefined({ name, detail, transcript })
}

/** Converts plain data to text. */
export function stringifyOutput(output: Json): string {
  return typeof output === 'string' ? output : JSON.stringify(output)
}
