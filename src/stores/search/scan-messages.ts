import { mapInSlices } from '../map-in-slices.ts'
import type {
  RowTransaction,
  SearchCandidatePage,
  SearchRowQuery,
  SessionPosition,
  SessionRow,
} from '../rows/row-store.ts'
import { CandidateCollector, hasTokens } from './candidate-order.ts'
import { toSearchDocument } from './search-document.ts'

const PAGE_SIZE = 200

/** Searches a backend without an index: reads all messages of the tenant, and keeps only those of the page. */
export async function scanMessages(
  rows: RowTransaction,
  query: SearchRowQuery,
): Promise<SearchCandidatePage> {
  const { tenant, tokens } = query
  const collector = new CandidateCollector(query)
  let after: SessionPosition | undefined
  do {
    const sessions: readonly SessionRow[] = await rows.sessions({
      tenant,
      limit: PAGE_SIZE,
      ...(after && { after }),
    })
    for (const session of sessions)
      for await (const page of rows.ownMessages(session.key))
        await mapInSlices(page, (row) => {
          const document = toSearchDocument(row, tenant)
          if (document === undefined || !hasTokens(document.tokens, tokens)) return
          const { timeMs, key } = document
          collector.add({ row, timeMs, position: { time: timeMs, key } })
        })
    after = sessions.at(-1)
  } while (after !== undefined)
  return collector.toPage()
}
