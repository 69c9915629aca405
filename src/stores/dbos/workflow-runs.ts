import type { AgentResult } from '../../agent/agent-result.ts'
import { parseToolStepKey, type Runner } from '../../agent/step-runner.ts'
import { RunTakenOverError } from '../conversation/run-taken-over-error.ts'
import { createAbortablePromise, rejectOnAbort, startTimeout } from '../../wire/cancellation.ts'
import { dbosRunner, type DbosApi } from './dbos-runner.ts'

/** Milliseconds for runs to release their conversations after their steps have been given up. */
const RELEASE_MS = 2_000

/** The runs of a worker: tracks them, and hands them over to other workers when the worker closes. */
export class WorkflowRuns {
  readonly #active = new Set<Promise<unknown>>()
  readonly #latest = new Map<string, symbol>()
  readonly #closing = new AbortController()
  readonly #toolLimit = new AbortController()

  /** Returns a runner whose steps DBOS records. When the worker closes, tools finish and no other step starts. */
  createRunner(dbos: DbosApi): Runner {
    const recording = dbosRunner(dbos)
    return {
      step: async (key, work) => {
        const { signal } = parseToolStepKey(key) === undefined ? this.#closing : this.#toolLimit
        if (this.#closing.signal.aborted) throw new RunTakenOverError()
        return rejectOnAbort(recording.step(key, work), signal).catch((error: unknown) => {
          throw signal.aborted ? new RunTakenOverError(error) : error
        })
      },
    }
  }

  /**
   * Executes a workflow; `run` gets a function that tests whether this is still its latest execution in this process.
   * A run that was handed over never settles, because DBOS would record the error as the outcome of the workflow.
   */
  async execute(id: string, run: (isLatest: () => boolean) => Promise<AgentResult>): Promise<AgentResult> {
    const handedOver = new Promise<never>(() => {})
    if (this.#closing.signal.aborted) return handedOver
    const execution = Symbol(id)
    this.#latest.set(id, execution)
    const isLatest = (): boolean => this.#latest.get(id) === execution
    const result = run(isLatest)
    this.#active.add(result)
    try {
      return await result
    } catch (error) {
      if (this.#closing.signal.aborted) return await handedOver
      throw error
    } finally {
      this.#active.delete(result)
      if (isLatest()) this.#latest.delete(id)
    }
  }

  /** Waits for the tools in progress, then ends all runs without an outcome. */
  async handOver(toolTimeoutMs: number): Promise<void> {
    this.#closing.abort()
    await this.#waitForRuns(toolTimeoutMs)
    this.#toolLimit.abort()
    await this.#waitForRuns(RELEASE_MS)
  }

  async #waitForRuns(limitMs: number): Promise<void> {
    await createAbortablePromise<void>(undefined, (resolve) => {
      const stopTimer = startTimeout(limitMs, resolve)
      void Promise.allSettled(this.#active).then(() => (stopTimer(), resolve()))
      return stopTimer
    })
  }
}
