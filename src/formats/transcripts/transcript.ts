import type { IdentityOptions } from '../../canonical/build/ids-and-timestamps.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import type { ErrorCode } from '../../errors.ts'
import { throwWrongType } from '../../canonical/shape/shape.ts'
import { withTypedErrors } from '../../wire/typed-errors.ts'
import { isObject, type JsonObject } from '../../wire/json.ts'

/** The section of a session with the conversation of the user; the other sections are those of sub-agents. */
export const MAIN_SECTION = 'messages'

/**
 * A file of a transcript, for programs that write several files per session.
 *
 * @example
 * const files: TranscriptFile[] = [{ path: 'ui_messages.json', text: '[…]' }]
 */
export interface TranscriptFile {
  /** The path, relative to any folder; its last parts help to recognize the program. */
  readonly path: string
  readonly text: string
}

/** The location of a record in the files. */
export interface RecordLocation {
  /** The path of its file, if files were passed. */
  readonly file?: string
  /** The number of its line, from 1; in a JSON document, the number of the record. */
  readonly line: number
}

/** A record that is no message: events, snapshots, settings, and records of types that are not known. */
export interface TranscriptRecord extends RecordLocation {
  readonly record: JsonObject
}

/** A part of a file that could not be used as it is. The rest of the file was read. */
export interface TranscriptIssue extends RecordLocation {
  /**
   * `not-json`: a line that is no JSON object, such as a line that was cut off; `missing-parent`: the message starts a branch of
   * its own; `cyclic`: the link to the parent was removed; `conflict`: the message has the id of another one, and got a new id;
   * any other code: the record is no valid message, and was kept as a record.
   */
  readonly code: ErrorCode | 'missing-parent'
  readonly message: string
}

/** The messages of one agent. */
export interface TranscriptSection {
  /** `messages`, or the name of a sub-agent. */
  readonly name: string
  /** The id of the last message of the current branch; absent if the section has no messages. */
  readonly head?: string
  /** The messages of all branches, parents before children. `parentId` links them. */
  readonly messages: readonly Message[]
}

/** A session of an agent program. */
export interface TranscriptSession {
  readonly id: string
  readonly title?: string
  /** The folder that the program worked in. */
  readonly workingDirectory?: string
  /** The id of the session that started this one as a sub-agent, if it is not part of the input. */
  readonly parentSession?: string
  /** ISO 8601. */
  readonly createdAt?: string
  /** ISO 8601. */
  readonly updatedAt?: string
  /** Facts about the session, under the names of the program. */
  readonly metadata: JsonObject
  /** The tokens of all answers, on all branches and of all sub-agents. */
  readonly usage?: Usage
  /** The section `messages` first, then one for each sub-agent. */
  readonly sections: readonly TranscriptSection[]
  /** The records that are no messages, in their order. */
  readonly records: readonly TranscriptRecord[]
}

/** The content of the files of an agent program. */
export interface Transcript<Name extends string = string> {
  readonly format: Name
  readonly sessions: readonly TranscriptSession[]
  readonly issues: readonly TranscriptIssue[]
}

/** Options of reading a transcript. Pass `newId` to make the ids of messages without one repeatable. */
export type ReadTranscriptOptions = Pick<IdentityOptions, 'newId' | 'now'>

/**
 * A transcript format: reads the session files of one agent program.
 *
 * @example
 * const { sessions } = claudeCode.fromTranscript(await readFile('session.jsonl', 'utf8'))
 */
export interface TranscriptFormat<Name extends string = string> {
  readonly name: Name
  /** Reads the text of a file, its parsed JSON, or a list of {@link TranscriptFile}. */
  fromTranscript(input: unknown, options?: ReadTranscriptOptions): Transcript<Name>
}

/**
 * Returns the messages of the current branch of a section, from the first one to the head.
 *
 * @example
 * const [session] = fromTranscript(text).sessions
 * const messages = currentBranch(session)
 */
export function currentBranch(
  session: TranscriptSession,
  section: string = MAIN_SECTION,
): readonly Message[] {
  return withTypedErrors(() => {
    if (!isObject(session) || !Array.isArray(session.sections))
      return throwWrongType(session, undefined, 'a session of a transcript')
    return followBranch(session, section)
  }, [session, section])
}

function followBranch(session: TranscriptSession, section: string): readonly Message[] {
  const found = session.sections.find(({ name }) => name === section)
  const byId = new Map(found?.messages.map((message) => [message.id, message]))
  const branch: Message[] = []
  let message = found?.head === undefined ? undefined : byId.get(found.head)
  while (message !== undefined) {
    branch.push(message)
    // A message is removed when it was visited: the links of a value that the caller built may form a circle.
    byId.delete(message.id)
    message = message.parentId === undefined ? undefined : byId.get(message.parentId)
  }
  return Object.freeze(branch.reverse())
}
