/** What a statement may be given. */
export type SqlValue = string | number | null

export type SqlRow = Readonly<Record<string, unknown>>

/** Runs one statement. Values are bound, always: `?` stands for each. */
export type SqlExecutor = (text: string, values?: readonly SqlValue[]) => Promise<readonly SqlRow[]>

/** A database that the statements of this folder run on. */
export interface SqlDriver {
  /** The type of texts, compared by their bytes. */
  readonly textType: string
  /** What a read within a write ends with, so that nobody else writes to the row. */
  readonly rowLockClause: string
  /** Lets nobody else migrate until the transaction ends. */
  lockMigrations(sql: SqlExecutor): Promise<void>
  /** A transaction that reads one state of things. */
  read<T>(act: (sql: SqlExecutor) => Promise<T>): Promise<T>
  /** A transaction that is durable once this resolves. */
  write<T>(act: (sql: SqlExecutor) => Promise<T>): Promise<T>
  close(): Promise<void>
}
