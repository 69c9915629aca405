import { createId, generateId, createTimestamp } from '../../canonical/build/ids-and-timestamps.ts'
import { throwInvalid } from '../../canonical/shape/shape.ts'
import { freezeCopy } from '../../wire/frozen-json.ts'
import { describeType, isObject, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import type {
  NewSession,
  Session,
  SessionChanges,
  SessionPage,
  SessionQuery,
} from '../conversation-storage.ts'
import { conflictError } from '../storage-errors.ts'
import { checkCount, checkList, checkName, checkText } from '../check-input.ts'
import type { SessionRow, RowTransaction, SessionPosition } from '../rows/row-store.ts'
import { openSession, type TenantScope, toSession } from './open-session.ts'
import { unshareDependents } from './unshare.ts'

/** Inserts the row of a new session. */
export async function insertSession(
  rows: RowTransaction,
  scope: TenantScope,
  wanted: NewSession = {},
): Promise<SessionRow> {
  const id = checkName(wanted.id ?? generateId('session', scope.identity), 'id')
  if ((await rows.session(scope.tenant, id)) !== undefined) throw sessionExists()
  const now = createTimestamp(scope.identity)
  const row = {
    key: createId('s'),
    tenant: scope.tenant,
    id,
    title: '',
    labels: [],
    parameters: {},
    createdAt: now,
    updatedAt: now,
    ...checkChanges(wanted),
  }
  await rows.putSession(row)
  return row
}

function sessionExists(): Error {
  return conflictError('A session with this id already exists', 'Use another id, or the existing session.')
}

export async function createSession(
  rows: RowTransaction,
  scope: TenantScope,
  wanted?: NewSession,
): Promise<Session> {
  return toSession({ row: await insertSession(rows, scope, wanted), sections: [] })
}

/** Returns the given changes after checking that they can be stored. */
function checkChanges({ title, labels, parameters }: SessionChanges): Partial<SessionRow> {
  return {
    ...(title !== undefined && { title: checkText(title, 'title') }),
    ...(labels !== undefined && { labels: checkLabels(labels) }),
    ...(parameters !== undefined && { parameters: checkParameters(parameters) }),
  }
}

function checkLabels(labels: unknown): readonly string[] {
  const list = checkList(labels, 'labels')
  return [...new Set(list.map((label) => checkName(label, 'labels')))]
}

function checkParameters(parameters: unknown): JsonObject {
  const path = child(undefined, 'parameters')
  if (!isObject(parameters)) return throwInvalid('invalid-type', path, describeType(parameters), 'an object')
  return freezeCopy(parameters as JsonObject, path)
}

export async function getSession(
  rows: RowTransaction,
  scope: TenantScope,
  id: string,
): Promise<Session | undefined> {
  const row = await rows.session(scope.tenant, checkName(id, 'session'))
  return row === undefined ? undefined : toSession({ row, sections: await rows.sections([row.key]) })
}

export async function updateSession(
  rows: RowTransaction,
  scope: TenantScope,
  id: string,
  changes: SessionChanges,
): Promise<Session> {
  const opened = await openSession(rows, scope, id)
  const row = { ...opened.row, ...checkChanges(changes), updatedAt: createTimestamp(scope.identity) }
  await rows.putSession(row)
  return toSession({ ...opened, row })
}

export async function deleteSession(rows: RowTransaction, scope: TenantScope, id: string): Promise<boolean> {
  const row = await rows.session(scope.tenant, checkName(id, 'session'))
  if (row === undefined) return false
  await unshareDependents(rows, row.key)
  await rows.removeSession(row.key)
  return true
}

const MAX_PAGE_SIZE = 1000

/** Maximum number of sessions per page. */
export function resolvePageSize({ limit = 50 }: SessionQuery): number {
  return Math.min(checkCount(limit, 'limit'), MAX_PAGE_SIZE)
}

export async function listSessions(
  rows: RowTransaction,
  scope: TenantScope,
  query: SessionQuery = {},
): Promise<SessionPage> {
  const limit = resolvePageSize(query)
  const found = await rows.sessions({
    tenant: scope.tenant,
    ...(query.search !== undefined && { search: checkText(query.search, 'search').toLowerCase() }),
    ...(query.label !== undefined && { label: checkName(query.label, 'label') }),
    ...(query.cursor !== undefined && { after: parseSessionCursor(query.cursor) }),
    limit: limit + 1,
  })
  const page = found.slice(0, limit)
  const sections = await rows.sections(page.map(({ key }) => key))
  const sessions = page.map((row) =>
    toSession({ row, sections: sections.filter(({ session }) => session === row.key) }),
  )
  const last = page.at(-1)
  return { sessions, ...(found.length > limit && last !== undefined && { cursor: toSessionCursor(last) }) }
}

function toSessionCursor({ updatedAt, key }: SessionPosition): string {
  return `${updatedAt}~${key}`
}

/** Parses a cursor. A cursor contains only a position, so a forged one exposes nothing of another tenant. */
function parseSessionCursor(cursor: string): SessionPosition {
  const [updatedAt, key, ...rest] = checkName(cursor, 'cursor').split('~')
  if (updatedAt !== undefined && key !== undefined && rest.length === 0) return { updatedAt, key }
  return throwInvalid(
    'invalid-value',
    child(undefined, 'cursor'),
    'an invalid cursor',
    'a cursor returned with a page',
  )
}
