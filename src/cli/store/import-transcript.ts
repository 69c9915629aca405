import { createId } from '../../canonical/build/ids-and-timestamps.ts'
import type { Transcript } from '../../formats/transcripts/transcript.ts'
import { toSessionLines } from '../../formats/to-session-lines.ts'
import type { ConversationStorage, Session } from '../../stores/conversation-storage.ts'
import { omitUndefined } from '../../wire/json.ts'
import { printNotice, type Terminal } from '../command-io.ts'
import { describeIssues } from '../input/transcripts.ts'
import { escapeControlCharacters } from '../terminal-text.ts'
import { basename } from 'node:path'
import { InterlinguaError } from '../../errors.ts'
import { getDocumentMessages } from '../input/input-document.ts'
import { readDocuments } from '../input/read-documents.ts'
import { openSource } from '../input/input-source.ts'

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

/**
 * Imports the conversation of a file, and returns its id: the most recent session of a transcript, or the first document of any
 * other input.
 */
export async function importConversation(
  file: string,
  storage: ConversationStorage,
  json: boolean,
  terminal: Terminal,
): Promise<string> {
  for await (const { document, error } of readDocuments(await openSource(file, terminal), {}, terminal)) {
    if (document === undefined) throw error
    const { transcript } = document
    if (transcript === undefined) {
      const { id } = await storage.createSession({ title: basename(file) })
      await storage.append(id, getDocumentMessages(document.content))
      return id
    }
    const sessions = await importTranscript(transcript, storage, { json }, terminal)
    const latest = findLatest(sessions)
    if (latest !== undefined) return latest.id
  }
  throw new InterlinguaError('invalid-value', `${file} contains no conversation`, {
    found: 'no messages',
    expected: 'a conversation',
    hint: 'Pass the session file of an agent program, or a stored conversation.',
  })
}

function findLatest(sessions: readonly Session[]): Session | undefined {
  return sessions.toSorted((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1))[0]
}
