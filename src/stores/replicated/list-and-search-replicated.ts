import type {
  ConversationStorage,
  SearchPage,
  SearchQuery,
  Session,
  SessionPage,
  SessionQuery,
} from '../conversation-storage.ts'
import { throwInvalidCursor } from '../check-arguments.ts'
import { resolvePageSize } from '../operations/sessions.ts'

/** The position in a combined list: the storage, and its cursor. */
interface ListPosition {
  readonly storageIndex: number
  readonly cursor: string | undefined
}

/** Lists the sessions of the first storage, then those that only later ones have. */
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
    // One extra session shows whether there is another page.
    const wanted = limit - sessions.length || 1
    const page: SessionPage = await readPage(all, position, { ...query, limit: wanted }, errors)
    const fresh = await filterUnknown(all.slice(0, position.storageIndex), page.sessions)
    if (sessions.length === limit && fresh.length > 0) {
      rest = position
      break
    }
    for (const session of fresh) sessions.push(session)
    position = nextPosition(position, page, all.length)
  }
  if (errors.length === all.length) throw errors[0]
  errors.forEach(onError)
  return { sessions, ...(rest !== undefined && { cursor: `${rest.storageIndex}:${rest.cursor ?? ''}` }) }
}

/** Reads a page of one storage; collects the error and returns an empty page if it fails. */
async function readPage(
  all: readonly ConversationStorage[],
  { storageIndex, cursor }: ListPosition,
  { cursor: _cursor, ...query }: SessionQuery,
  errors: unknown[],
): Promise<SessionPage> {
  const page = all[storageIndex]?.sessions({ ...query, ...(cursor !== undefined && { cursor }) })
  return (page ?? Promise.resolve({ sessions: [] })).catch((error: unknown) => {
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
  const [, index = '', rest = ''] = /^(\d+):(.*)$/s.exec(cursor) ?? []
  if (index !== '' && Number(index) < count)
    return { storageIndex: Number(index), cursor: rest === '' ? undefined : rest }
  return throwInvalidCursor()
}

/**
 * Searches the first storage, or the next one if it fails; the pages of a search come from the same storage. A search in
 * one session uses the first storage that has it.
 */
export async function searchReplicated(
  all: readonly ConversationStorage[],
  query: SearchQuery,
  findHolder: (session: string) => Promise<ConversationStorage | undefined>,
): Promise<SearchPage> {
  if (query?.cursor !== undefined) return searchNextPage(all, query, query.cursor)
  const holder = query?.session === undefined ? undefined : await findHolder(query.session)
  const storages = holder === undefined ? all : [holder, ...all.filter((each) => each !== holder)]
  const errors: unknown[] = []
  for (const storage of storages) {
    try {
      return withStorageIndex(await storage.search(query), all.indexOf(storage))
    } catch (error) {
      errors.push(error)
    }
  }
  throw errors[0]
}

async function searchNextPage(
  all: readonly ConversationStorage[],
  query: SearchQuery,
  given: string,
): Promise<SearchPage> {
  const [, index = '', cursor = ''] = /^(\d{1,4}):(.+)$/s.exec(String(given)) ?? []
  const storage = index === '' ? undefined : all[Number(index)]
  if (storage === undefined) return throwInvalidCursor()
  return withStorageIndex(await storage.search({ ...query, cursor }), Number(index))
}

function withStorageIndex({ hits, cursor }: SearchPage, index: number): SearchPage {
  return { hits, ...(cursor !== undefined && { cursor: `${index}:${cursor}` }) }
}
