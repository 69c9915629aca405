import type { MediaPart, Part } from '../../canonical/model/part.ts'
import { applyResidue } from '../../dialects/engine/residue-slots.ts'
import type { Json, JsonObject } from '../../wire/json.ts'
import type { Path } from '../../wire/json-pointer.ts'
import { writeOpaquePart } from './omitted-fields.ts'
import type { FormatReporter } from './format-loss-reporter.ts'

/** How a format with content blocks `{ type: 'text', text }` writes the others. */
interface BlockFormat {
  readonly name: string
  readonly writeMedia: (part: MediaPart, path: Path | undefined, report: FormatReporter) => JsonObject
}

/** Writes a part as a content block; undefined for parts that these formats keep outside of the content. */
export function writeContentBlock(
  part: Part,
  { name, writeMedia }: BlockFormat,
  path: Path | undefined,
  report: FormatReporter,
): JsonObject | undefined {
  switch (part.type) {
    case 'text':
      return applyResidue({ type: 'text', text: part.text }, part, name)
    case 'json':
      report.add('json-as-text', path)
      return { type: 'text', text: JSON.stringify(part.value) }
    case 'opaque':
      return writeOpaquePart(part, name, path, report)
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
      return applyResidue(writeMedia(part, path, report), part, name)
    case 'reasoning':
    case 'refusal':
    case 'tool-call':
    case 'tool-result':
      return undefined
  }
}

/** Returns content in its shortest form: one plain text as it is, and anything else as a list. */
export function shortenContent(blocks: readonly JsonObject[]): Json {
  const [only] = blocks
  if (only === undefined) return ''
  const isText = blocks.length === 1 && only['type'] === 'text' && Object.keys(only).length === 2
  return isText && only['text'] !== '' ? (only['text'] as Json) : blocks
}
