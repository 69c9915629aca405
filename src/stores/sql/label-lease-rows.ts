import type { RowTransaction } from '../rows/row-store.ts'
import type { LabelRow, LeaseRow } from '../rows/row-definitions.ts'
import { readTextColumn } from './row-columns.ts'
import { readCheckedRow, withChecksum } from './row-checksum.ts'
import {
  checkPageOrder,
  type PagePosition,
  type SqlRow,
  type SqlStatements,
  type SqlValue,
} from './sql-statements.ts'

const LABEL_COLUMNS: readonly string[] = 'session message label checksum'.split(' ')

/** Number of labels that one statement reads: SQLite runs a statement in one piece. */
const LABEL_PAGE_SIZE = 1000

/** Creates the operations on the labels of messages. */
export function createLabelRows(
  statements: SqlStatements,
): Pick<RowTransaction, 'labels' | 'putLabel' | 'removeLabel'> {
  const select = `select ${LABEL_COLUMNS.join()} from interlingua_labels
    where session = ? and (message, label) > (?, ?) order by message, label limit ${LABEL_PAGE_SIZE}`
  return {
    labels: async (session) => {
      const found: LabelRow[] = []
      for (let after: PagePosition = ['', '']; ;) {
        const page = await statements.select(readLabelRow, select, [session, ...after])
        for (const row of page) found.push(row)
        const last = page.at(-1)
        if (last === undefined || page.length < LABEL_PAGE_SIZE) return found
        after = checkPageOrder(after, [last.message, last.label])
      }
    },
    putLabel: (row) =>
      statements.upsert('labels', LABEL_COLUMNS, [toLabelValues(row)], { key: 'session, message, label' }),
    removeLabel: async ({ session, message, label }) => {
      const text = 'delete from interlingua_labels where session = ? and message = ? and label = ?'
      statements.send('labels', text, [session, message, label])
    },
  }
}

function toLabelValues({ session, message, label }: LabelRow): readonly SqlValue[] {
  return withChecksum([session, message, label])
}

/** Reads a label; one that is damaged has a `fault`. */
export function readLabelRow(row: SqlRow): LabelRow {
  return readCheckedRow(LABEL_COLUMNS, row, (text) => ({
    session: text('session'),
    message: text('message'),
    label: text('label'),
  }))
}

const LEASE_COLUMNS: readonly string[] =
  'session token holder acquired_at_ms expires_at_ms is_release_requested'.split(' ')

/** Creates the operations on the leases of sessions. */
export function createLeaseRows(
  statements: SqlStatements,
): Pick<RowTransaction, 'lease' | 'putLease' | 'removeLease'> {
  return {
    lease: (session) =>
      statements.selectOne(
        readLeaseRow,
        `select ${LEASE_COLUMNS.join()} from interlingua_leases where session = ?`,
        [session],
      ),
    putLease: (row) => statements.upsert('leases', LEASE_COLUMNS, [toLeaseValues(row)], { key: 'session' }),
    removeLease: async (session) =>
      statements.send('leases', 'delete from interlingua_leases where session = ?', [session]),
  }
}

function toLeaseValues(row: LeaseRow): readonly SqlValue[] {
  const { session, token, holder, acquiredAtMs, expiresAtMs, isReleaseRequested } = row
  return [session, token, holder, acquiredAtMs, expiresAtMs, Number(isReleaseRequested)]
}

function readLeaseRow(row: SqlRow): LeaseRow {
  return {
    session: readTextColumn(row, 'session'),
    token: readTextColumn(row, 'token'),
    holder: readTextColumn(row, 'holder'),
    acquiredAtMs: Number(row['acquired_at_ms']),
    expiresAtMs: Number(row['expires_at_ms']),
    isReleaseRequested: Number(row['is_release_requested']) === 1,
  }
}
