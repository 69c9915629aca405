import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { detect } from '../../dialects/detect.ts'
import type { DialectName } from '../../dialects/dialect.ts'
import { isObject } from '../../wire/json.ts'
import { isDialect, recognise, type Told } from '../input/document.ts'
import { linesOf } from '../input/lines.ts'
import { peek } from '../input/peek.ts'
import { parseText, recogniseStream, shapeOf } from '../input/shape.ts'
import { absolute, openSource, type Source, unreadable } from '../input/source.ts'
import { textOfBytes } from '../input/text.ts'
import type { Terminal } from '../terminal.ts'

/** One thing to verify: a body as it came, or the text of a stream. */
export type Subject =
  | { readonly kind: 'request' | 'response'; readonly name: DialectName; readonly wire: unknown }
  | { readonly kind: 'stream'; readonly name: DialectName; readonly wire: string }
  | { readonly kind: 'stored'; readonly wire: unknown }

/** What was found at a place: a subject, a fault, or something that is none of ours. */
export interface Placed {
  readonly place: string
  readonly subject?: Subject
  readonly error?: unknown
}

const NAMES = /\.(json|jsonl|ndjson|sse)$/i

/** A file, or all files below a folder that may hold conversations, in a steady order. */
export async function* filesOf(path: string, terminal: Terminal): AsyncGenerator<string, void, undefined> {
  const at = absolute(path, terminal)
  const found = await stat(at).catch((cause: unknown) => {
    throw unreadable(path, cause)
  })
  if (!found.isDirectory()) return yield path
  const entries = await readdir(at, { withFileTypes: true })
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.isDirectory()) yield* filesOf(join(path, entry.name), terminal)
    else if (entry.isFile() && NAMES.test(entry.name)) yield join(path, entry.name)
  }
}

/** Everything in a file that can be verified. */
export async function* subjectsOf(
  path: string,
  told: Told,
  terminal: Terminal,
): AsyncGenerator<Placed, void, undefined> {
  const source = await openSource(path, terminal)
  const peeked = await peek(source.bytes)
  if (shapeOf(peeked, source.name, told) !== 'lines') {
    yield* wholeSubjects(source, await textOfBytes(peeked.bytes), told)
    return
  }
  for await (const { number, text } of linesOf(peeked.bytes, terminal.signal)) {
    yield* attempt(`${source.name}:${number}`, () => expand(parseText(text), told))
  }
}

function* wholeSubjects({ name }: Source, text: string, told: Told): Generator<Placed, void, undefined> {
  yield* attempt(name, () => {
    const isStream = told.kind === 'stream' || detect(text)[0]?.kind === 'stream'
    return isStream ? [streamSubject(text, told)] : expand(parseText(text), told)
  })
}

function* attempt(place: string, act: () => readonly Subject[]): Generator<Placed, void, undefined> {
  try {
    const subjects = act()
    for (const subject of subjects) {
      yield { place: subjects.length === 1 ? place : `${place} (${subject.kind})`, subject }
    }
    if (subjects.length === 0) yield { place }
  } catch (error) {
    yield { place, error }
  }
}

/** A body by itself, or the bodies of a recorded exchange: `{ dialect, request, response, stream }`. */
function expand(value: unknown, told: Told): readonly Subject[] {
  if (!isObject(value) || typeof value['dialect'] !== 'string' || !('request' in value))
    return [subjectOf(value, told)]
  const { dialect, request, response, stream, status } = value
  if (!isDialect(dialect) || (typeof status === 'number' && status >= 400)) return []
  return [
    ...(isObject(request) ? [{ kind: 'request', name: dialect, wire: request } as const] : []),
    ...(isObject(response) ? [{ kind: 'response', name: dialect, wire: response } as const] : []),
    ...(typeof stream === 'string' ? [{ kind: 'stream', name: dialect, wire: stream } as const] : []),
  ]
}

function subjectOf(value: unknown, told: Told): Subject {
  const { name, kind } = recognise(value, told)
  if (!isDialect(name)) return { kind: 'stored', wire: value }
  return { kind: kind === 'response' ? 'response' : 'request', name, wire: value }
}

function streamSubject(text: string, told: Told): Subject {
  const { name } = recogniseStream(text, told)
  return isDialect(name) ? { kind: 'stream', name, wire: text } : { kind: 'stored', wire: parseText(text) }
}
