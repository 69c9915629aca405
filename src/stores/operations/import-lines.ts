import type { Message } from '../../canonical/model/message.ts'
import { readCanonicalValue, type Shape } from '../../canonical/shape/shape.ts'
import { fromJson } from '../../canonical/stored/stored-form.ts'
import { InterlinguaError } from '../../errors.ts'
import { child } from '../../wire/json-pointer.ts'
import { exportedMessageShape, type ExportHeader, exportHeaderShape } from './export-format.ts'

/** A line with a message, and its number. */
export interface ImportedLine {
  readonly number: number
  readonly section: string
  readonly message: Message
  readonly labels: readonly string[]
}

/** Reads the header of an export. */
export function parseHeaderLine(text: string | undefined): ExportHeader {
  return parseLine(1, text, exportHeaderShape)
}

/** Reads any other line of an export. */
export function parseMessageLine(number: number, text: string): ImportedLine {
  const { section, labels = [], ...stored } = parseLine(number, text, exportedMessageShape)
  return { number, section, labels, message: readLine(number, () => fromJson(stored, 'message')) }
}

function parseLine<T>(number: number, text: string | undefined, shape: Shape<T>): T {
  return readLine(number, () => readCanonicalValue(shape, JSON.parse(text ?? ''), child(undefined, number)))
}

function readLine<T>(number: number, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    throw invalidLine(number, cause)
  }
}

export function invalidLine(number: number, cause?: unknown): InterlinguaError {
  const code = cause instanceof InterlinguaError ? cause.code : 'invalid-value'
  return new InterlinguaError(code, `Line ${number} of the export is invalid: ${describeCause(cause)}`, {
    path: `/${number}`,
    hint: 'Pass all lines of exportSession() unchanged and in order.',
    ...(cause !== undefined && { cause }),
  })
}

/** Describes why a line is invalid. A JSON syntax error is not included, since it would quote the line. */
function describeCause(cause: unknown): string {
  if (cause === undefined) return 'it contradicts the other lines'
  return cause instanceof InterlinguaError ? cause.message : 'it is not JSON'
}

/** Yields the lines that are not blank, in lists of a limited length; the header alone first. */
export async function* splitIntoBatches(
  lines: Iterable<string> | AsyncIterable<string>,
  size: number,
): AsyncGenerator<readonly string[]> {
  let batch: string[] = []
  let isHeader = true
  for await (const line of lines) {
    if (typeof line === 'string' && line.trim() === '') continue
    batch.push(line)
    if (!isHeader && batch.length < size) continue
    isHeader = false
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
