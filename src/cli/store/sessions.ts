import { InterlinguaError } from '../../errors.ts'
import type { ConversationStorage, Session, SessionQuery } from '../../stores/conversation-storage.ts'
import { truncateToLine, type Colorizer, escapeControlCharacters, formatTable } from '../terminal-text.ts'

/** Every session, page by page, the most recent first. */
export async function* iterateSessions(
  storage: ConversationStorage,
  query: SessionQuery = {},
): AsyncGenerator<Session, void, undefined> {
  let cursor: string | undefined
  do {
    const page = await storage.sessions({ ...query, ...(cursor !== undefined && { cursor }) })
    yield* page.sessions
    cursor = page.cursor
  } while (cursor !== undefined)
}

/** A session by its id or by the beginning of it, if only one begins like that. */
export async function findSession(storage: ConversationStorage, word: string): Promise<Session> {
  const exact = await storage.session(word)
  if (exact !== undefined) return exact
  const found: Session[] = []
  for await (const session of iterateSessions(storage, { search: word }))
    if (session.id.startsWith(word)) found.push(session)
  const [only] = found
  if (only !== undefined && found.length === 1) return only
  throw new InterlinguaError(
    'unknown-session',
    found.length === 0
      ? `There is no conversation ${word}`
      : `${found.length} conversations begin with ${word}`,
    { found: word, expected: 'the id of a conversation', hint: 'interlingua store list shows them.' },
  )
}

/** Sessions as a table. */
export function formatSessions(sessions: readonly Session[], paint: Colorizer): readonly string[] {
  return formatTable(
    sessions.map(({ id, updatedAt, title, labels }) => [
      paint('cyan', escapeControlCharacters(id)),
      updatedAt.slice(0, 16).replace('T', ' '),
      [
        truncateToLine(title === '' ? '(no title)' : title, 60),
        ...labels.map((label) => `#${truncateToLine(label, 20)}`),
      ].join(' '),
    ]),
  )
}
