import { loadOptionalPackage } from '../../wire/load-modules.ts'

/** A statement of a `pg` client. */
export interface PostgresStatement {
  readonly text: string
  readonly values?: unknown[]
  /** Name under which the connection keeps the prepared statement. */
  readonly name?: string
  /** Milliseconds after which the client stops waiting for the server. */
  readonly query_timeout?: number
}

/** The part of a `pg` client that is used. */
export interface PostgresClient {
  /** True if statements are sent without waiting for the results of earlier ones. */
  readonly pipeline?: boolean
  query(statement: PostgresStatement): Promise<{ readonly rows: unknown[] }>
  release(error?: boolean): void
  on(event: 'error', listener: (error: Error) => void): unknown
  off(event: 'error', listener: (error: Error) => void): unknown
}

/** The part of a `pg` pool that is used; any compatible object works. */
export interface PostgresPool {
  connect(): Promise<PostgresClient>
  end(): Promise<void>
}

/** Creates a pool; `pg` is loaded only when needed. */
export async function openPostgresPool(
  url: string,
  { connections, connectTimeoutMs }: { readonly connections: number; readonly connectTimeoutMs: number },
): Promise<PostgresPool> {
  const { default: pg } = await loadOptionalPackage('pg', () => import('pg'))
  const options = {
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: Number.isFinite(connectTimeoutMs) ? connectTimeoutMs : 0,
    // Statements of a transaction are sent together. Older versions of `pg` ignore this.
    pipeline: true,
    keepAlive: true,
  }
  const pool = new pg.Pool(options)
  // A broken idle connection is replaced. A broken active one rejects its query.
  pool.on('error', () => undefined)
  // The pool stops listening before the caller gets a connection, which the server may end in between.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}
