import type { SqlExecutor, SqlRow, SqlStatement, SqlValue } from './sql-statements.ts'
import type { SqlSearchIndex } from './sql-search-index.ts'

export type { SqlExecutor, SqlRow, SqlStatement, SqlValue }

/** How a database runs one statement as a transaction of its own, which takes one round trip. */
export interface SqlSingleWrite {
  /** Query of one row whose evaluation sets what every transaction sets first. */
  readonly settingsQuery: string
  /** Runs a statement that joins `settingsQuery` before it locks a row. It is durable once this resolves. */
  run(text: string, values: readonly SqlValue[], session: string): Promise<readonly SqlRow[]>
}

/** A database that runs the statements of this folder. */
export interface SqlDriver {
  /** Name of the database, such as `sqlite`. */
  readonly backend?: string
  /** Text type with byte-wise comparison. */
  readonly textType: string
  /** Type of binary data. */
  readonly bytesType: string
  /** Clause that locks the rows of a select within a write transaction. */
  readonly rowLockClause: string
  /** True if statements that change different tables can be run as one: `with w as (insert …) update …`. */
  readonly combinesWrites: boolean
  /** Expression for the current time in milliseconds since 1970. */
  readonly clockExpression: string
  /** Statement that selects a row if the table with the bound name exists. */
  readonly tableQuery: string
  /** The index for searches, if the database supports one. */
  readonly search?: SqlSearchIndex
  /** Runs a transaction that changes tables, while no other one does. */
  migrate<T>(act: (sql: SqlExecutor) => Promise<T>): Promise<T>
  /** Runs a transaction that reads a consistent snapshot. */
  read<T>(act: (sql: SqlExecutor) => Promise<T>): Promise<T>
  /**
   * Runs a transaction that is durable once this resolves. Those with the same `session` lock the same row. `act` is called
   * again if the transaction was rolled back to be repeated.
   */
  write<T>(act: (sql: SqlExecutor) => Promise<T>, session?: string): Promise<T>
  /**
   * Runs a transaction that a crash of the machine may undo, until a later one is durable; it need not wait for the disk.
   * Absent if {@link write} is to be used instead.
   */
  writeWithoutSync?<T>(act: (sql: SqlExecutor) => Promise<T>): Promise<T>
  /** Present if the database can check and change several tables in one statement. */
  readonly singleWrite?: SqlSingleWrite
  /**
   * Runs a short transaction whose statements are known before it begins, which takes less time than {@link write}. Returns
   * false without effect if a conditional statement returns no row. Absent if a statement is a round trip.
   */
  writeInOnePiece?(statements: readonly SqlStatement[]): Promise<boolean>
  /** Runs the integrity check of the database itself; returns what it reports, or nothing if it is intact. */
  checkDatabase?(sql: SqlExecutor): Promise<readonly string[]>
  close(): Promise<void>
}
