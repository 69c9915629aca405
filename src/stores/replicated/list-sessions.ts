import { throwInvalid } from '../../canonical/shape/shape.ts'
import { child } from '../../wire/json-pointer.ts'
import type { ConversationStorage, Session, SessionPage, SessionQuery } from '../conversation-storage.ts'
import { resolvePageSize } from '../operations/sessions.ts'

/** Where a list stands: at which storage, and where there. */
interface ListPosition {
  readonly storageIndex: number
  readonly cursor: string | undefined
}

/** The sessions of the first storage, then those that only the next one has, and so on. */
export async function listReplicatedSessions(
  all: readonly ConversationStorage[],
  query: SessionQuery,
  onError: (error: unknown) => void = () => undefined,
): Promise<SessionPage> {
  const limit = resolvePageSize(query)
  const sessions: Session[] = []
  const errors: unknown[] = []
  let position: ListPosition | undefined = parseListCursor(query.cursor, all.length)
  let rest: ListPosition | undefined
  while (position !== undefined) {
    // One more is looked for, to know whether there is another page.
    const wanted = limit - sessions.length || 1
    const page: SessionPage = await readPage(all, position, { ...query, limit: wanted }, errors)
    const fresh = await filterUnknown(all.slice(0, position.storageIndex), page.sessions)
    if (sessions.length === limit && fresh.length > 0) {
      rest = position
      break
    }
    sessions.push(...fresh)
    position = nextPosition(position, page, all.length)
  }
  if (errors.length === all.length) throw errors[0]
  errors.forEach(onError)
  return { sessions, ...(rest !== undefined && { cursor: `${rest.storageIndex}:${rest.cursor ?? ''}` }) }
}

/** A page of one storage; one that fails has none. */
async function readPage(
  all: readonly ConversationStorage[],
  { storageIndex, cursor }: ListPosition,
  { cursor: _cursor, ...query }: SessionQuery,
  errors: unknown[],
): Promise<SessionPage> {
  const asked = all[storageIndex]?.sessions({ ...query, ...(cursor !== undefined && { cursor }) })
  return (asked ?? Promise.resolve({ sessions: [] })).catch((error: unknown) => {
    errors.push(error)
    return { sessions: [] }
  })
}

async function filterUnknown(
  earlier: readonly ConversationStorage[],
  sessions: readonly Session[],
): Promise<readonly Session[]> {
  const fresh: Session[] = []
  for (const session of sessions) {
    const holders = await Promise.all(
      earlier.map((storage) => storage.session(session.id).catch(() => undefined)),
    )
    if (holders.every((holder) => holder === undefined)) fresh.push(session)
  }
  return fresh
}

function nextPosition(
  { storageIndex }: ListPosition,
  { cursor }: SessionPage,
  count: number,
): ListPosition | undefined {
  if (cursor !== undefined) return { storageIndex, cursor }
  return storageIndex + 1 < count ? { storageIndex: storageIndex + 1, cursor } : undefined
}

function parseListCursor(cursor: string | undefined, count: number): ListPosition {
  if (cursor === undefined) return { storageIndex: 0, cursor }
  const [, layer = '', rest = ''] = /^(\d+):(.*)$/s.exec(cursor) ?? []
  if (layer !== '' && Number(layer) < count)
    return { storageIndex: Number(layer), cursor: rest === '' ? undefined : rest }
  return throwInvalid('invalid-value', child(undefined, 'cursor'), 'another text', 'the cursor of a page')
}
