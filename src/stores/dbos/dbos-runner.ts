import type { Runner } from '../../agent/runner.ts'
import { RunTakenOverError } from '../conversation/run-taken-over.ts'

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
    executorId: string
    status: 'PENDING'
  }): Promise<readonly { readonly workflowID: string }[]>
  resumeWorkflows(ids: string[]): Promise<unknown>
}

/** Classes of DBOS errors after which another execution continues the workflow, or none. */
const LOST_ERRORS: ReadonlySet<string> = new Set(['DBOSWorkflowConflictError', 'DBOSWorkflowCancelledError'])

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
        throw isWorkflowLost(error) ? new RunTakenOverError(error) : error
      }),
  }
}

function isWorkflowLost(error: unknown): boolean {
  return error instanceof Error && LOST_ERRORS.has(error.constructor.name)
}

/** Returns the DBOS error of a run that was taken over; DBOS then waits for the outcome of the owner. */
export function unwrapTakenOver(error: unknown): unknown {
  const cause = error instanceof Error ? error.cause : undefined
  if (error instanceof RunTakenOverError) return cause ?? error
  return cause instanceof RunTakenOverError ? unwrapTakenOver(cause) : error
}
