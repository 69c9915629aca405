import { digestText } from '../../wire/digest.ts'
import type { SqlRow, SqlValue } from '../sql/sql-driver.ts'
import { isServerError, toConnectionError } from './postgres-errors.ts'
import type { PostgresClient } from './postgres-pool.ts'

/** Options of a {@link PostgresTransactionExecutor}. */
export interface PostgresTransactionExecutorOptions {
  /** Milliseconds to wait for the result of a statement. */
  readonly answerTimeoutMs: number
  /** True to keep statements prepared on the connection, which saves the server from planning them again. */
  readonly preparedStatements: boolean
}

/** Statements that are prepared: those with few values, which are the frequent ones. */
const MAX_PREPARED_STATEMENTS = 100
const MAX_PREPARED_LENGTH = 4_000
const statementNames = new Map<string, string>()

/** Returns the name of a prepared statement, which is the same in every process; undefined if it is not prepared. */
function getStatementName(text: string): string | undefined {
  const known = statementNames.get(text)
  if (known !== undefined) return known
  if (statementNames.size >= MAX_PREPARED_STATEMENTS || text.length > MAX_PREPARED_LENGTH) return undefined
  const name = `interlingua_${digestText(text).slice(0, 16)}`
  statementNames.set(text, name)
  return name
}

/** Converts `?` to numbered parameters. No statement contains any other question mark. */
function toNumberedParameters(text: string): string {
  let count = 0
  return text.replaceAll('?', () => `$${++count}`)
}

/**
 * The statements of one transaction on a connection. They are sent in order, without waiting for the results of
 * earlier ones if the client supports it. After one has failed, the server rejects the following ones.
 */
export class PostgresTransactionExecutor {
  readonly #client: PostgresClient
  readonly #options: PostgresTransactionExecutorOptions
  readonly #results: Promise<readonly SqlRow[]>[] = []
  #isBroken = false

  constructor(client: PostgresClient, options: PostgresTransactionExecutorOptions) {
    this.#client = client
    this.#options = options
    // A broken connection also rejects its statement. An `error` event without a listener would end the process.
    client.on('error', this.#markBroken)
  }

  readonly #markBroken = (): void => {
    this.#isBroken = true
  }

  /** Sends a statement. Its result need not be awaited: `finish` reports every failure. */
  send(text: string, values?: readonly SqlValue[]): Promise<readonly SqlRow[]> {
    const previous = this.#results.at(-1)
    const result =
      this.#client.pipeline === true || previous === undefined
        ? this.#query(text, values)
        : previous.then(() => this.#query(text, values))
    result.catch(() => undefined) // reported by `finish`
    this.#results.push(result)
    return result
  }

  async #query(text: string, values: readonly SqlValue[] | undefined): Promise<readonly SqlRow[]> {
    const { answerTimeoutMs, preparedStatements } = this.#options
    const name = preparedStatements && values !== undefined ? getStatementName(text) : undefined
    const { rows } = await this.#client.query({
      text: values === undefined ? text : toNumberedParameters(text),
      ...(values !== undefined && { values: [...values] }),
      ...(name !== undefined && { name }),
      ...(Number.isFinite(answerTimeoutMs) && { query_timeout: answerTimeoutMs }),
    })
    return rows as SqlRow[]
  }

  /** Waits for all statements; throws the error of the first one that failed. */
  async finish(): Promise<void> {
    for (const result of this.#results) await result
  }

  /** Ends the transaction without effect and returns its first error: later ones are consequences. */
  async rollBack(error: unknown): Promise<unknown> {
    const failed = (await Promise.allSettled(this.#results)).find(({ status }) => status === 'rejected')
    const first: unknown = failed === undefined ? error : (failed as PromiseRejectedResult).reason
    if (failed !== undefined && !isServerError(first)) this.#isBroken = true
    if (!this.#isBroken) await this.#query('rollback', undefined).catch(this.#markBroken)
    return this.#isBroken ? toConnectionError(first) : first
  }

  /** Gives the connection back; a broken one is closed. */
  release(): void {
    this.#client.off('error', this.#markBroken)
    this.#client.release(this.#isBroken)
  }
}
