import { checkOptions, type OptionNames } from '../../wire/check-options.ts'
import { AsyncResource } from 'node:async_hooks'
import { createId } from '../../canonical/build/ids-and-timestamps.ts'
import { toMessages } from '../../canonical/collections/message-input.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { AgentResult } from '../../agent/agent-result.ts'
import { InterlinguaError } from '../../errors.ts'
import { digestText } from '../../wire/digest.ts'
import { checkCount, checkIdentifier, throwInvalidType, throwInvalidValue } from '../check-arguments.ts'
import type { MessagesInput } from '../conversation-storage.ts'
import { Conversation } from '../conversation/conversation.ts'
import {
  createStorageClosedError,
  createConflictError,
  createUnknownSessionError,
} from '../storage-errors.ts'
import { createServerError, UNREACHABLE_RULE } from '../server-error-rules.ts'
import { dbosRunner, type DbosApi, unwrapTakenOver } from './dbos-runner.ts'
import { WorkflowRuns } from './workflow-runs.ts'
import { createWorkflowStorage } from './workflow-storage.ts'
import { RunTakenOverError } from '../conversation/run-taken-over-error.ts'
import { WorkerHeartbeat } from './worker-heartbeat.ts'
import { loadOptionalPackage } from '../../wire/load-modules.ts'
import { tryParseUrl } from '../../wire/urls.ts'

export { dbosRunner, type DbosApi }

/**
 * Milliseconds for which a conversation is kept for a run whose worker has stopped; any worker continues the run.
 */
const RESERVED_MS = 3_600_000

export interface DurableWorkerOptions {
  /** URL of the PostgreSQL database for the DBOS tables and the worker table. */
  readonly url: string
  /** Opens the conversation of a session. All workers must have access to its storage. */
  readonly open: (session: string) => Conversation | Promise<Conversation>
  /** Unique id of the worker. Default: a generated one. */
  readonly workerId?: string
  /** Workers share runs within one version; change it if agents cannot continue older runs. Default: `1`. */
  readonly version?: string
  /** Milliseconds without a heartbeat after which a worker counts as dead. Default: 15,000. */
  readonly leaseMs?: number
  /** Milliseconds that `close` waits for tools in progress; then they are handed over, too. Default: 20,000. */
  readonly closeTimeoutMs?: number
  /** Called with errors that occur outside of runs. */
  readonly onError?: (error: unknown) => void
}

const OPTION_NAMES: OptionNames<DurableWorkerOptions> = {
  url: true,
  open: Function,
  workerId: true,
  version: true,
  leaseMs: true,
  closeTimeoutMs: true,
  onError: Function,
}

/** A run in progress, in this process or another. */
export interface DurableRun {
  readonly id: string
  /** Returns the result, whichever worker finishes the run. */
  result(): Promise<AgentResult>
}

/** A worker that runs conversations and takes over runs of dead workers. */
export interface DurableWorker {
  /** Sends a message. Once this resolves, the run survives crashes. The same id denotes the same run. */
  send(session: string, prompt: MessagesInput, options?: { readonly id?: string }): Promise<DurableRun>
  /** Returns a run by its id. */
  run(id: string): DurableRun
  /** Waits for tools in progress, then closes the worker. Another worker continues unfinished runs. */
  close(): Promise<void>
}

interface WorkflowInput {
  readonly session: string
  readonly messages: readonly Message[]
}

/**
 * Starts a worker that runs conversations as DBOS workflows on PostgreSQL. Results of finished steps are
 * recorded and reused; if a worker dies, another one continues. An interrupted tool is run again only if it
 * is idempotent. DBOS allows one worker per process.
 *
 * @example
 * const worker = await durableWorker({ url, open: (session) => new Conversation({ agent, storage, session }) })
 * const run = await worker.send(session, 'How warm is it in Oslo?')
 * console.log((await run.result()).text)
 */
export async function durableWorker(options: DurableWorkerOptions): Promise<DurableWorker> {
  checkOptions('durableWorker()', options, OPTION_NAMES)
  const { url, open, workerId = createId('worker'), version = '1' } = options
  const { leaseMs = 15_000, closeTimeoutMs = 20_000 } = options
  const { DBOS } = await loadOptionalPackage('@dbos-inc/dbos-sdk', () => import('@dbos-inc/dbos-sdk'))
  const dbos: DbosApi = DBOS
  if (openWorker !== undefined)
    throw createConflictError(
      'This process already has a durable worker',
      'Close it first: DBOS allows one worker per process.',
    )
  // The URL may contain a password, so it must not appear in a parser's error message.
  if (typeof open !== 'function') throwInvalidType('open', open, 'a function')
  for (const [name, value] of Object.entries({ workerId, version })) checkIdentifier(value, name)
  for (const [name, value] of Object.entries({ leaseMs, closeTimeoutMs })) checkCount(value, name)
  if (typeof url !== 'string' || tryParseUrl(url) === undefined)
    throwInvalidValue('url', 'a string that is not a URL', 'a PostgreSQL URL')
  const runs = new WorkflowRuns()
  // Bound to the context outside of workflows: in a workflow, the query would be recorded as a step.
  const isOwnerOf = AsyncResource.bind(async (id: string) => {
    const [workflow] = await dbos.listWorkflows({ workflowIDs: [id] })
    return workflow?.executorId === workerId
  })
  openWorker = { open, runs, isOwnerOf }
  try {
    dbos.setConfig({
      name: 'interlingua',
      systemDatabaseUrl: url,
      executorID: workerId,
      applicationVersion: version,
      logLevel: 'error',
    })
    const workflow = getWorkflow(dbos)
    const heartbeat = await WorkerHeartbeat.start({
      url,
      workerId,
      durationMs: leaseMs,
      launch: () => dbos.launch(),
      listBusyWorkers: () => listBusyWorkers(dbos),
      takeOver: (dead) => resumeWorkflowsOf(dbos, dead),
      onError: options.onError ?? (() => undefined),
    })
    return createWorker(dbos, workflow, options, async () => {
      await runs.handOver(closeTimeoutMs)
      const unfinished = await dbos.listWorkflows({ ...UNFINISHED, executorId: workerId })
      await heartbeat.stop(() => dbos.shutdown(), unfinished.length > 0)
    })
  } catch (error) {
    openWorker = undefined
    await dbos.shutdown()
    throw error instanceof InterlinguaError ? error : createServerError(UNREACHABLE_RULE, error)
  }
}

/** The workflow of all runs. Other workflows of the same database belong to other programs. */
const WORKFLOW_NAME = 'interlingua.conversation'
const UNFINISHED = { status: 'PENDING', workflowName: WORKFLOW_NAME } as const

type Workflow = (input: WorkflowInput) => Promise<AgentResult>

/** The worker that is open in this process. */
interface OpenWorker {
  readonly open: DurableWorkerOptions['open']
  readonly runs: WorkflowRuns
  /** Tests whether this worker executes a workflow; another one may have taken it over. */
  readonly isOwnerOf: (workflow: string) => Promise<boolean>
}

/** One execution of a workflow. */
interface WorkflowExecution {
  readonly id: string
  readonly isLatest: () => boolean
}

/** DBOS has one global instance per process, so this is global, too. */
let openWorker: OpenWorker | undefined
let registeredWorkflow: Workflow | undefined

/** Returns the workflow. DBOS registers it by name once per process, even if workers are closed and reopened. */
function getWorkflow(dbos: DbosApi): Workflow {
  const workflow: Workflow = (input) => {
    const worker = openWorker
    if (worker === undefined) throw createStorageClosedError()
    const id = dbos.workflowID ?? ''
    return worker.runs.execute(id, (isLatest) => runWorkflow(dbos, worker, { ...input, id, isLatest }))
  }
  return (registeredWorkflow ??= dbos.registerWorkflow(workflow, { name: WORKFLOW_NAME }))
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
      if (closePromise !== undefined) throw createStorageClosedError()
      const { storage } = (await open(session)).options
      if ((await storage.session(session)) === undefined) throw createUnknownSessionError()
      const input = { session, messages: toMessages(prompt) }
      await dbos.startWorkflow(workflow, { workflowID: id })(input)
      return handle(id)
    },
    run: handle,
    close: () => (closePromise ??= onClose().finally(() => void (openWorker = undefined))),
  }
}

/**
 * Runs a conversation in a workflow. Deterministic, because DBOS may replay it: it starts after the same message,
 * generates the same ids and requests the same steps in the same order, whatever has been stored since. Runs of one
 * conversation wait for each other, and one that is replayed follows the execution it replaces.
 */
async function runWorkflow(
  dbos: DbosApi,
  { open, runs, isOwnerOf }: OpenWorker,
  { id, isLatest, session, messages }: WorkflowInput & WorkflowExecution,
): Promise<AgentResult> {
  const { options } = await open(session)
  const storage = createWorkflowStorage(options.storage, async () => {
    if (!isLatest() || !(await isOwnerOf(id))) throw new RunTakenOverError()
  })
  const runner = runs.createRunner(dbos)
  const conversation = new Conversation({
    ...options,
    storage,
    runner,
    whenBusy: options.whenBusy === 'interrupt' ? 'interrupt' : 'enqueue',
    maxWaitMs: Infinity,
    reservedMs: RESERVED_MS,
  })
  let count = 0
  const newId = (prefix: string): string => `${prefix}_${digestText(`${id}/${++count}`).slice(0, 24)}`
  const afterMessage = (): Promise<string | null> =>
    runner.step('head', async () => (await storage.head(session)) ?? null)
  try {
    return await conversation.send(messages, { id, afterMessage, newId })
  } catch (error) {
    throw unwrapTakenOver(error)
  }
}

/** Returns the ids of the workers that execute unfinished workflows. */
async function listBusyWorkers(dbos: DbosApi): Promise<readonly string[]> {
  const pending = await dbos.listWorkflows({ ...UNFINISHED, loadInput: false })
  return [...new Set(pending.flatMap(({ executorId }) => executorId ?? []))]
}

/** Makes the unfinished workflows of a dead worker available to running workers. */
async function resumeWorkflowsOf(dbos: DbosApi, dead: string): Promise<void> {
  const pending = await dbos.listWorkflows({ ...UNFINISHED, executorId: dead })
  if (pending.length > 0) await dbos.resumeWorkflows(pending.map(({ workflowID }) => workflowID))
}
