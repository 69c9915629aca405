import type { StreamBackend, StreamBatch, StreamRow } from '../streams/stream-backend.ts'
import { readTextColumn } from './row-columns.ts'
import type { SqlDriver, SqlExecutor, SqlRow, SqlValue } from './sql-driver.ts'
import { formatParameterList } from './sql-statements.ts'

/** Most batches that one read returns. */
const PAGE_SIZE = 64

/** Most expired streams that one transaction removes. */
const REMOVE_SIZE = 100

/** Creates a backend for stream logs on a database. */
export function createSqlStreamBackend(driver: SqlDriver): StreamBackend {
  const clock = `cast(${driver.clockExpression} as bigint)`
  const selectRow = `select s.*, s.lease_expires_at_ms - ${clock} as lease_remaining_ms from interlingua_streams s`
  const isKept = `s.expires_at_ms > ${clock}`
  const isLatest = 's.tenant = ? and s.topic = ? order by s.position desc limit 1'

  async function selectOne(
    sql: SqlExecutor,
    condition: string,
    values: readonly SqlValue[],
  ): Promise<StreamRow | undefined> {
    const [row] = await sql(`${selectRow} where ${condition}`, values)
    return row && readStreamRow(row)
  }

  /** Removes streams with their batches; returns the number of streams. */
  async function removeStreams(
    sql: SqlExecutor,
    condition: string,
    values: readonly SqlValue[],
  ): Promise<number> {
    const text = `delete from interlingua_streams where id in
      (select s.id from interlingua_streams s where ${condition} limit ${REMOVE_SIZE}) returning id`
    const ids = (await sql(text, values)).map((row) => readTextColumn(row, 'id'))
    if (ids.length > 0)
      await sql(`delete from interlingua_stream_batches where stream in ${formatParameterList(ids)}`, ids)
    return ids.length
  }

  /** Removes streams in several transactions, so that none takes long. */
  async function removeAll(condition: string, values: readonly SqlValue[]): Promise<number> {
    for (let count = 0; ;) {
      const removed = await driver.write((sql) => removeStreams(sql, condition, values))
      count += removed
      if (removed < REMOVE_SIZE) return count
    }
  }

  return {
    open: (stream, { leaseMs, retentionMs }, replaced) =>
      driver.write(async (sql) => {
        const { id, tenant, topic, holder, dataKey } = stream
        const before = await selectOne(sql, `${isLatest}${driver.rowLockClause}`, [tenant, topic])
        if (before?.status === 'active') {
          if (before.id !== replaced && before.leaseRemainingMs > 0) return before
          await sql(`update interlingua_streams set status = 'interrupted' where id = ?`, [before.id])
        }
        const added = await sql(
          `insert into interlingua_streams (id, tenant, topic, position, holder, status, code, first_event,
            last_event, is_stop_requested, data_key, lease_expires_at_ms, expires_at_ms)
          select ?, ?, ?, coalesce(max(s.position), 0) + 1, ?, 'active', null, 1, 0, 0, ?, ${clock} + ?, ${clock} + ?
          from interlingua_streams s where s.tenant = ? and s.topic = ? on conflict do nothing returning id`,
          [id, tenant, topic, holder, dataKey, leaseMs, retentionMs, tenant, topic],
        )
        // Another process has opened a stream of the topic at the same time.
        return added.length > 0 ? undefined : selectOne(sql, isLatest, [tenant, topic])
      }),

    latest: (tenant, topic) =>
      driver.read(async (sql) => {
        const row = await selectOne(sql, `${isKept} and ${isLatest}`, [tenant, topic])
        return row
      }),

    read: (tenant, id, firstEvent) =>
      driver.read(async (sql) => {
        const row = await selectOne(sql, `s.id = ? and s.tenant = ? and ${isKept}`, [id, tenant])
        if (row === undefined) return undefined
        const text = `select first_event, last_event, body from interlingua_stream_batches
          where stream = ? and last_event >= ? order by last_event limit ${PAGE_SIZE}`
        return { row, batches: (await sql(text, [id, firstEvent])).map(readBatch) }
      }),

    update: (id, { tenant, batch, firstEvent, lastEvent, status, code, leaseMs, retentionMs }) =>
      driver.write(async (sql) => {
        // A repeated write finds the stream as it left it.
        const [row] = await sql(
          `update interlingua_streams set first_event = ?, last_event = ?, status = ?, code = ?,
            lease_expires_at_ms = ${clock} + ?, expires_at_ms = ${clock} + ?
          where id = ? and tenant = ? and (status = 'active' or (status = ? and last_event = ?)) returning is_stop_requested`,
          [firstEvent, lastEvent, status, code, leaseMs, retentionMs, id, tenant, status, lastEvent],
        )
        if (row === undefined) return undefined
        if (batch !== undefined) {
          await sql(
            `insert into interlingua_stream_batches (stream, first_event, last_event, body) values (?, ?, ?, ?)
            on conflict do nothing`,
            [id, batch.firstEvent, batch.lastEvent, batch.body],
          )
          await sql('delete from interlingua_stream_batches where stream = ? and last_event < ?', [
            id,
            firstEvent,
          ])
        }
        return { isStopRequested: Number(row['is_stop_requested']) !== 0 }
      }, id),

    requestStop: (tenant, id) =>
      driver.write(async (sql) => {
        await sql('update interlingua_streams set is_stop_requested = 1 where id = ? and tenant = ?', [
          id,
          tenant,
        ])
      }),
    remove: async (tenant, topic) => {
      await removeAll('s.tenant = ? and s.topic = ?', [tenant, topic])
    },
    removeExpired: () => removeAll(`s.expires_at_ms <= ${clock}`, []),
    close: () => driver.close(),
  }
}

function readStreamRow(row: SqlRow): StreamRow {
  const readNullable = (name: string): string | null =>
    row[name] === null ? null : readTextColumn(row, name)
  return {
    id: readTextColumn(row, 'id'),
    tenant: readTextColumn(row, 'tenant'),
    topic: readTextColumn(row, 'topic'),
    holder: readTextColumn(row, 'holder'),
    status: readTextColumn(row, 'status') as StreamRow['status'],
    code: readNullable('code'),
    firstEvent: Number(row['first_event']),
    lastEvent: Number(row['last_event']),
    isStopRequested: Number(row['is_stop_requested']) !== 0,
    dataKey: readNullable('data_key'),
    leaseRemainingMs: Number(row['lease_remaining_ms']),
  }
}

function readBatch(row: SqlRow): StreamBatch {
  return {
    firstEvent: Number(row['first_event']),
    lastEvent: Number(row['last_event']),
    body: readTextColumn(row, 'body'),
  }
}
