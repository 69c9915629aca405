import { createDamagedDataError } from '../storage-errors.ts'

/** A value that can be bound to a statement. */
export type SqlValue = string | number | Uint8Array | null

export type SqlRow = Readonly<Record<string, unknown>>

/**
 * Runs one statement. Values are always bound to `?` parameters. Statements run in the order of the calls. A transaction
 * fails if one of its statements fails, also one whose result is not awaited.
 */
export type SqlExecutor = (text: string, values?: readonly SqlValue[]) => Promise<readonly SqlRow[]>

/** A statement and the values that are bound to it. */
export interface SqlStatement {
  readonly text: string
  readonly values: readonly SqlValue[]
  /** True if the transaction is undone unless the statement returns a row. */
  readonly isConditional?: boolean
}

/** Maximum number of rows or ids in one statement. */
const BATCH_SIZE = 200

/** A statement that changes one table. */
interface PendingWrite {
  readonly table: string
  readonly text: string
  readonly values: readonly SqlValue[]
}

/**
 * The statements of one transaction. Writes are sent without waiting for them, and together if the database can run
 * several as one statement: each round trip and each statement costs more than a row.
 */
export class SqlStatements {
  readonly #sql: SqlExecutor
  readonly #combinesWrites: boolean
  #pending: PendingWrite[] = []

  constructor(sql: SqlExecutor, combinesWrites: boolean) {
    this.#sql = sql
    this.#combinesWrites = combinesWrites
  }

  /** Runs a statement and returns its rows. */
  query(text: string, values: readonly SqlValue[]): Promise<readonly SqlRow[]> {
    this.flush()
    return this.#sql(text, values)
  }

  async select<T>(
    read: (row: SqlRow) => T,
    text: string,
    values: readonly SqlValue[],
  ): Promise<readonly T[]> {
    return (await this.query(text, values)).map(read)
  }

  async selectOne<T>(
    read: (row: SqlRow) => T,
    text: string,
    values: readonly SqlValue[],
  ): Promise<T | undefined> {
    const [row] = await this.query(text, values)
    return row && read(row)
  }

  /** Changes a table. The result is not awaited: a failure fails the transaction. */
  send(table: string, text: string, values: readonly SqlValue[]): void {
    // Statements that are run as one do not see each other's changes.
    if (!this.#combinesWrites || this.#pending.some((each) => each.table === table)) this.flush()
    this.#pending.push({ table, text, values })
    if (!this.#combinesWrites) this.flush()
  }

  /** Sends the writes that were not sent yet. */
  flush(): void {
    const last = this.#pending.pop()
    if (last === undefined) return
    const others = this.#pending
    this.#pending = []
    const first = others.map(({ text }, index) => `w${index} as (${text})`)
    const text = first.length === 0 ? last.text : `with ${first.join(', ')} ${last.text}`
    void this.#sql(text, [...others.flatMap(({ values }) => values), ...last.values])
  }

  /**
   * Inserts rows of one batch; if `key` names the unique columns, existing rows are overwritten. Batches of many rows are
   * to be awaited, so that they do not fill the memory.
   */
  async upsert(
    table: string,
    columns: readonly string[],
    rows: readonly (readonly SqlValue[])[],
    { key, isAwaited = false }: { readonly key?: string; readonly isAwaited?: boolean },
  ): Promise<void> {
    const set = columns.map((name) => `${name} = excluded.${name}`).join(', ')
    const end = key === undefined ? '' : ` on conflict (${key}) do update set ${set}`
    const text = `insert into interlingua_${table} (${columns.join(', ')}) values ${rows.map(formatParameterList).join(', ')}${end}`
    if (isAwaited) await this.query(text, rows.flat())
    else this.send(table, text, rows.flat())
  }

  /** Runs a statement in batches, because the number of its parameters is limited. */
  async inBatches<V, T>(
    values: readonly V[],
    run: (batch: readonly V[]) => Promise<readonly T[]>,
  ): Promise<readonly T[]> {
    if (values.length <= BATCH_SIZE) return values.length === 0 ? [] : run(values)
    const found: T[] = []
    for (let start = 0; start < values.length; start += BATCH_SIZE)
      for (const row of await run(values.slice(start, start + BATCH_SIZE))) found.push(row)
    return found
  }
}

/** Returns a parenthesized list of parameters. */
export function formatParameterList(values: readonly unknown[]): string {
  return `(${values.map(() => '?').join(', ')})`
}

/** Prefixes columns with a table alias. */
export function qualifyColumns(names: readonly string[], table: string): string {
  return names.map((name) => `${table}.${name}`).join(', ')
}

/** Returns a LIKE pattern for texts that contain `text`, with wildcards escaped. */
export function toLikePattern(part: string): string {
  return `%${part.replaceAll(/[\\%_]/g, '\\$&')}%`
}

/** Columns of the last row of a page, in the order of the index that the pages follow. */
export type PagePosition = readonly (string | number)[]

/**
 * Returns the position at the end of a page; throws if it is not after the end of the page before it. In a damaged
 * database, rows can contradict the index that orders them, and the pages would repeat forever.
 */
export function checkPageOrder<T extends PagePosition>(before: PagePosition, end: T): T {
  const different = end.findIndex((value, index) => value !== before[index])
  const [from = '', to = ''] = [before[different], end[different]]
  const isInOrder =
    typeof from === 'number'
      ? from < Number(to)
      : Buffer.compare(Buffer.from(from), Buffer.from(String(to))) < 0 // as databases compare text
  if (!isInOrder) throw createDamagedDataError('An index of the database does not match its table')
  return end
}
