import type { SqlRow, SqlValue } from '../sql/sql-driver.ts'
import { isServerError, toConnectionError } from './postgres-errors.ts'
import type { PostgresClient } from './postgres-pool.ts'

/**
 * The statements of one transaction on a connection. They are sent in order, without waiting for the results of
 * earlier ones if the client supports it. After one has failed, the server rejects the following ones.
 */
export class PostgresTransaction {
  readonly #client: PostgresClient
  readonly #answerTimeoutMs: number
  readonly #results: Promise<readonly SqlRow[]>[] = []
  #isBroken = false

  constructor(client: PostgresClient, answerTimeoutMs: number) {
    this.#client = client
    this.#answerTimeoutMs = answerTimeoutMs
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
    const { rows } = await this.#client.query({
      text,
      ...(values !== undefined && values.length > 0 && { values: [...values] }),
      ...(Number.isFinite(this.#answerTimeoutMs) && { query_timeout: this.#answerTimeoutMs }),
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
