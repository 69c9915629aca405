import type { Loss } from '../../canonical/model/loss.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { Detection } from '../../dialects/engine/detect.ts'
import { InterlinguaError } from '../../errors.ts'
import { detectTranscript, fromTranscript, listTranscriptMessages } from '../../formats/from-transcript.ts'
import type { TranscriptFormatName } from '../../formats/transcript-formats.ts'
import type { Transcript } from '../../formats/transcripts/transcript.ts'
import { isObject, type Json } from '../../wire/json.ts'
import { FROM_OPTION_EVIDENCE, type InputFormatOptions, isTranscriptFormat } from './input-format-names.ts'

/** A transcript of an agent program, and the messages of its current branch. */
export interface TranscriptDocument {
  readonly transcript: Transcript
  readonly name: TranscriptFormatName
  readonly messages: readonly Message[]
  readonly detected: Detection
  readonly losses: readonly Loss[]
}

/** Reads a transcript: JSON, or the text of a file of lines. Undefined for any other input. */
export function readTranscript(input: unknown, options: InputFormatOptions): TranscriptDocument | undefined {
  const name = findFormat(input, options)
  if (name === undefined) return undefined
  const transcript = fromTranscript(input, { from: name })
  const { value: messages, losses } = listTranscriptMessages(transcript)
  const evidence = options.from === undefined ? 'records of an agent program' : FROM_OPTION_EVIDENCE
  return { transcript, name, messages, losses, detected: { kind: 'stored', name, certainty: 1, evidence } }
}

/** Returns true for a line of a transcript, so that the file is one document. */
export function isTranscriptLine(value: Json, options: InputFormatOptions): boolean {
  return isObject(value) && findFormat([value], options) !== undefined
}

/** Returns true for text of lines that is a transcript. */
export function isTranscriptText(text: string, options: InputFormatOptions): boolean {
  return findFormat(text, options) !== undefined
}

function findFormat(input: unknown, { from, kind }: InputFormatOptions): TranscriptFormatName | undefined {
  if (from !== undefined && isTranscriptFormat(from)) return from
  // `pi` is also the name of messages without a session.
  if (from === undefined ? kind !== undefined : from !== 'pi') return undefined
  try {
    const name = detectTranscript(input)
    return from === undefined || name === from ? name : undefined
  } catch (error) {
    // Input that cannot be read is reported by the readers of the other formats.
    if (error instanceof InterlinguaError) return undefined
    throw error
  }
}

const MAX_LISTED_ISSUES = 5

/** Describes the lines that could not be used; only the first ones are listed. */
export function describeIssues({ issues }: Transcript): readonly string[] {
  const lines = issues.slice(0, MAX_LISTED_ISSUES).map(({ file, line, code, message }) => {
    const place = file === undefined ? `line ${line}` : `${file}, line ${line}`
    return `${place}: ${code}: ${message}`
  })
  const rest = issues.length - lines.length
  return rest > 0 ? [...lines, `and ${rest} more`] : lines
}
