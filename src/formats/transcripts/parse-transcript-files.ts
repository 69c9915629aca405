import { InterlinguaError } from '../../errors.ts'
import { freezeCopy } from '../../wire/frozen-json.ts'
import { getOwnValue, isObject, type Json, tryParseJson } from '../../wire/json.ts'
import { toPlainInput } from '../engine/to-plain-input.ts'
import type { RecordLocation, TranscriptFile, TranscriptIssue, TranscriptRecord } from './transcript.ts'

/** A file that was parsed: its records, which are its lines, the items of its list, or its only object. */
export interface RecordFile {
  readonly path: string
  readonly records: readonly TranscriptRecord[]
  /** True for a JSON document, false for lines. */
  readonly isDocument: boolean
}

/**
 * Parses the input of a transcript: the text of a file, its parsed JSON, a list of files, or an object with `files`. Lines that
 * are no JSON objects become issues.
 */
export function parseTranscriptFiles(input: unknown, issues: TranscriptIssue[]): readonly RecordFile[] {
  if (typeof input === 'string') return [parseFile(undefined, input, issues)]
  const given = toPlainInput(input)
  const files = listFiles(given)
  if (files !== undefined) return files.map(({ path, text }) => parseFile(path, text, issues))
  return [toDocument(undefined, given, issues)]
}

/** Returns the files of an input that is a list of files, or an object with `files`. */
function listFiles(input: Json): readonly TranscriptFile[] | undefined {
  const list = isObject(input) ? getOwnValue(input, 'files') : input
  return Array.isArray(list) && list.length > 0 && list.every(isFile) ? list : undefined
}

function isFile(value: unknown): value is TranscriptFile {
  return isObject(value) && typeof value['path'] === 'string' && typeof value['text'] === 'string'
}

function parseFile(path: string | undefined, text: string, issues: TranscriptIssue[]): RecordFile {
  const whole = tryParseJson(text)
  if (isObject(whole) || Array.isArray(whole)) {
    const copy = tryFreeze(whole, { ...toFile(path), line: 1 }, issues)
    return copy === undefined
      ? { path: path ?? '', records: [], isDocument: true }
      : // A file of lines may have only one line.
        toDocument(path, copy, issues)
  }
  const records: TranscriptRecord[] = []
  let line = 0
  for (const each of splitLines(text)) {
    line += 1
    if (each.trim() === '') continue
    const location = { ...toFile(path), line }
    const parsed = tryParseJson(each)
    if (!isObject(parsed)) {
      issues.push({ ...location, code: 'not-json', message: describeBadLine(parsed) })
      continue
    }
    const record = tryFreeze(parsed, location, issues)
    if (record !== undefined) records.push({ ...location, record })
  }
  return { path: path ?? '', records, isDocument: false }
}

/** Yields the lines of a text without a list of all of them: a transcript may have hundreds of megabytes. */
function* splitLines(text: string): Generator<string, void, undefined> {
  for (let start = 0; start < text.length;) {
    const found = text.indexOf('\n', start)
    const end = found === -1 ? text.length : found
    yield text.slice(start, end)
    start = end + 1
  }
}

function toDocument(path: string | undefined, value: Json, issues: TranscriptIssue[]): RecordFile {
  const items: readonly Json[] = Array.isArray(value) ? value : [value]
  const records = items.flatMap((item, index): readonly TranscriptRecord[] => {
    const location = { ...toFile(path), line: index + 1 }
    if (isObject(item)) return [{ ...location, record: item }]
    issues.push({ ...location, code: 'not-json', message: describeBadLine(item) })
    return []
  })
  return { path: path ?? '', records, isDocument: true }
}

const toFile = (file: string | undefined): { readonly file?: string } => (file === undefined ? {} : { file })

function describeBadLine(parsed: Json | undefined): string {
  return parsed === undefined
    ? 'The line is not valid JSON; it may have been cut off while it was written.'
    : 'The line is no JSON object.'
}

/** Copies untrusted JSON; a value that is nested too deeply becomes an issue. */
function tryFreeze<T extends Json>(
  value: T,
  location: RecordLocation,
  issues: TranscriptIssue[],
): T | undefined {
  try {
    return freezeCopy(value)
  } catch (error) {
    if (!(error instanceof InterlinguaError)) throw error
    issues.push({ ...location, code: error.code, message: error.message })
    return undefined
  }
}
