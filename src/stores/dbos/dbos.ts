import { loadOptional } from '../../wire/optional.ts'

/** The part of DBOS that is used. */
export interface Dbos {
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

/** Loads DBOS, if it is installed. */
export async function loadDbos(): Promise<Dbos> {
  const { DBOS } = await loadOptional('@dbos-inc/dbos-sdk', () => import('@dbos-inc/dbos-sdk'))
  return DBOS
}
