import { createId } from '../../canonical/build/identity.ts'
import { type MessageInput, toMessages } from '../../canonical/collections/input.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { AgentResult } from '../../agent/result.ts'
import type { Runner } from '../../agent/runner.ts'
import { fail } from '../../canonical/shape/shape.ts'
import { InterlinguaError } from '../../errors.ts'
import { digestText } from '../../wire/digest.ts'
import { below } from '../../wire/pointer.ts'
import { Conversation } from '../conversation/conversation.ts'
import { closed, conflict, unavailable } from '../failures.ts'
import { type Dbos, loadDbos } from './dbos.ts'
import { Lease } from './lease.ts'

export interface DurableOptions {
  /** A PostgreSQL database: for the tables of DBOS, and for the table of workers. */
  readonly url: string
  /** Opens the conversation of a session, in whatever process runs it. The storage must be one that all workers reach. */
  readonly open: (session: string) => Conversation | Promise<Conversation>
  /** A name that no other worker has. Default: a fresh one. */
  readonly worker?: string
  /** Workers of one version share their runs: change it when agents change so that a run could not go on. Default: `1`. */
  readonly version?: string
  /** Milliseconds without a sign of life after which a worker counts as dead. Default: 15,000. */
  readonly lease?: number
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

interface Input {
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
export async function durableWorker(options: DurableOptions): Promise<DurableWorker> {
  const { url, open, worker = createId('worker'), version = '1', lease: duration = 15_000 } = options
  const dbos = await loadDbos()
  if (opening !== undefined) throw second()
  // What is wrong with an address is not told by whoever reads it: it may hold a password.
  if (!URL.canParse(url)) fail('invalid-value', below(undefined, 'url'), 'another text', 'an address')
  opening = open
  try {
    dbos.setConfig({
      name: 'interlingua',
      systemDatabaseUrl: url,
      executorID: worker,
      applicationVersion: version,
      logLevel: 'error',
    })
    const workflow = workflowOf(dbos)
    await dbos.launch()
    const lease = await Lease.take({
      url,
      worker,
      duration,
      takeOver: (dead) => recover(dbos, dead),
      onError: options.onError ?? (() => undefined),
    })
    return workerOf(dbos, workflow, options, async () => {
      const unfinished = await dbos.listWorkflows({ executorId: worker, status: 'PENDING' })
      await lease.release(() => dbos.shutdown(), unfinished.length > 0)
    })
  } catch (error) {
    opening = undefined
    await dbos.shutdown()
    throw error instanceof InterlinguaError ? error : unavailable(error)
  }
}

type Workflow = (input: Input) => Promise<AgentResult>

/** How the worker of this process opens a conversation. DBOS is one for the whole process, and so is this. */
let opening: DurableOptions['open'] | undefined
let registered: Workflow | undefined

/** The workflow. DBOS knows it by its name for as long as the process lives, whatever workers come and go. */
function workflowOf(dbos: Dbos): Workflow {
  return (registered ??= dbos.registerWorkflow(
    async (input: Input) => {
      if (opening === undefined) throw closed()
      return replay(dbos, opening, input)
    },
    { name: 'interlingua.conversation' },
  ))
}

function workerOf(
  dbos: Dbos,
  workflow: Workflow,
  { open }: DurableOptions,
  leave: () => Promise<void>,
): DurableWorker {
  const handle = (id: string): DurableRun => ({
    id,
    result: () => dbos.retrieveWorkflow<AgentResult>(id).getResult(),
  })
  let left: Promise<void> | undefined
  return {
    send: async (session, prompt, { id = createId('run') } = {}) => {
      if (left !== undefined) throw closed()
      const { storage } = (await open(session)).options
      const at = (await storage.head(session)) ?? null
      await dbos.startWorkflow(workflow, { workflowID: id })({ session, at, messages: toMessages(prompt) })
      return handle(id)
    },
    run: handle,
    close: () =>
      (left ??= leave().finally(() => {
        opening = undefined
      })),
  }
}

function second(): Error {
  return conflict('This process has a worker already', 'Close it first: DBOS allows for one in a process.')
}

/** Steps as DBOS records them, for those who have workflows of their own. */
export function dbosRunner(dbos: Pick<Dbos, 'runStep'>): Runner {
  return { step: (key, work) => dbos.runStep(work, { name: key }) }
}

/**
 * One run. DBOS may go through it again: it begins at the same message, makes the same ids, and asks for the same steps in the
 * same order, whatever has been stored meanwhile.
 */
async function replay(dbos: Dbos, open: DurableOptions['open'], input: Input): Promise<AgentResult> {
  const id = dbos.workflowID ?? ''
  const { options } = await open(input.session)
  const conversation = new Conversation({ ...options, runner: dbosRunner(dbos) })
  let count = 0
  const newId = (prefix: string): string => `${prefix}_${digestText(`${id}/${++count}`).slice(0, 24)}`
  return conversation.send(input.messages, { id, at: input.at, newId })
}

/** Puts what a dead worker has left before those who live. */
async function recover(dbos: Dbos, dead: string): Promise<void> {
  const pending = await dbos.listWorkflows({ executorId: dead, status: 'PENDING' })
  if (pending.length > 0) await dbos.resumeWorkflows(pending.map(({ workflowID }) => workflowID))
}
