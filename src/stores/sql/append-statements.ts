import type { UnchangedAppend } from '../rows/row-store.ts'
import { MESSAGE_COLUMNS, NUMBER_COLUMNS } from './row-columns.ts'
import type { SqlDriver } from './sql-driver.ts'
import { formatParameterList } from './sql-statements.ts'

/** Largest numbers of messages and of owners in one statement; both are 1 for most appends. */
export const MAX_MESSAGES = 50
export const MAX_OWNERS = 20

const INSERTED_COLUMNS: readonly string[] = [...MESSAGE_COLUMNS, 'tenant']
const TOUCH_SESSION = 'update interlingua_sessions set updated_at = ?, checksum = ?'
const MOVE_HEAD = 'update interlingua_sections set head = ?, checksum = ?'
const INSERT = `insert into interlingua_messages (${INSERTED_COLUMNS.join(', ')})`

/** The statements of an append with certain numbers of messages and owners. */
export interface AppendTexts {
  /** Statements that change the session, the section and the messages. The second one returns a row if all was unchanged. */
  readonly touch: string
  readonly move: string
  readonly insert: string
  /** True if `touch` requires that the database has no index of searches; its name is bound. */
  readonly hasIndexCondition: boolean
  /** Check and write at once; the second part returns a row for each message that was inserted. */
  readonly combined: string
  readonly combinedInsert: string
}

const knownTexts = new WeakMap<SqlDriver, Map<string, AppendTexts>>()

/** Returns the statements of an append; `isIndexed` if the caller also writes the index of searches. */
export function getAppendTexts(driver: SqlDriver, append: UnchangedAppend, isIndexed: boolean): AppendTexts {
  const { messages, owners, lease } = append
  const name = `${messages.length} ${owners.length} ${lease !== undefined} ${isIndexed}`
  const ofDriver = knownTexts.get(driver) ?? new Map<string, AppendTexts>()
  knownTexts.set(driver, ofDriver)
  const known = ofDriver.get(name)
  if (known !== undefined) return known
  const texts = createAppendTexts(driver, append, isIndexed)
  ofDriver.set(name, texts)
  return texts
}

/** The checksum of a row covers all its columns. All rows are locked, so they stay as they are until the commit. */
function createAppendTexts(
  { search, tableQuery, singleWrite, rowLockClause, clockExpression }: SqlDriver,
  { messages, owners, lease }: UnchangedAppend,
  isIndexed: boolean,
): AppendTexts {
  const areIdsNew = `not exists (select 1 from interlingua_messages m
    where m.session in ${formatParameterList(owners)} and m.id in ${formatParameterList(messages)})`
  const isLeaseHeld = `l.token = ? and l.expires_at_ms > ${clockExpression}`
  const hasIndexCondition = !isIndexed && search?.isNoticedLate === true
  const conditions = [
    'key = ? and checksum = ?',
    ...(hasIndexCondition ? [`not exists (${tableQuery})`] : []),
    ...(lease === undefined
      ? []
      : [`exists (select 1 from interlingua_leases l where l.session = ? and ${isLeaseHeld})`]),
    areIdsNew,
  ]
  const check = `select 1 as found from settings cross join interlingua_sessions s
    join interlingua_sections c on c.session = s.key
    ${lease === undefined ? '' : 'join interlingua_leases l on l.session = s.key'}
    where s.key = ? and s.checksum = ? and c.name = ? and c.checksum = ?
    ${lease === undefined ? '' : `and ${isLeaseHeld}`} and ${areIdsNew}
    ${rowLockClause} of s, c${lease === undefined ? '' : ', l'}`
  const types = INSERTED_COLUMNS.map((column) => (NUMBER_COLUMNS.has(column) ? 'cast(? as bigint)' : '?'))
  const typedRow = `(${types.join(', ')})`
  return {
    touch: `${TOUCH_SESSION} where ${conditions.join(' and ')}`,
    move: `${MOVE_HEAD} where session = ? and name = ? and checksum = ? and changes() = 1 returning session`,
    insert: `${INSERT} values ${messages.map(() => formatParameterList(INSERTED_COLUMNS)).join(', ')}`,
    hasIndexCondition,
    combined: `with settings as (${singleWrite?.settingsQuery ?? ''}), unchanged as (${check}),
      touched as (${TOUCH_SESSION} from unchanged where key = ?),
      moved as (${MOVE_HEAD} from unchanged where session = ? and name = ?)`,
    combinedInsert: `${INSERT} select added.* from unchanged, (values ${messages.map(() => typedRow).join(', ')}) added returning key`,
  }
}
