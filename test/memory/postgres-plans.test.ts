import { createMemoryStore } from 'interlingua/memory'
import { expect, test } from 'vitest'
import { SqlMemoryRows } from '../../src/memory/sql/sql-memory-rows.ts'
import { PostgresDriver } from '../../src/stores/postgres/postgres-driver.ts'
import { prepareDatabase } from '../../src/stores/sql/migrations.ts'
import type { SqlDriver, SqlExecutor } from '../../src/stores/sql/sql-driver.ts'
import { freshDatabase } from '../stores/postgres.ts'

/** A driver that records the plan of every statement before it runs it. */
function explain(driver: PostgresDriver, plans: Map<string, string>): SqlDriver {
  const explaining =
    (sql: SqlExecutor): SqlExecutor =>
    async (text, values) => {
      if (!/^\s*insert/.test(text)) {
        const rows = await sql(`explain ${text}`, values)
        plans.set(text, rows.map((row) => String(row['QUERY PLAN'])).join('\n'))
      }
      return sql(text, values)
    }
  const { textType, bytesType, rowLockClause, clockExpression, tableQuery, combinesWrites } = driver
  return {
    textType,
    bytesType,
    rowLockClause,
    clockExpression,
    tableQuery,
    combinesWrites,
    migrate: (act) => driver.migrate(act),
    read: (act) => driver.read((sql) => act(explaining(sql))),
    write: (act, session) => driver.write((sql) => act(explaining(sql)), session),
    close: () => driver.close(),
  }
}

test('PostgreSQL finds the memories of every statement with an index', async () => {
  const database = await freshDatabase()
  const driver = await PostgresDriver.open(database.url)
  await prepareDatabase(driver)
  const plans = new Map<string, string>()
  const store = createMemoryStore(new SqlMemoryRows(explain(driver, plans)))
  const vector = { model: 'm', values: [1, 0] }
  const memories = Array.from({ length: 300 }, (_, index) => ({
    key: `k${index}`,
    text: `Fact ${index}`,
    vector,
  }))
  for (const tenant of ['a', 'b']) await store.putAll({ tenant, memories })
  const { cursor = '' } = await store.list({ tenant: 'a', limit: 10 })
  await store.list({ tenant: 'a', limit: 10, cursor })
  await store.search({ tenant: 'a', vector })
  await store.search({ tenant: 'a', text: 'fact' })
  await store.delete({ tenant: 'a', key: 'k1' })
  await store.prune()
  await store.forget('a')
  await store.close()
  await database.drop()
  expect(plans.size).toBeGreaterThan(9)
  expect([...plans].filter(([, plan]) => plan.includes('Seq Scan'))).toEqual([])
})
