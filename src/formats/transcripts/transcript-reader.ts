import { addUsage, type Usage } from '../../canonical/model/usage.ts'
import { throwInvalid } from '../../canonical/shape/shape.ts'
import { freezeCopy } from '../../wire/frozen-json.ts'
import { type JsonObject, omitUndefined } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import { withTypedMethods } from '../../wire/typed-errors.ts'
import { describeKeys, type RecordSigns } from '../engine/format-signs.ts'
import { SessionBuilder } from './session-builder.ts'
import {
  MAIN_SECTION,
  type ReadTranscriptOptions,
  type Transcript,
  type TranscriptFormat,
  type TranscriptIssue,
  type TranscriptSession,
} from './transcript.ts'
import { parseTranscriptFiles, type RecordFile } from './parse-transcript-files.ts'

/** The parts of a transcript format that differ from program to program. */
export interface TranscriptReader<Name extends string> {
  readonly name: Name
  readonly signs: RecordSigns
  read(files: readonly RecordFile[], context: TranscriptContext): void
}

/** What the reader of a program needs besides the files. */
export class TranscriptContext {
  readonly issues: TranscriptIssue[]
  readonly #options: ReadTranscriptOptions
  readonly #sessions = new Map<string, SessionBuilder>()

  constructor(issues: TranscriptIssue[], options: ReadTranscriptOptions) {
    this.issues = issues
    this.#options = options
  }

  /** Returns the session with an id. */
  session(id: string): SessionBuilder {
    const found = this.#sessions.get(id) ?? new SessionBuilder(id, this.issues, this.#options)
    this.#sessions.set(id, found)
    return found
  }

  finish(): readonly TranscriptSession[] {
    return joinSubAgents([...this.#sessions.values()].map((session) => session.finish()))
  }
}

/** Builds a transcript format from its reader. */
export function defineTranscriptFormat<Name extends string>(
  reader: TranscriptReader<Name>,
): TranscriptFormat<Name> {
  return withTypedMethods({
    name: reader.name,
    fromTranscript: (input, options = {}) => {
      const issues: TranscriptIssue[] = []
      return readTranscriptFiles(reader, parseTranscriptFiles(input, issues), issues, options)
    },
  })
}

/** Reads parsed files; files without a record of the program are an error. */
export function readTranscriptFiles<Name extends string>(
  reader: TranscriptReader<Name>,
  files: readonly RecordFile[],
  issues: TranscriptIssue[],
  options: ReadTranscriptOptions,
): Transcript<Name> {
  if (countMarkedRecords(reader.signs, files) === 0)
    return throwNoTranscript(files, issues, reader.signs.title)
  const context = new TranscriptContext(issues, options)
  reader.read(files, context)
  return Object.freeze({
    format: reader.name,
    sessions: Object.freeze(context.finish()),
    issues: Object.freeze(issues),
  })
}

/** Returns the number of records that have a mark of a program. */
export function countMarkedRecords({ marks }: RecordSigns, files: readonly RecordFile[]): number {
  let count = 0
  for (const { records } of files)
    for (const { record } of records) if (marks.some(([, test]) => test(record))) count += 1
  return count
}

/** Throws the error for files of no known program, or not of the given one. */
export function throwNoTranscript(
  files: readonly RecordFile[],
  issues: readonly TranscriptIssue[],
  expected: string,
): never {
  const [first] = files.flatMap(({ records }) => records.slice(0, 1))
  if (first === undefined && issues.length > 0)
    return throwInvalid(
      'not-json',
      child(undefined, (issues[0]?.line ?? 1) - 1),
      'text without a JSON object',
      expected,
      'Pass the text of the session file as it is.',
    )
  const found = first === undefined ? 'no records' : `an object with the keys ${describeKeys(first.record)}`
  const hint = 'Pass a session file, or its files as a list of { path, text }.'
  return throwInvalid('unknown-message-format', undefined, found, expected, hint)
}

/**
 * Makes sessions of sub-agents sections of the session that started them, if it is part of the input. Their own metadata is
 * kept under `agents`.
 */
function joinSubAgents(sessions: readonly TranscriptSession[]): readonly TranscriptSession[] {
  const byId = new Map(sessions.map((session) => [session.id, session]))
  const groups = new Map<TranscriptSession, TranscriptSession[]>()
  for (const session of sessions) {
    const root = findRoot(session, byId)
    const group = groups.get(root) ?? []
    groups.set(root, group)
    if (root !== session) group.push(session)
  }
  return [...groups].flatMap(([root, children]) => {
    if (children.length === 0) return [root]
    const ids = [root, ...children].flatMap((each) => listMessageIds(each))
    // Ids are unique in a session: sessions whose messages have the same ids stay separate.
    return new Set(ids).size === ids.length ? [joinSections(root, children)] : [root, ...children]
  })
}

/** Returns the first session in the chain of parents; a session whose parents form a circle is its own. */
function findRoot(
  session: TranscriptSession,
  byId: ReadonlyMap<string, TranscriptSession>,
): TranscriptSession {
  const visited = new Set<TranscriptSession>()
  let root = session
  for (;;) {
    visited.add(root)
    const parent = root.parentSession === undefined ? undefined : byId.get(root.parentSession)
    if (parent === undefined) return root
    if (visited.has(parent)) return session
    root = parent
  }
}

function listMessageIds({ sections }: TranscriptSession): readonly string[] {
  return sections.flatMap(({ messages }) => messages.map(({ id }) => id))
}

function joinSections(root: TranscriptSession, children: readonly TranscriptSession[]): TranscriptSession {
  const agents = children.map((session): JsonObject => {
    const { id, title, workingDirectory, parentSession, createdAt, metadata } = session
    return {
      section: `agent-${id}`,
      ...omitUndefined({ title, workingDirectory, parentSession, createdAt }),
      metadata,
    }
  })
  const usages = [root, ...children].flatMap(({ usage }): readonly Usage[] =>
    usage === undefined ? [] : [usage],
  )
  return Object.freeze({
    ...root,
    metadata: freezeCopy({ ...root.metadata, agents }),
    ...(usages.length > 0 && { usage: addUsage(...usages) }),
    sections: Object.freeze([
      ...root.sections,
      ...children.flatMap(({ id, sections }) =>
        sections.map((section) =>
          Object.freeze({
            ...section,
            name: section.name === MAIN_SECTION ? `agent-${id}` : `agent-${id}-${section.name}`,
          }),
        ),
      ),
    ]),
    records: Object.freeze([root, ...children].flatMap(({ records }) => records)),
  })
}
