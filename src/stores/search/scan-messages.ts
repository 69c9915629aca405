import { mapInSlices } from '../event-loop-turns.ts'
import type {
  SearchCandidatePage,
  SearchRowQuery,
  SessionPosition,
  TokenConditions,
} from '../rows/row-queries.ts'
import type { RowTransaction } from '../rows/row-store.ts'
import type { SessionRow } from '../rows/row-definitions.ts'
import { CandidateCollector } from './candidate-collector.ts'
import { SearchTokens, toSearchDocument } from './search-document.ts'

const PAGE_SIZE = 200

/** Searches a backend without an index: reads all messages of the tenant, and keeps only those of the page. */
export async function scanMessages(
  rows: RowTransaction,
  query: SearchRowQuery,
): Promise<SearchCandidatePage> {
  const { tenant, tokens } = query
  const names = new SearchTokens(tenant)
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
          const document = toSearchDocument(row, names)
          if (document === undefined) return
          const { timeMs, key } = document
          const candidate = { row, timeMs, position: { time: timeMs, key } }
          if (collector.accepts(candidate) && hasTokens(document.tokens, tokens)) collector.add(candidate)
        })
    after = sessions.at(-1)
  } while (after !== undefined)
  return collector.toPage()
}

/** Tests whether a document has the tokens of a query. */
function hasTokens(tokens: readonly string[], conditions: TokenConditions): boolean {
  const known = new Set(tokens)
  const { required, prefixes, excluded, anyOf } = conditions
  return (
    required.every((token) => known.has(token)) &&
    (anyOf.length === 0 || anyOf.some((token) => known.has(token))) &&
    !excluded.some((token) => known.has(token)) &&
    prefixes.every((prefix) => tokens.some((token) => token.startsWith(prefix)))
  )
}
