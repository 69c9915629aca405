import type { Runner } from '../../agent/step-runner.ts'
import { findTakenOverError, RunTakenOverError } from '../conversation/run-taken-over-error.ts'

/** The part of the DBOS API that is used. */
export interface DbosApi {
  readonly workflowID: string | undefined
  setConfig(config: {
    name: string
    systemDatabaseUrl: string
    executorID: string
    applicationVersion: string
    logLevel: string
  }): void
  launch(): Promise<void>
  shutdown(): Promise<void>
  registerWorkflow<I, O>(work: (input: I) => Promise<O>, options: { name: string }): (input: I) => Promise<O>
  startWorkflow<I, O>(
    work: (input: I) => Promise<O>,
    options: { workflowID: string },
  ): (input: I) => Promise<{ getResult(): Promise<O> }>
  retrieveWorkflow<O>(id: string): { getResult(): Promise<O> }
  runStep<T>(work: () => Promise<T>, options: { name: string }): Promise<T>
  listWorkflows(query: {
    executorId?: string
    status?: 'PENDING'
    workflowName?: string
    workflowIDs?: string[]
    loadInput?: boolean
  }): Promise<readonly { readonly workflowID: string; readonly executorId?: string }[]>
  resumeWorkflows(ids: string[]): Promise<unknown>
}

/** Class of the DBOS error of an execution whose workflow another execution continues. */
const OWNER_LOST_ERROR = 'DBOSWorkflowConflictError'

/**
 * Creates a runner whose steps DBOS records, for use in your own workflows. If another execution has taken over the
 * workflow, the run ends with a {@link RunTakenOverError} and stores nothing more.
 *
 * @example
 * const conversation = new Conversation({ agent, storage, session, runner: dbosRunner(DBOS) })
 */
export function dbosRunner(dbos: Pick<DbosApi, 'runStep'>): Runner {
  return {
    step: (key, work) =>
      dbos.runStep(work, { name: key }).catch((error: unknown) => {
        throw isOwnerLost(error) ? new RunTakenOverError(error) : error
      }),
  }
}

function isOwnerLost(error: unknown): boolean {
  return error instanceof Error && error.constructor.name === OWNER_LOST_ERROR
}

/** Returns the DBOS error of a run that was taken over; DBOS then waits for the outcome of the owner. */
export function unwrapTakenOver(error: unknown): unknown {
  return findTakenOverError(error)?.cause ?? error
}
