import { createId } from '../../canonical/build/ids-and-timestamps.ts'
import { type MessageInput, toMessages } from '../../canonical/collections/message-input.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { AgentResult } from '../../agent/agent-result.ts'
import type { Runner } from '../../agent/runner.ts'
import { throwInvalid } from '../../canonical/shape/shape.ts'
import { InterlinguaError } from '../../errors.ts'
import { digestText } from '../../wire/digest.ts'
import { child } from '../../wire/json-pointer.ts'
import { Conversation } from '../conversation/conversation.ts'
import { closedError, conflictError, unavailableError } from '../storage-errors.ts'
import { WorkerLease } from './worker-lease.ts'
import { loadOptionalPackage } from '../../wire/optional-package.ts'

/** The part of DBOS that is used. */
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

/** Loads DBOS, if it is installed. */
export async function loadDbos(): Promise<DbosApi> {
  const { DBOS } = await loadOptionalPackage('@dbos-inc/dbos-sdk', () => import('@dbos-inc/dbos-sdk'))
  return DBOS
}

export interface DurableWorkerOptions {
  /** A PostgreSQL database: for the tables of DBOS, and for the table of workers. */
  readonly url: string
  /** Opens the conversation of a session, in whatever process runs it. The storage must be one that all workers reach. */
  readonly open: (session: string) => Conversation | Promise<Conversation>
  /** A name that no other worker has. Default: a fresh one. */
  readonly workerId?: string
  /** Workers of one version share their runs: change it when agents change so that a run could not go on. Default: `1`. */
  readonly version?: string
  /** Milliseconds without a sign of life after which a worker counts as dead. Default: 15,000. */
  readonly leaseMs?: number
  /** Told what went wrong beside the runs. */
  readonly onError?: (error: unknown) => void
}

/** A run that is under way, here or elsewhere. */
export interface DurableRun {
  readonly id: string
  /** Its result, whoever comes to it. */
  result(): Promise<AgentResult>
}

/** A worker: it runs conversations, and those that a dead worker has left. */
export interface DurableWorker {
  /** Says something to a conversation. Once this resolves, the run will come to its end. The same id is one run. */
  send(
    session: string,
    prompt: MessageInput | Iterable<MessageInput>,
    options?: { readonly id?: string },
  ): Promise<DurableRun>
  /** A run by its id. */
  run(id: string): DurableRun
  /** Leaves in order. What is not finished goes on with another worker, at once or when one starts. */
  close(): Promise<void>
}

interface WorkflowInput {
  readonly session: string
  readonly at: string | null
  readonly messages: readonly Message[]
}

/**
 * A worker that runs conversations as DBOS workflows on PostgreSQL. What a step gave is recorded and not done again; when a
 * worker dies, another one goes on. A tool that was at work then is run again only if it is idempotent. DBOS allows for one
 * worker in a process.
 *
 * @example
 * const worker = await durableWorker({ url, open: (session) => new Conversation({ agent, storage, session }) })
 * const run = await worker.send(session, 'How warm is it in Oslo?')
 * console.log((await run.result()).text)
 */
export async function durableWorker(options: DurableWorkerOptions): Promise<DurableWorker> {
  const { url, open, workerId = createId('worker'), version = '1', leaseMs: duration = 15_000 } = options
  const dbos = await loadDbos()
  if (openConversation !== undefined) throw workerExists()
  // What is wrong with an address is not told by whoever reads it: it may hold a password.
  if (!URL.canParse(url)) throwInvalid('invalid-value', child(undefined, 'url'), 'another text', 'an address')
  openConversation = open
  try {
    dbos.setConfig({
      name: 'interlingua',
      systemDatabaseUrl: url,
      executorID: workerId,
      applicationVersion: version,
      logLevel: 'error',
    })
    const workflow = getWorkflow(dbos)
    await dbos.launch()
    const lease = await WorkerLease.acquire({
      url,
      workerId,
      durationMs: duration,
      takeOver: (dead) => resumeWorkflowsOf(dbos, dead),
      onError: options.onError ?? (() => undefined),
    })
    return createWorker(dbos, workflow, options, async () => {
      const unfinished = await dbos.listWorkflows({ executorId: workerId, status: 'PENDING' })
      await lease.release(() => dbos.shutdown(), unfinished.length > 0)
    })
  } catch (error) {
    openConversation = undefined
    await dbos.shutdown()
    throw error instanceof InterlinguaError ? error : unavailableError(error)
  }
}

type Workflow = (input: WorkflowInput) => Promise<AgentResult>

/** How the worker of this process opens a conversation. DBOS is one for the whole process, and so is this. */
let openConversation: DurableWorkerOptions['open'] | undefined
let registeredWorkflow: Workflow | undefined

/** The workflow. DBOS knows it by its name for as long as the process lives, whatever workers come and go. */
function getWorkflow(dbos: DbosApi): Workflow {
  return (registeredWorkflow ??= dbos.registerWorkflow(
    async (input: WorkflowInput) => {
      if (openConversation === undefined) throw closedError()
      return runWorkflow(dbos, openConversation, input)
    },
    { name: 'interlingua.conversation' },
  ))
}

function createWorker(
  dbos: DbosApi,
  workflow: Workflow,
  { open }: DurableWorkerOptions,
  onClose: () => Promise<void>,
): DurableWorker {
  const handle = (id: string): DurableRun => ({
    id,
    result: () => dbos.retrieveWorkflow<AgentResult>(id).getResult(),
  })
  let closePromise: Promise<void> | undefined
  return {
    send: async (session, prompt, { id = createId('run') } = {}) => {
      if (closePromise !== undefined) throw closedError()
      const { storage } = (await open(session)).options
      const at = (await storage.head(session)) ?? null
      await dbos.startWorkflow(workflow, { workflowID: id })({ session, at, messages: toMessages(prompt) })
      return handle(id)
    },
    run: handle,
    close: () =>
      (closePromise ??= onClose().finally(() => {
        openConversation = undefined
      })),
  }
}

function workerExists(): Error {
  return conflictError(
    'This process has a worker already',
    'Close it first: DBOS allows for one in a process.',
  )
}

/** Steps as DBOS records them, for those who have workflows of their own. */
export function dbosRunner(dbos: Pick<DbosApi, 'runStep'>): Runner {
  return { step: (key, work) => dbos.runStep(work, { name: key }) }
}

/**
 * One run. DBOS may go through it again: it begins at the same message, makes the same ids, and asks for the same steps in the
 * same order, whatever has been stored meanwhile.
 */
async function runWorkflow(
  dbos: DbosApi,
  open: DurableWorkerOptions['open'],
  input: WorkflowInput,
): Promise<AgentResult> {
  const id = dbos.workflowID ?? ''
  const { options } = await open(input.session)
  const conversation = new Conversation({ ...options, runner: dbosRunner(dbos) })
  let count = 0
  const newId = (prefix: string): string => `${prefix}_${digestText(`${id}/${++count}`).slice(0, 24)}`
  return conversation.send(input.messages, { id, afterMessage: input.at, newId })
}

/** Puts what a dead worker has left before those who live. */
async function resumeWorkflowsOf(dbos: DbosApi, dead: string): Promise<void> {
  const pending = await dbos.listWorkflows({ executorId: dead, status: 'PENDING' })
  if (pending.length > 0) await dbos.resumeWorkflows(pending.map(({ workflowID }) => workflowID))
}
