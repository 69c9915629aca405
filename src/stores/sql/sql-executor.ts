/** A value that can be bound to a statement. */
export type SqlValue = string | number | Uint8Array | null

export type SqlRow = Readonly<Record<string, unknown>>

/**
 * Runs one statement. Values are always bound to `?` parameters. Statements run in the order of the calls. A transaction
 * fails if one of its statements fails, also one whose result is not awaited.
 */
export type SqlExecutor = (text: string, values?: readonly SqlValue[]) => Promise<readonly SqlRow[]>
