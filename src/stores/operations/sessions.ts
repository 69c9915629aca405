import { createId, freshId, timestamp } from '../../canonical/build/identity.ts'
import { fail } from '../../canonical/shape/shape.ts'
import { frozenCopy } from '../../wire/frozen.ts'
import { describe, isObject, type JsonObject } from '../../wire/json.ts'
import { below } from '../../wire/pointer.ts'
import type { NewSession, Session, SessionChanges, SessionPage, SessionQuery } from '../contract.ts'
import { conflict } from '../failures.ts'
import { checkCount, checkList, checkName, checkText } from '../names.ts'
import type { SessionRow } from '../rows/row.ts'
import type { Rows, SessionMark } from '../rows/rows.ts'
import { openSession, type Scope, sessionOf } from './scope.ts'
import { unshareDependents } from './share.ts'

/** Makes the row of a session that is not there yet. */
export async function addSession(rows: Rows, scope: Scope, wanted: NewSession = {}): Promise<SessionRow> {
  const id = checkName(wanted.id ?? freshId('session', scope.identity), 'id')
  if ((await rows.session(scope.tenant, id)) !== undefined) throw sessionExists()
  const now = timestamp(scope.identity)
  const row = {
    key: createId('s'),
    tenant: scope.tenant,
    id,
    title: '',
    labels: [],
    parameters: {},
    createdAt: now,
    updatedAt: now,
    ...changesOf(wanted),
  }
  await rows.putSession(row)
  return row
}

function sessionExists(): Error {
  return conflict(
    'There is a session of that id already',
    'Choose another id, or use the session that is there.',
  )
}

export async function createSession(rows: Rows, scope: Scope, wanted?: NewSession): Promise<Session> {
  return sessionOf({ row: await addSession(rows, scope, wanted), sections: [] })
}

/** Only what is said, and only if it can be kept. */
function changesOf({ title, labels, parameters }: SessionChanges): Partial<SessionRow> {
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
  const at = below(undefined, 'parameters')
  if (!isObject(parameters)) return fail('invalid-type', at, describe(parameters), 'an object')
  return frozenCopy(parameters as JsonObject, at)
}

export async function getSession(rows: Rows, scope: Scope, id: string): Promise<Session | undefined> {
  const row = await rows.session(scope.tenant, checkName(id, 'session'))
  return row === undefined ? undefined : sessionOf({ row, sections: await rows.sections([row.key]) })
}

export async function updateSession(
  rows: Rows,
  scope: Scope,
  id: string,
  changes: SessionChanges,
): Promise<Session> {
  const opened = await openSession(rows, scope, id)
  const row = { ...opened.row, ...changesOf(changes), updatedAt: timestamp(scope.identity) }
  await rows.putSession(row)
  return sessionOf({ ...opened, row })
}

export async function deleteSession(rows: Rows, scope: Scope, id: string): Promise<boolean> {
  const row = await rows.session(scope.tenant, checkName(id, 'session'))
  if (row === undefined) return false
  await unshareDependents(rows, row.key)
  await rows.removeSession(row.key)
  return true
}

const MAX_PAGE = 1000

/** How many sessions a page has at most. */
export function pageSize({ limit = 50 }: SessionQuery): number {
  return Math.min(checkCount(limit, 'limit'), MAX_PAGE)
}

export async function listSessions(rows: Rows, scope: Scope, query: SessionQuery = {}): Promise<SessionPage> {
  const limit = pageSize(query)
  const found = await rows.sessions({
    tenant: scope.tenant,
    ...(query.search !== undefined && { search: checkText(query.search, 'search').toLowerCase() }),
    ...(query.label !== undefined && { label: checkName(query.label, 'label') }),
    ...(query.cursor !== undefined && { after: markOf(query.cursor) }),
    limit: limit + 1,
  })
  const page = found.slice(0, limit)
  const sections = await rows.sections(page.map(({ key }) => key))
  const sessions = page.map((row) =>
    sessionOf({ row, sections: sections.filter(({ session }) => session === row.key) }),
  )
  const last = page.at(-1)
  return { sessions, ...(found.length > limit && last !== undefined && { cursor: cursorOf(last) }) }
}

function cursorOf({ updatedAt, key }: SessionMark): string {
  return `${updatedAt}~${key}`
}

/** A cursor says where to go on and nothing else: what it may show is the tenant's anyway. */
function markOf(cursor: string): SessionMark {
  const [updatedAt, key, ...rest] = checkName(cursor, 'cursor').split('~')
  if (updatedAt !== undefined && key !== undefined && rest.length === 0) return { updatedAt, key }
  return fail('invalid-value', below(undefined, 'cursor'), 'another text', 'the cursor of a page')
}
