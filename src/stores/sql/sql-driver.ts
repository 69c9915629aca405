/** A value that can be bound to a statement. */
export type SqlValue = string | number | null

export type SqlRow = Readonly<Record<string, unknown>>

/** Runs one statement. Values are always bound to `?` parameters. */
export type SqlExecutor = (text: string, values?: readonly SqlValue[]) => Promise<readonly SqlRow[]>

/** A database that runs the statements of this folder. */
export interface SqlDriver {
  /** Text type with byte-wise comparison. */
  readonly textType: string
  /** Clause that locks the rows of a select within a write transaction. */
  readonly rowLockClause: string
  /** Locks out other migrations until the transaction ends. */
  lockMigrations(sql: SqlExecutor): Promise<void>
  /** Runs a transaction that reads a consistent snapshot. */
  read<T>(act: (sql: SqlExecutor) => Promise<T>): Promise<T>
  /** Runs a transaction that is durable once this resolves. */
  write<T>(act: (sql: SqlExecutor) => Promise<T>): Promise<T>
  /** Runs the integrity check of the database itself; returns what it reports, or nothing if it is intact. */
  checkDatabase?(sql: SqlExecutor): Promise<readonly string[]>
  close(): Promise<void>
}
