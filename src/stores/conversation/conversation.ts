import type { AgentResult } from '../../agent/agent-result.ts'
import { AgentStream } from '../../agent/agent-stream.ts'
import { MessageQueue } from '../../agent/message-queue.ts'
import type { Decisions } from '../../agent/resumption.ts'
import type { Messages } from '../../canonical/collections/messages.ts'
import { checkSignal } from '../../wire/cancellation.ts'
import { readOptions } from '../../wire/check-options.ts'
import { withTypedErrors } from '../../wire/typed-errors.ts'
import type { ForkOptions, MessagesInput } from '../conversation-storage.ts'
import { acquireConversationLease } from './acquire-lease.ts'
import {
  checkConversationOptions,
  type ConversationOptions,
  type RegenerateOptions,
  type SendOptions,
} from './conversation-options.ts'
import type { HeldLease } from './held-lease.ts'
import { planEdit, planRegenerate, planResume, planSend, type RunPlan } from './plan-run.ts'
import { type ConversationStream, createConversationStream } from './conversation-stream.ts'
import { findTakenOverError } from './run-taken-over-error.ts'

/** Plans a run; `N` is `undefined` if there may be nothing to run, else `never`. */
type PlanFunction<N extends undefined> = (lease: HeldLease) => Promise<RunPlan | N>

/** A planned run that holds the conversation. */
interface OpenedRun {
  readonly lease: HeldLease
  readonly run: RunPlan
}

/**
 * An agent with a stored conversation. Every message is stored before the next step starts, so a crash loses only the
 * step in progress. The history is the current branch of the session. Each method that runs the agent has a streamed
 * form, whose run starts at once and holds the conversation until it ends; leaving the loop over its chunks early
 * aborts it.
 *
 * @example
 * const conversation = new Conversation({ agent, storage, session: id })
 * await conversation.resume() // continues a run that a crash interrupted, if there is one
 * const { text } = await conversation.send('How warm is it in Oslo?')
 */
export class Conversation {
  readonly options: ConversationOptions

  constructor(options: ConversationOptions) {
    checkConversationOptions(options)
    this.options = Object.freeze({ ...options })
  }

  /** Returns the messages of the current branch. */
  messages(): Promise<Messages> {
    return this.options.storage.messages(this.options.session)
  }

  /** Appends a user message, runs the agent and returns the result. */
  async send<T = never>(prompt: MessagesInput, options: SendOptions<T> = {}): Promise<AgentResult<T>> {
    return this.#run<T>(options, (lease) => planSend(this.options, lease, prompt, options))
  }

  /** Streams the run of {@link send}. */
  stream<T = never>(prompt: MessagesInput, options: SendOptions<T> = {}): ConversationStream<T> {
    return this.#stream<T>(options, (lease) => planSend(this.options, lease, prompt, options))
  }

  /**
   * Continues an unfinished run: sends the conversation to the model, or runs the open tool calls. A finished
   * tool call is never run again; an interrupted one only if its tool is idempotent. `decisions` answer the
   * calls that wait for approval. Returns `undefined` if there is nothing to continue.
   */
  async resume<T = never>(
    decisions: Decisions = {},
    options: SendOptions<T> = {},
  ): Promise<AgentResult<T> | undefined> {
    return this.#run<T, undefined>(options, (lease) => planResume(this.options, lease, decisions, options))
  }

  /** Streams the run of {@link resume}. Unlike the other streams, it must be awaited: there may be nothing to continue. */
  async resumeStream<T = never>(
    decisions: Decisions = {},
    options: SendOptions<T> = {},
  ): Promise<AgentStream<T> | undefined> {
    const lease = await this.#acquireLease(options)
    const run = await openRun(lease, (held) => planResume(this.options, held, decisions, options))
    if (run === undefined) await lease.release()
    return run && this.#startStream<T>(options, async () => ({ lease, run })).stream
  }

  /** Makes a message the head; the next message branches off after it. `null` is before the first message. */
  async setHead(message: string | null): Promise<void> {
    const { storage, session } = this.options
    const lease = await this.#acquireLease({})
    await whileHeld(lease, () => storage.setHead(session, message))
  }

  /**
   * Runs the agent again after the last user message, or after another one. The new response becomes the head when its
   * first message is stored, and the old one remains as a branch. If the run fails before, the old response stays the
   * head.
   */
  async regenerate<T = never>(options: RegenerateOptions<T> = {}): Promise<AgentResult<T>> {
    return this.#run<T>(options, (lease) => planRegenerate(this.options, lease, options))
  }

  /** Streams the run of {@link regenerate}. */
  regenerateStream<T = never>(options: RegenerateOptions<T> = {}): ConversationStream<T> {
    return this.#stream<T>(options, (lease) => planRegenerate(this.options, lease, options))
  }

  /**
   * Replaces an earlier message and continues from it. The new message becomes the head when it is stored, and the old
   * messages remain as a branch. If the run fails afterwards, {@link resume} continues it.
   */
  async edit<T = never>(
    id: string,
    prompt: MessagesInput,
    options: SendOptions<T> = {},
  ): Promise<AgentResult<T>> {
    return this.#run<T>(options, (lease) => planEdit(this.options, lease, id, prompt, options))
  }

  /** Streams the run of {@link edit}. */
  editStream<T = never>(
    id: string,
    prompt: MessagesInput,
    options: SendOptions<T> = {},
  ): ConversationStream<T> {
    return this.#stream<T>(options, (lease) => planEdit(this.options, lease, id, prompt, options))
  }

  /** Creates a conversation that shares the history up to a message. */
  async fork(options: ForkOptions = {}): Promise<Conversation> {
    const { id } = await this.options.storage.fork(this.options.session, options)
    return new Conversation({ ...this.options, session: id })
  }

  async #acquireLease(options: SendOptions<unknown>): Promise<HeldLease> {
    checkSignal(readOptions('the run', options).signal)
    const { storage, session } = this.options
    return acquireConversationLease(storage, session, this.options, options)
  }

  async #run<T, N extends undefined = never>(
    options: SendOptions<T>,
    plan: PlanFunction<N>,
  ): Promise<AgentResult<T> | N> {
    const lease = await this.#acquireLease(options)
    return whileHeld(lease, async () => {
      const run = await plan(lease)
      if (run === undefined) return run
      const { agent } = this.options
      const { prompt, open } = run
      return open === undefined
        ? agent.send(prompt, run.options)
        : agent.resume(open.paused, open.decisions, run.options)
    })
  }

  #stream<T>(options: SendOptions<T>, plan: PlanFunction<never>): ConversationStream<T> {
    return withTypedErrors(() => {
      const { stream, opened } = this.#startStream<T>(options, async (signal) => {
        checkSignal(readOptions('the run', options).signal)
        const lease = await this.#acquireLease({ ...options, signal })
        return { lease, run: await openRun(lease, plan) }
      })
      return createConversationStream(stream, opened)
    }, [options])
  }

  /** Starts a streamed run at once. `opened` resolves when the run holds the conversation and is planned. */
  #startStream<T>(
    given: SendOptions<T>,
    open: (signal: AbortSignal) => Promise<OpenedRun>,
  ): { readonly stream: AgentStream<T>; readonly opened: Promise<unknown> } {
    // An option of a wrong type is an error of the run.
    const { messageQueue = new MessageQueue(), signal: callerSignal } = { ...given }
    let opened: Promise<unknown> = Promise.resolve()
    const stream = new AgentStream<T>(async (onChunk, signal) => {
      const isSignal = withTypedErrors(() => callerSignal instanceof AbortSignal, [callerSignal])
      const signals = isSignal && callerSignal !== undefined ? [signal, callerSignal] : [signal]
      const opening = open(AbortSignal.any(signals))
      opened = opening
      const { lease, run } = await opening
      return whileHeld(lease, async () => {
        const chunks = this.#runAgent<T>(run, messageQueue, signal)
        for await (const chunk of chunks) onChunk(chunk)
        return await chunks.result
      })
    }, messageQueue)
    void stream.result
    return { stream, opened }
  }

  #runAgent<T>(
    { prompt, open, options }: RunPlan,
    messageQueue: MessageQueue,
    signal: AbortSignal,
  ): AgentStream<T> {
    const { agent } = this.options
    const signals = [signal, ...(options.signal ? [options.signal] : [])]
    const run = { ...options, messageQueue, signal: AbortSignal.any(signals) }
    return open === undefined
      ? agent.stream(prompt, run)
      : agent.resumeStream(open.paused, open.decisions, run)
  }
}

/** Plans a run; the lease is released if that fails. */
function openRun<N extends undefined>(lease: HeldLease, plan: PlanFunction<N>): Promise<RunPlan | N> {
  return plan(lease).catch((error: unknown) => releaseAfterFailure(lease, error))
}

/** Runs `act`, then releases the lease. */
async function whileHeld<T>(lease: HeldLease, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    return await releaseAfterFailure(lease, error)
  } finally {
    await lease.release()
  }
}

/** Releases the lease and throws; if another process continues the run, the lease stays reserved for it. */
async function releaseAfterFailure(lease: HeldLease, error: unknown): Promise<never> {
  if (findTakenOverError(error) === undefined) await lease.release()
  else await lease.handOver()
  throw error
}
