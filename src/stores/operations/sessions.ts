import { createId, generateId, createTimestamp } from '../../canonical/build/ids-and-timestamps.ts'
import { freezeCopy } from '../../wire/frozen-json.ts'
import { isObject, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import type {
  NewSession,
  Session,
  SessionChanges,
  SessionPage,
  SessionQuery,
} from '../conversation-storage.ts'
import { createConflictError } from '../storage-errors.ts'
import {
  checkCount,
  checkList,
  checkIdentifier,
  checkText,
  checkTime,
  throwInvalidCursor,
  throwInvalidType,
} from '../check-arguments.ts'
import type { SessionPosition } from '../rows/row-queries.ts'
import type { SectionRow, SessionRow } from '../rows/row-definitions.ts'
import {
  createUpdateTime,
  findSessionRow,
  openSession,
  requireReadable,
  type TenantScope,
  toSession,
} from './open-session.ts'

/** Inserts the row of a new session. */
export async function insertSessionRow(scope: TenantScope, wanted?: NewSession): Promise<SessionRow> {
  const row = await createSessionRow(scope, wanted)
  await scope.rows.putSession(row)
  return row
}

/** Returns the row of a new session; throws if its id is in use. */
export async function createSessionRow(scope: TenantScope, wanted: NewSession = {}): Promise<SessionRow> {
  const { rows, tenant, identity } = scope
  const id = checkIdentifier(wanted.id ?? generateId('session', identity), 'id')
  if ((await rows.session(tenant, id)) !== undefined)
    throw createConflictError(
      'A session with this id already exists',
      'Use another id, or the existing session.',
    )
  const now = createTimestamp(identity)
  const defaults = { title: '', labels: [], parameters: {}, createdAt: now, updatedAt: now }
  return applyChanges({ key: createId('s'), tenant, id, ...defaults }, wanted)
}

export async function createSession(scope: TenantScope, wanted?: NewSession): Promise<Session> {
  return toSession(await insertSessionRow(scope, wanted), [])
}

/** Returns a session with changes after checking that they can be stored. */
function applyChanges(
  { expiresAt: before, ...row }: SessionRow,
  { title, labels, parameters, expiresAt = before }: SessionChanges,
): SessionRow {
  return {
    ...row,
    ...(title !== undefined && { title: checkText(title, 'title') }),
    ...(labels !== undefined && { labels: checkLabels(labels) }),
    ...(parameters !== undefined && { parameters: checkParameters(parameters) }),
    ...(expiresAt !== undefined && expiresAt !== null && { expiresAt: checkTime(expiresAt, 'expiresAt') }),
  }
}

function checkLabels(labels: unknown): readonly string[] {
  return [...new Set(checkList(labels, 'labels').map((label) => checkIdentifier(label, 'labels')))]
}

function checkParameters(parameters: unknown): JsonObject {
  if (!isObject(parameters)) return throwInvalidType('parameters', parameters, 'an object')
  return freezeCopy(parameters as JsonObject, child(undefined, 'parameters'))
}

export async function getSession(scope: TenantScope, id: string): Promise<Session | undefined> {
  const row = await findSessionRow(scope, id)
  return row && toSession(requireReadable(row), await scope.rows.sections([row.key]))
}

export async function updateSession(
  scope: TenantScope,
  id: string,
  changes: SessionChanges,
): Promise<Session> {
  const opened = await openSession(scope, id)
  const row = {
    ...applyChanges(opened.row, changes),
    updatedAt: createUpdateTime(opened.row, scope.identity),
  }
  await scope.rows.putSession(row)
  return toSession(row, opened.sections)
}

const MAX_PAGE_SIZE = 1000

/** Maximum number of sessions per page. */
export function resolvePageSize({ limit = 50 }: SessionQuery): number {
  return Math.min(checkCount(limit, 'limit'), MAX_PAGE_SIZE)
}

export async function listSessions(
  { rows, tenant }: TenantScope,
  query: SessionQuery = {},
): Promise<SessionPage> {
  const limit = resolvePageSize(query)
  const found = await rows.sessions({
    tenant,
    ...(query.search !== undefined && { search: checkText(query.search, 'search').toLowerCase() }),
    ...(query.label !== undefined && { label: checkIdentifier(query.label, 'label') }),
    ...(query.cursor !== undefined && { after: parseSessionCursor(query.cursor) }),
    limit: limit + 1,
  })
  const page = found.slice(0, limit)
  const sections = await rows.sections(page.map(({ key }) => key))
  const sectionsOf = ({ key }: SessionRow): SectionRow[] => sections.filter(({ session }) => session === key)
  const missingKey = page.find(({ fault }) => fault?.error !== undefined)?.fault?.error
  if (missingKey !== undefined) throw missingKey
  // One session that cannot be read does not hide the others; `verify()` reports it.
  const readable = page.filter(({ fault }) => fault?.isUnreadable !== true)
  const sessions = readable.map((row) => toSession(row, sectionsOf(row)))
  const last = page.at(-1)
  return { sessions, ...(found.length > limit && last && { cursor: `${last.updatedAt}~${last.key}` }) }
}

/** Parses a cursor. A cursor contains only a position, so a forged one exposes nothing of another tenant. */
function parseSessionCursor(cursor: string): SessionPosition {
  const [updatedAt, key, ...rest] = checkIdentifier(cursor, 'cursor').split('~')
  if (updatedAt !== undefined && key !== undefined && rest.length === 0) return { updatedAt, key }
  return throwInvalidCursor()
}
