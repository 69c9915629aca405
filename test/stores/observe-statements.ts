import type { SqliteDatabase } from 'interlingua/stores/sqlite'

type Rows = ReturnType<ReturnType<SqliteDatabase['prepare']>['all']>

/** Returns a database whose statements are run by `run`, which gets their text. */
export function observeStatements(
  database: SqliteDatabase,
  run: (text: string, execute: () => Rows) => Rows,
): SqliteDatabase {
  return {
    exec: (text) => database.exec(text),
    close: () => database.close(),
    prepare(text) {
      const statement = database.prepare(text)
      return { all: (...values) => run(text, () => statement.all(...values)) }
    },
  }
}
