import type { ToolResultContent, ToolResultPart } from '../../canonical/model/part.ts'
import { checkAndFreezePart } from '../../canonical/shape/part.ts'
import { getBlockText, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { toPlainPart } from '../shared/to-plain-output.ts'
import type { FormatReporter } from './format-loss-reporter.ts'

/** The content of a tool result as plain data. */
export interface PlainContent {
  /** The text or the data of a result that consists of one text or one JSON value; undefined for other content. */
  readonly value: Json | undefined
  /** The parts in canonical form, without fields that only the library needs. */
  readonly parts: readonly JsonObject[]
}

/** Converts the content of a tool result to plain data; blocks of unknown type are omitted. */
export function toPlainContent(
  { content }: ToolResultPart,
  path: Path | undefined,
  report: FormatReporter,
): PlainContent {
  const known = content.filter((part, index) => {
    if (part.type === 'opaque') report.add('foreign-opaque', child(child(path, 'content'), index))
    return part.type !== 'opaque'
  })
  const [only] = known
  return { value: known.length === 1 ? getSingleValue(only) : undefined, parts: known.map(toPlainPart) }
}

/** A text with citations, and data that is a text, would be read as something else: they have no single value. */
function getSingleValue(part: ToolResultContent | undefined): Json | undefined {
  if (part?.type === 'text' && part.citations === undefined) return part.text
  return part?.type === 'json' && typeof part.value !== 'string' ? part.value : undefined
}

/** Converts plain content to text, for formats that have only text in results. */
export function stringifyContent({ value, parts }: PlainContent): string {
  if (typeof value === 'string') return value
  if (value !== undefined) return JSON.stringify(value)
  const isText = parts.every((part) => part['type'] === 'text')
  return isText ? parts.map(getBlockText).join('\n') : JSON.stringify(parts)
}

/** Reads the parts that {@link toPlainContent} wrote; undefined for a value that is no list of parts. */
export function readPlainContent(
  value: Json | undefined,
  path: Path,
): readonly ToolResultContent[] | undefined {
  if (!Array.isArray(value) || !value.every(isObject)) return undefined
  return value.map((part, index) =>
    checkAndFreezePart(part as unknown as ToolResultContent, child(path, index)),
  )
}

/** Writes the content of a result as one text, for formats whose results are a text; media is omitted. */
export function writeTextResult(
  result: ToolResultPart,
  path: Path | undefined,
  report: FormatReporter,
): string {
  if (result.isError) report.add('error-as-text', path)
  const texts = result.content.flatMap((part, index): readonly string[] => {
    const at = child(child(path, 'content'), index)
    switch (part.type) {
      case 'text':
        if (result.content.length > 1) report.add('texts-concatenated', child(at, 'text'))
        return [part.text]
      case 'json':
        report.add('json-as-text', at)
        return [JSON.stringify(part.value)]
      case 'opaque':
        report.add('foreign-opaque', at)
        return []
      case 'image':
      case 'audio':
      case 'video':
      case 'file':
        report.add('dropped-media', at)
        return []
    }
  })
  return texts.join('\n')
}
