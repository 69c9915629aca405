import { basename } from 'node:path'
import { InterlinguaError } from '../../errors.ts'
import type { ConversationStorage, Session } from '../../stores/conversation-storage.ts'
import type { Terminal } from '../command-io.ts'
import { getDocumentMessages } from '../input/input-document.ts'
import { readDocuments } from '../input/read-documents.ts'
import { openSource } from '../input/input-source.ts'
import { importTranscript } from '../store/import-transcript.ts'

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
