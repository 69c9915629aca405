import type { Loss } from '../canonical/model/loss.ts'
import type { Message } from '../canonical/model/message.ts'
import { checkOptions } from '../wire/check-options.ts'
import { child } from '../wire/json-pointer.ts'
import { withTypedErrors } from '../wire/typed-errors.ts'
import { throwUnknownMessageFormat } from './engine/detect-format.ts'
import { FormatLossReporter } from './engine/format-loss-reporter.ts'
import { type TranscriptFormatName, transcriptReaders } from './transcript-formats.ts'
import {
  currentBranch,
  type ReadTranscriptOptions,
  type Transcript,
  type TranscriptIssue,
} from './transcripts/transcript.ts'
import { parseTranscriptFiles, type RecordFile } from './transcripts/parse-transcript-files.ts'
import {
  countMarkedRecords,
  readTranscriptFiles,
  throwNoTranscript,
  type TranscriptReader,
} from './transcripts/transcript-reader.ts'

/** Options of {@link fromTranscript}. */
export interface FromTranscriptOptions extends ReadTranscriptOptions {
  /** The program that wrote the files. Default: it is detected. */
  readonly from?: TranscriptFormatName
}

const readerList: readonly TranscriptReader<TranscriptFormatName>[] =
  /* @__PURE__ */ Object.values(transcriptReaders)

/**
 * Reads the session files of an agent program: the text of a file, its parsed JSON, or a list of {@link TranscriptFile} for
 * programs that write several files. All branches and sub-agents are read; records that are no messages are kept. Lines that
 * cannot be read are listed in `issues`, and the others are read.
 *
 * @example
 * const { format, sessions } = fromTranscript(await readFile('session.jsonl', 'utf8'))
 * const messages = currentBranch(sessions[0])
 */
export function fromTranscript(
  input: unknown,
  transcriptOptions: FromTranscriptOptions = {},
): Transcript<TranscriptFormatName> {
  return withTypedErrors(() => {
    checkOptions('fromTranscript()', transcriptOptions, { from: true, newId: Function, now: Function })
    const { from, ...options } = transcriptOptions
    const issues: TranscriptIssue[] = []
    const files = parseTranscriptFiles(input, issues)
    const name = from ?? detectFiles(files)
    if (name === undefined) return throwNoTranscript(files, issues, `a session file of ${listNames()}`)
    if (!Object.hasOwn(transcriptReaders, name))
      return throwUnknownMessageFormat('from', name, Object.keys(transcriptReaders))
    const reader: TranscriptReader<TranscriptFormatName> = transcriptReaders[name]
    return readTranscriptFiles(reader, files, issues, options)
  }, [input, transcriptOptions])
}

const listNames = (): string => Object.keys(transcriptReaders).join(', ')

/** Returns the program that an input was written by; undefined for any other input. */
export function detectTranscript(input: unknown): TranscriptFormatName | undefined {
  return withTypedErrors(() => detectFiles(parseTranscriptFiles(input, [])), [input])
}

/** Returns the program whose marks most records have. */
function detectFiles(files: readonly RecordFile[]): TranscriptFormatName | undefined {
  const counted = readerList.map(({ name, signs }) => ({ name, count: countMarkedRecords(signs, files) }))
  const [best] = counted.filter(({ count }) => count > 0).toSorted((a, b) => b.count - a.count)
  return best?.name
}

/** Returns the messages of the current branch of every session, and reports what else the transcript contains. */
export function listTranscriptMessages({ format, sessions }: Transcript): {
  readonly value: readonly Message[]
  readonly losses: readonly Loss[]
} {
  const reporter = new FormatLossReporter(format)
  const value = sessions.flatMap((session, index) => {
    const branch = currentBranch(session)
    const shown = new Set(branch)
    for (const [position, section] of session.sections.entries())
      for (const [number, message] of section.messages.entries())
        if (!shown.has(message)) reporter.add('branch-omitted', toMessagePath(index, position, number))
    for (const { line } of session.records) reporter.add('session-entry', child(undefined, line - 1))
    return branch
  })
  return { value: Object.freeze(value), losses: Object.freeze(reporter.losses) }
}

const toMessagePath = (session: number, section: number, message: number): ReturnType<typeof child> =>
  ['sessions', session, 'sections', section, 'messages', message].reduce<
    ReturnType<typeof child> | undefined
  >(child, undefined) as ReturnType<typeof child>
