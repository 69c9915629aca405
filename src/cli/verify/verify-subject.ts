import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Message } from '../../canonical/model/message.ts'
import type { DialectName } from '../../dialects/engine/dialect.ts'
import type { TranscriptFormatName } from '../../formats/transcript-formats.ts'
import { isObject } from '../../wire/json.ts'
import {
  type BodyFormatName,
  type InputFormatOptions,
  isDialectName,
  isLibraryFormat,
  type LibraryFormatName,
  STORED_FORMAT,
} from '../input/input-format-names.ts'
import { readLibraryMessages } from '../input/library-messages.ts'
import { readTranscript } from '../input/transcripts.ts'
import { recognizeBody } from '../input/recognize-body.ts'
import { readLines, decodeBytes, getLineText } from '../input/bytes-to-text.ts'
import { peekFirstLine } from '../input/peek-input.ts'
import {
  detectLayout,
  detectStreamFormat,
  isStreamArray,
  parseDocumentText,
  parseJsonText,
} from '../input/input-layout.ts'
import { toAbsolutePath, openSource, statInput } from '../input/input-source.ts'
import type { Terminal } from '../command-io.ts'

/** A document to verify: a body, the text of a stream, or messages of a library or a transcript. */
export type VerifySubject =
  | {
      readonly kind: 'request' | 'response' | 'stored'
      readonly name: BodyFormatName
      readonly wire: unknown
    }
  | { readonly kind: 'stream'; readonly name: DialectName; readonly wire: string }
  | { readonly kind: 'messages'; readonly name: LibraryFormatName; readonly messages: readonly Message[] }
  | {
      readonly kind: 'transcript'
      readonly name: TranscriptFormatName
      readonly messages: readonly Message[]
    }

/** A subject or an error, and its location. Both are absent for a recorded exchange in an unknown format. */
export interface LocatedSubject {
  readonly location: string
  readonly subject?: VerifySubject
  readonly error?: unknown
}

const CONVERSATION_FILE_NAME = /\.(json|jsonl|ndjson|parquet|sse)$/i

/** Yields a file, or all conversation files of a folder recursively, in a stable order. */
export async function* listConversationFiles(
  path: string,
  terminal: Terminal,
): AsyncGenerator<string, void, undefined> {
  if (!(await statInput(path, terminal)).isDirectory()) return yield path
  const entries = await readdir(toAbsolutePath(path, terminal), { withFileTypes: true })
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.isDirectory()) yield* listConversationFiles(join(path, entry.name), terminal)
    else if (entry.isFile() && CONVERSATION_FILE_NAME.test(entry.name)) yield join(path, entry.name)
  }
}

/** Yields every document of a file that can be verified. */
export async function* readSubjects(
  path: string,
  options: InputFormatOptions,
  terminal: Terminal,
): AsyncGenerator<LocatedSubject, void, undefined> {
  const { name, bytes } = await openSource(path, terminal)
  const peeked = await peekFirstLine(bytes)
  const layout = detectLayout(peeked, name, options)
  if (layout === 'lines') {
    for await (const line of readLines(peeked.bytes, terminal.signal))
      yield* locateSubjects(`${name}:${line.lineNumber}`, () =>
        expandRecordedExchange(parseJsonText(getLineText(line)), options),
      )
    return
  }
  const text = await decodeBytes(peeked.bytes)
  yield* locateSubjects(name, () => {
    const value = layout === 'stream' ? undefined : parseDocumentText(text, options)
    const isStream = layout === 'stream' || isStreamArray(value, text, options)
    return isStream ? [toStreamSubject(text, options)] : expandRecordedExchange(value, options)
  })
}

function* locateSubjects(
  location: string,
  act: () => readonly VerifySubject[],
): Generator<LocatedSubject, void, undefined> {
  try {
    const subjects = act()
    for (const subject of subjects) {
      yield { location: subjects.length === 1 ? location : `${location} (${subject.kind})`, subject }
    }
    if (subjects.length === 0) yield { location }
  } catch (error) {
    yield { location, error }
  }
}

/** Returns a body, or the bodies of a recorded exchange `{ dialect, request, response, stream }`. */
function expandRecordedExchange(value: unknown, options: InputFormatOptions): readonly VerifySubject[] {
  if (!isObject(value) || typeof value['dialect'] !== 'string' || !('request' in value))
    return [toBodySubject(value, options)]
  const { dialect, request, response, stream, status } = value
  if (!isDialectName(dialect) || (typeof status === 'number' && status >= 400)) return []
  return [
    ...(isObject(request) ? [{ kind: 'request', name: dialect, wire: request } as const] : []),
    ...(isObject(response) ? [{ kind: 'response', name: dialect, wire: response } as const] : []),
    ...(typeof stream === 'string' ? [{ kind: 'stream', name: dialect, wire: stream } as const] : []),
  ]
}

function toBodySubject(value: unknown, options: InputFormatOptions): VerifySubject {
  const transcribed = readTranscript(value, options)
  if (transcribed !== undefined)
    return { kind: 'transcript', name: transcribed.name, messages: transcribed.messages }
  const library = readLibraryMessages(value, options)
  if (library !== undefined && isLibraryFormat(library.detected.name))
    return { kind: 'messages', name: library.detected.name, messages: library.messages }
  const { body, detected } = recognizeBody(value, options)
  const { name, kind } = detected
  if (!isDialectName(name)) return { kind: 'stored', name: STORED_FORMAT, wire: body }
  return { kind: kind === 'response' ? 'response' : 'request', name, wire: body }
}

function toStreamSubject(text: string, options: InputFormatOptions): VerifySubject {
  const { name } = detectStreamFormat(text, options)
  return isDialectName(name)
    ? { kind: 'stream', name, wire: text }
    : { kind: 'stored', name: STORED_FORMAT, wire: parseJsonText(text) }
}
