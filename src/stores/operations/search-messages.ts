import { type Role, ROLES } from '../../canonical/model/message.ts'
import {
  checkCount,
  checkIdentifier,
  checkTime,
  throwInvalidCursor,
  throwInvalidType,
  throwInvalidValue,
} from '../check-arguments.ts'
import { mapInSlices } from '../event-loop-turns.ts'
import type { SearchHit, SearchPage, SearchQuery } from '../message-search.ts'
import { messageFromRow } from '../rows/row-hash.ts'
import type { SearchCandidate, SearchPosition, SearchRowQuery } from '../rows/row-queries.ts'
import type { RowTransaction } from '../rows/row-store.ts'
import type { NodeRow } from '../rows/row-definitions.ts'
import { matchTerms, scanMessages, type SearchMatch } from '../search/match-terms.ts'
import { type ParsedSearchQuery, parseSearchQuery } from '../search/parse-search-query.ts'
import { SearchTokens, toTokenConditions } from '../search/search-document.ts'
import { getSearchableText } from '../search/searchable-text.ts'
import { type OpenedSession, openSession, type TenantScope } from './open-session.ts'

const DEFAULT_LIMIT = 20
const MAX_LIMIT = 100

/** Number of messages that are read at once, and that one search examines at most. */
const BATCH_SIZE = 200
const MAX_EXAMINED = 2_000

/** A message that matches a query. */
interface Found extends SearchCandidate {
  readonly role: Role
  readonly match: SearchMatch
}

/** A checked query. */
interface SearchPlan {
  readonly query: ParsedSearchQuery
  /** The session in which to search; undefined for all sessions. */
  readonly opened: OpenedSession | undefined
  /** Ids of the sessions of the tenant by key, as far as they were read; undefined for keys of no session. */
  readonly sessionIds: Map<string, string | undefined>
  readonly rowQuery: Omit<SearchRowQuery, 'limit' | 'after'>
  readonly limit: number
  readonly after: SearchPosition | undefined
}

export async function searchMessages(scope: TenantScope, given: SearchQuery): Promise<SearchPage> {
  const plan = await planSearch(scope, given)
  const { rows } = scope
  const found: Found[] = []
  let after = plan.after
  let examined = 0
  let isComplete = false
  // One more hit than wanted shows that there is another page.
  while (found.length <= plan.limit && examined < MAX_EXAMINED && !isComplete) {
    const limit = examined === 0 ? plan.limit + 1 : BATCH_SIZE
    const rowQuery = { ...plan.rowQuery, limit, ...(after && { after }) }
    const { candidates, end } = await (rows.search?.(rowQuery) ?? scanMessages(rows, rowQuery))
    for (const each of await filterVisible(scope, plan, await filterMatching(plan, candidates)))
      found.push(each)
    examined += limit
    after = end
    isComplete = end === undefined
  }
  const page = found.slice(0, plan.limit)
  const end = found.length > plan.limit ? page.at(-1)?.position : after
  return {
    hits: await toHits(scope, plan, page),
    ...(end !== undefined && { cursor: `${end.time}~${end.key}` }),
  }
}

async function planSearch(scope: TenantScope, given: SearchQuery): Promise<SearchPlan> {
  if (typeof given !== 'object' || given === null)
    return throwInvalidType('query', given, 'an object with `query`')
  const query = parseSearchQuery(given.query)
  const { role, tool, after, before, session, limit = DEFAULT_LIMIT, cursor } = given
  if (role !== undefined && !ROLES.includes(role))
    throwInvalidValue('role', 'an unknown role', ROLES.join(', '))
  const opened = session === undefined ? undefined : await openSession(scope, session)
  const owners = opened && listOwners(opened)
  const tokens = toTokenConditions(query, new SearchTokens(scope.tenant), {
    ...(role !== undefined && { role }),
    ...(tool !== undefined && { tool: checkIdentifier(tool, 'tool') }),
    ...(owners !== undefined && { owners }),
  })
  return {
    query,
    opened,
    sessionIds: new Map(opened && [[opened.row.key, opened.row.id]]),
    limit: Math.min(checkCount(limit, 'limit'), MAX_LIMIT),
    after: cursor === undefined ? undefined : parseSearchCursor(cursor),
    rowQuery: {
      tenant: scope.tenant,
      tokens,
      ...(after !== undefined && { fromMs: Date.parse(checkTime(after, 'after')) }),
      ...(before !== undefined && { toMs: Date.parse(checkTime(before, 'before')) }),
    },
  }
}

/** Returns the sessions that own messages of a session: itself, and those that it shares history with. */
function listOwners({ row, sections }: OpenedSession): readonly string[] {
  return [...new Set([row.key, ...sections.flatMap(({ lineage }) => lineage)])]
}

/** Parses a cursor. A cursor contains only a position, so a forged one exposes nothing of another tenant. */
function parseSearchCursor(cursor: string): SearchPosition {
  const [, time = '', key = ''] = /^(\d{1,16})~(.+)$/s.exec(checkIdentifier(cursor, 'cursor')) ?? []
  return key !== '' && Number.isSafeInteger(Number(time)) ? { time: Number(time), key } : throwInvalidCursor()
}

/** Returns the candidates that match the query: an index knows neither phrases nor exact times. */
async function filterMatching(
  { query, rowQuery: { fromMs = 0, toMs = Infinity } }: SearchPlan,
  candidates: readonly SearchCandidate[],
): Promise<readonly Found[]> {
  const inTime = candidates.filter(({ timeMs }) => timeMs >= fromMs && timeMs < toMs)
  const found = await mapInSlices(inTime, (candidate): Found | undefined => {
    try {
      const message = messageFromRow(candidate.row)
      const match = matchTerms(getSearchableText(message), query)
      return match && { ...candidate, role: message.role, match }
    } catch {
      return undefined // one message that cannot be read does not hide the others; `verify()` reports it
    }
  })
  return found.filter((each) => each !== undefined)
}

/** Returns the messages that the session contains, or that any session contains. */
async function filterVisible(
  { rows, tenant }: TenantScope,
  { opened, sessionIds }: SearchPlan,
  found: readonly Found[],
): Promise<readonly Found[]> {
  if (opened !== undefined) return filterContained(opened, found)
  // A session that is being removed or imported has messages, but does not exist.
  for (const { row } of found) {
    if (sessionIds.has(row.session)) continue
    const session = await rows.sessionByKey(row.session)
    sessionIds.set(row.session, session?.tenant === tenant ? session.id : undefined)
  }
  return found.filter(({ row }) => sessionIds.get(row.session) !== undefined)
}

/** Returns the messages that a session contains; of those that it shares, only the path to the fork point. */
async function filterContained(
  { rows, row: session, sections }: OpenedSession,
  found: readonly Found[],
): Promise<readonly Found[]> {
  const visible = new Set(found.filter(({ row }) => row.session === session.key).map(({ row }) => row.key))
  for (const { name, forkPoint } of sections) {
    const shared = found.filter(({ row }) => row.section === name && row.session !== session.key)
    for (const key of await findOnPath(rows, forkPoint, shared)) visible.add(key)
  }
  return found.filter(({ row }) => visible.has(row.key))
}

/** Returns the keys of those messages that are on the path to a message. The path is walked once. */
async function findOnPath(
  rows: RowTransaction,
  end: string | null,
  found: readonly { readonly row: NodeRow }[],
): Promise<ReadonlySet<string>> {
  const onPath = new Set<string>()
  let last = end === null || found.length === 0 ? undefined : await rows.node(end)
  for (const { row } of found.toSorted((a, b) => b.row.depth - a.row.depth)) {
    if (last === undefined) break
    if (row.depth > last.depth) continue
    last = await rows.ancestor(last.key, row.depth)
    if (last?.key === row.key) onPath.add(row.key)
  }
  return onPath
}

async function toHits(
  { rows }: TenantScope,
  { opened, sessionIds }: SearchPlan,
  found: readonly Found[],
): Promise<readonly SearchHit[]> {
  const sessionOf = ({ row }: Found): string => opened?.row.key ?? row.session
  const sections = opened?.sections ?? (await rows.sections([...new Set(found.map(sessionOf))]))
  const current = new Set<string>()
  for (const { session, name, head } of sections) {
    const inSection = found.filter((each) => sessionOf(each) === session && each.row.section === name)
    for (const key of await findOnPath(rows, head, inSection)) current.add(key)
  }
  return found.map((each): SearchHit => {
    const { row, role, timeMs, match } = each
    const session = sessionIds.get(sessionOf(each)) ?? ''
    const time = new Date(timeMs).toISOString()
    const isCurrent = current.has(row.key)
    return { session, section: row.section, message: row.id, role, time, isCurrent, ...match }
  })
}
