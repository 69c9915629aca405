import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { detect } from '../../dialects/engine/detect.ts'
import type { DialectName } from '../../dialects/engine/dialect.ts'
import { isObject } from '../../wire/json.ts'
import { isDialectName, detectFormat, type InputFormatOptions } from '../input/document.ts'
import { readLines, decodeBytes } from '../input/bytes-to-text.ts'
import { peekFirstLine } from '../input/peek.ts'
import { parseJsonText, detectStreamFormat, detectLayout } from '../input/layout.ts'
import { toAbsolutePath, openSource, type InputSource, unreadableFileError } from '../input/source.ts'
import type { Terminal } from '../command-io.ts'

/** One thing to verify: a body as it came, or the text of a stream. */
export type VerifySubject =
  | { readonly kind: 'request' | 'response'; readonly name: DialectName; readonly wire: unknown }
  | { readonly kind: 'stream'; readonly name: DialectName; readonly wire: string }
  | { readonly kind: 'stored'; readonly wire: unknown }

/** What was found at a place: a subject, a fault, or something that is none of ours. */
export interface LocatedSubject {
  readonly location: string
  readonly subject?: VerifySubject
  readonly error?: unknown
}

const CONVERSATION_FILE_NAME = /\.(json|jsonl|ndjson|sse)$/i

/** A file, or all files below a folder that may hold conversations, in a steady order. */
export async function* listFiles(path: string, terminal: Terminal): AsyncGenerator<string, void, undefined> {
  const at = toAbsolutePath(path, terminal)
  const found = await stat(at).catch((cause: unknown) => {
    throw unreadableFileError(path, cause)
  })
  if (!found.isDirectory()) return yield path
  const entries = await readdir(at, { withFileTypes: true })
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.isDirectory()) yield* listFiles(join(path, entry.name), terminal)
    else if (entry.isFile() && CONVERSATION_FILE_NAME.test(entry.name)) yield join(path, entry.name)
  }
}

/** Everything in a file that can be verified. */
export async function* readSubjects(
  path: string,
  told: InputFormatOptions,
  terminal: Terminal,
): AsyncGenerator<LocatedSubject, void, undefined> {
  const source = await openSource(path, terminal)
  const peeked = await peekFirstLine(source.bytes)
  if (detectLayout(peeked, source.name, told) !== 'lines') {
    yield* readSubjectsOfText(source, await decodeBytes(peeked.bytes), told)
    return
  }
  for await (const { lineNumber, text } of readLines(peeked.bytes, terminal.signal)) {
    yield* locateSubjects(`${source.name}:${lineNumber}`, () =>
      expandRecordedExchange(parseJsonText(text), told),
    )
  }
}

function* readSubjectsOfText(
  { name }: InputSource,
  text: string,
  told: InputFormatOptions,
): Generator<LocatedSubject, void, undefined> {
  yield* locateSubjects(name, () => {
    const isStream = told.kind === 'stream' || detect(text)[0]?.kind === 'stream'
    return isStream ? [toStreamSubject(text, told)] : expandRecordedExchange(parseJsonText(text), told)
  })
}

function* locateSubjects(
  place: string,
  act: () => readonly VerifySubject[],
): Generator<LocatedSubject, void, undefined> {
  try {
    const subjects = act()
    for (const subject of subjects) {
      yield { location: subjects.length === 1 ? place : `${place} (${subject.kind})`, subject }
    }
    if (subjects.length === 0) yield { location: place }
  } catch (error) {
    yield { location: place, error }
  }
}

/** A body by itself, or the bodies of a recorded exchange: `{ dialect, request, response, stream }`. */
function expandRecordedExchange(value: unknown, told: InputFormatOptions): readonly VerifySubject[] {
  if (!isObject(value) || typeof value['dialect'] !== 'string' || !('request' in value))
    return [toBodySubject(value, told)]
  const { dialect, request, response, stream, status } = value
  if (!isDialectName(dialect) || (typeof status === 'number' && status >= 400)) return []
  return [
    ...(isObject(request) ? [{ kind: 'request', name: dialect, wire: request } as const] : []),
    ...(isObject(response) ? [{ kind: 'response', name: dialect, wire: response } as const] : []),
    ...(typeof stream === 'string' ? [{ kind: 'stream', name: dialect, wire: stream } as const] : []),
  ]
}

function toBodySubject(value: unknown, told: InputFormatOptions): VerifySubject {
  const { name, kind } = detectFormat(value, told)
  if (!isDialectName(name)) return { kind: 'stored', wire: value }
  return { kind: kind === 'response' ? 'response' : 'request', name, wire: value }
}

function toStreamSubject(text: string, told: InputFormatOptions): VerifySubject {
  const { name } = detectStreamFormat(text, told)
  return isDialectName(name)
    ? { kind: 'stream', name, wire: text }
    : { kind: 'stored', wire: parseJsonText(text) }
}
