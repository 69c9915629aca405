import { createStorage } from 'interlingua/stores'
import pg from 'pg'
import { PostgresDriver } from '../../src/stores/postgres/postgres-driver.ts'
import type { SqlDriver, SqlExecutor, SqlValue } from '../../src/stores/sql/sql-driver.ts'
import { prepareDatabase } from '../../src/stores/sql/migrations.ts'
import { prepareSearchIndex } from '../../src/stores/sql/search-index-rows.ts'
import { createSqlRowStore } from '../../src/stores/sql/sql-row-store.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fillTenants, isWholeTableCheck, runEveryOperation, SIZES } from './every-operation.ts'
import { freshDatabase } from './postgres.ts'

/** A step of a plan as PostgreSQL reports it. */
interface PlanStep {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly Plans?: readonly PlanStep[]
}

function* stepsOf(step: PlanStep): Generator<PlanStep> {
  yield step
  for (const each of step.Plans ?? []) yield* stepsOf(each)
}

/** Number of rows that the scans of a plan visit, those that a filter removes included. */
function countVisitedRows(plan: PlanStep): number {
  let rows = 0
  for (const step of stepsOf(plan)) {
    if (!step['Node Type'].includes('Scan')) continue
    const removed = (step['Rows Removed by Filter'] ?? 0) + (step['Rows Removed by Index Recheck'] ?? 0)
    rows += (step['Actual Rows'] + removed) * step['Actual Loops']
  }
  return rows
}

interface RecordedPlan {
  readonly indexes: readonly string[]
  readonly text: string
  readonly visitedRows: number
  readonly wholeTables: readonly string[]
}

/** A driver that explains every statement of a read before it runs it, and every select of a write. */
function explain(driver: PostgresDriver, plans: RecordedPlan[]): SqlDriver {
  const explaining =
    (sql: SqlExecutor): SqlExecutor =>
    async (text: string, values?: readonly SqlValue[]) => {
      if (/^\s*(select|with recursive|with (recent|s) as)/.test(text) && !isWholeTableCheck(text)) {
        const [row] = await sql(`explain (analyze, format json, timing off) ${text}`, values)
        const [{ Plan: plan }] = (row ?? {})['QUERY PLAN'] as [{ Plan: PlanStep }]
        const scans = [...stepsOf(plan)].filter((step) => step['Node Type'] === 'Seq Scan')
        const wholeTables = scans.map((step) => step['Relation Name'] ?? '')
        const indexes = [...stepsOf(plan)].flatMap((step) => step['Index Name'] ?? [])
        plans.push({ text, indexes, visitedRows: countVisitedRows(plan), wholeTables })
      }
      return sql(text, values)
    }
  const { textType, bytesType, rowLockClause, clockExpression, tableQuery, search } = driver
  return {
    search,
    textType,
    bytesType,
    rowLockClause,
    clockExpression,
    tableQuery,
    combinesWrites: false,
    migrate: (act) => driver.migrate(act),
    read: (act) => driver.read((sql) => act(explaining(sql))),
    write: (act, session) => driver.write((sql) => act(explaining(sql)), session),
    close: () => driver.close(),
  }
}

const plans: RecordedPlan[] = []
let database: Awaited<ReturnType<typeof freshDatabase>>

describe('a PostgreSQL database that was never analysed', () => {
  beforeAll(async () => {
    database = await freshDatabase()
    const driver = await PostgresDriver.open(database.url)
    await prepareDatabase(driver)
    await prepareSearchIndex(driver, { search: true })
    const admin = new pg.Client({ connectionString: database.url })
    await admin.connect()
    for (const table of ['sessions', 'sections', 'messages', 'labels', 'search'])
      await admin.query(`alter table interlingua_${table} set (autovacuum_enabled = false)`)
    await admin.end()
    await fillTenants(createStorage(createSqlRowStore(driver, true)))
    const storage = createStorage(createSqlRowStore(explain(driver, plans), true))
    await runEveryOperation(storage.forTenant('tenant 1'), 's1')
    await storage.close()
  })
  afterAll(() => database.drop())

  test('finds the rows of every statement with an index', () => {
    expect(new Set(plans.map(({ text }) => text)).size).toBeGreaterThan(25)
    expect(plans.filter(({ wholeTables }) => wholeTables.length > 0)).toEqual([])
  })

  test('searches recent messages by their time, and all messages by their words', () => {
    const used = (words: string): ReadonlySet<string> =>
      new Set(plans.filter(({ text }) => text.includes(words)).flatMap(({ indexes }) => indexes))
    const messages = 'interlingua_messages_pkey'
    expect(used('with recent as')).toEqual(new Set(['interlingua_search_recent', messages]))
    expect(used('with s as')).toEqual(new Set(['interlingua_search_tokens', messages]))
  })

  test('visits each message of a session or a tenant a fixed number of times, and none of other tenants', () => {
    const limit = 4 * SIZES.sessions * SIZES.messages
    expect(plans.filter(({ visitedRows }) => visitedRows > limit)).toEqual([])
  })
})
