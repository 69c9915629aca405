import { createId } from '../../canonical/build/ids-and-timestamps.ts'
import type { Transcript } from '../../formats/transcripts/transcript.ts'
import { toSessionLines } from '../../formats/to-session-lines.ts'
import type { ConversationStorage, Session } from '../../stores/conversation-storage.ts'
import { omitUndefined } from '../../wire/json.ts'
import { printNotice, type Terminal } from '../command-io.ts'
import { describeIssues } from '../input/transcripts.ts'
import { escapeControlCharacters } from '../terminal-text.ts'

interface TranscriptImportOptions {
  readonly title?: string
  readonly json?: boolean
}

/** Imports the sessions of a transcript with their branches and sub-agents, and prints what could not be used. */
export async function importTranscript(
  transcript: Transcript,
  storage: ConversationStorage,
  { title, json }: TranscriptImportOptions,
  terminal: Terminal,
): Promise<readonly Session[]> {
  const printRemark = (text: string): Promise<void> =>
    printNotice(
      terminal,
      json === true ? JSON.stringify({ type: 'remark', text }) : escapeControlCharacters(text),
    )
  for (const issue of describeIssues(transcript)) await printRemark(issue)
  const sessions: Session[] = []
  let recordCount = 0
  for (const session of transcript.sessions) {
    const lines = toSessionLines(session, { format: transcript.format, ...omitUndefined({ title }) })
    // The same file may be imported several times: the id of the session is noted in the parameters.
    sessions.push(await storage.importSession(lines, { id: createId('session') }))
    recordCount += session.records.length
  }
  if (recordCount > 0)
    await printRemark(
      `${recordCount} records of ${transcript.format} are no messages: they were not imported.`,
    )
  return sessions
}
