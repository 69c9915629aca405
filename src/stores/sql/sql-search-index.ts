import type { SearchCandidatePage, SearchRowQuery } from '../rows/row-queries.ts'
import type { SearchDocument } from '../search/search-document.ts'
import type { SqlStatement, SqlStatements } from './sql-statements.ts'

/** Rows of a table of an index that contradict other tables. */
export interface InconsistentRows {
  readonly table: string
  /** Column with the positive number that identifies a row. */
  readonly key: string
  readonly condition: string
}

/** How a database finds messages by their tokens. */
export interface SqlSearchIndex {
  /**
   * Statements that create the index: the table `interlingua_search` with one row for each message, whose columns include
   * `message` and `digest`. Removing a message or such a row removes everything from the index.
   */
  readonly createStatements: readonly string[]
  /** True if writers notice at once that another process has created the index; otherwise when they are opened. */
  readonly isNoticedLate: boolean
  /** Tables of the index, and the condition by which rows of each belong to no message or lack their tokens. */
  readonly inconsistentRows: readonly InconsistentRows[]
  /** Adds messages to the index, or replaces their entries if they are not `isNew`. */
  put(statements: SqlStatements, documents: readonly SearchDocument[], isNew: boolean): Promise<void>
  /** Returns a statement that adds new messages once for each row of `source`, if it can be part of another one. */
  toInsertFrom?(source: string, documents: readonly SearchDocument[]): SqlStatement
  search(statements: SqlStatements, query: SearchRowQuery): Promise<SearchCandidatePage>
}
