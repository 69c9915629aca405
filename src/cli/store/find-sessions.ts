import { InterlinguaError } from '../../errors.ts'
import type { ConversationStorage, Session, SessionQuery } from '../../stores/conversation-storage.ts'
import { truncateToLine, type Colorizer, escapeControlCharacters, formatTable } from '../terminal-text.ts'

/** Yields every session, the most recent first. */
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

export async function findLatestSession(storage: ConversationStorage): Promise<Session | undefined> {
  return (await storage.sessions({ limit: 1 })).sessions[0]
}

/** Returns the session whose id is `word`, or the only one whose id starts with it. */
export async function findSessionByIdPrefix(storage: ConversationStorage, word: string): Promise<Session> {
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
      ? `There is no conversation with the id ${word}`
      : `${found.length} conversation ids start with ${word}`,
    {
      found: word,
      expected: 'the id of one conversation',
      hint: 'Run `interlingua store list` to see the ids.',
    },
  )
}

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
