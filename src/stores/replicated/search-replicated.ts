import { throwInvalidCursor } from '../check-arguments.ts'
import type { ConversationStorage, SearchPage, SearchQuery } from '../conversation-storage.ts'

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
