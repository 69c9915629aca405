import type { AgentResult } from '../../agent/agent-result.ts'
import { AgentStream } from '../../agent/agent-stream.ts'
import { applicationCallsOf } from '../../agent/assistant-content.ts'
import { MessageQueue } from '../../agent/message-queue.ts'
import type { RunOptions } from '../../agent/options.ts'
import type { Decisions } from '../../agent/resumption.ts'
import { generateId } from '../../canonical/build/ids-and-timestamps.ts'
import { toMessages } from '../../canonical/collections/message-input.ts'
import { Messages } from '../../canonical/collections/messages.ts'
import { InterlinguaError } from '../../errors.ts'
import type { ForkOptions, MessagesInput } from '../conversation-storage.ts'
import { createUnknownMessageError } from '../storage-errors.ts'
import { acquireConversationLease, checkBusyOptions } from './acquire-lease.ts'
import type { ConversationOptions, SendOptions } from './conversation-options.ts'
import type { HeldLease } from './held-lease.ts'
import { buildResultsForOpenCalls, isFinalMessage, toPausedRun } from './open-calls.ts'
import { StoredRun } from './stored-run.ts'

/**
 * An agent with a stored conversation. Every message is stored before the next step starts, so a crash loses
 * only the step in progress. The history is the current branch of the session.
 *
 * @example
 * const conversation = new Conversation({ agent, storage, session: id })
 * await conversation.resume() // continues a run that a crash interrupted, if there is one
 * const { text } = await conversation.send('How warm is it in Oslo?')
 */
export class Conversation {
  readonly options: ConversationOptions

  constructor(options: ConversationOptions) {
    checkBusyOptions(options)
    this.options = Object.freeze({ ...options })
  }

  /** Returns the messages of the current branch. */
  messages(): Promise<Messages> {
    return this.options.storage.messages(this.options.session)
  }

  /** Appends a user message, runs the agent and returns the result. */
  async send<T = never>(prompt: MessagesInput, options: SendOptions<T> = {}): Promise<AgentResult<T>> {
    return this.#withLease(options, async (lease) => {
      const run = await this.#start(lease, options)
      return this.options.agent.send(prompt, run)
    })
  }

  /**
   * Like {@link send}, but streams the run, which starts at once: it holds the conversation until it ends. Leaving the
   * loop over the chunks early aborts it.
   */
  async stream<T = never>(prompt: MessagesInput, options: SendOptions<T> = {}): Promise<AgentStream<T>> {
    const lease = await this.#acquireLease(options)
    const { messageQueue = new MessageQueue() } = options
    const stream = new AgentStream<T>(async (onChunk, streamSignal) => {
      try {
        const run = await this.#start(lease, options)
        const signal = AbortSignal.any([streamSignal, ...(run.signal ? [run.signal] : [])])
        const chunks: AgentStream<T> = this.options.agent.stream(prompt, { ...run, messageQueue, signal })
        for await (const chunk of chunks) onChunk(chunk)
        return await chunks.result
      } finally {
        await lease.release()
      }
    }, messageQueue)
    void stream.result
    return stream
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
    return this.#withLease(options, async (lease) => {
      const { agent } = this.options
      const branch = await this.messages()
      const last = branch.last()
      if (last === undefined || isFinalMessage(last)) return undefined
      const run = new StoredRun(this.options, lease, { head: last.id, after: last.id })
      const runOptions = run.toRunOptions(options)
      if (last.role !== 'assistant' || applicationCallsOf(last).length === 0)
        return agent.send([], { ...runOptions, history: branch })
      run.registerCalls(last)
      const runId = options.id ?? generateId('run', options)
      const open = await toPausedRun(last, run.log, runId, decisions)
      return agent.resume(open.paused, open.decisions, { ...runOptions, history: branch.slice(0, -1) })
    })
  }

  /** Makes a message the head; the next message branches off after it. `null` is before the first message. */
  async setHead(message: string | null): Promise<void> {
    const { storage, session } = this.options
    await this.#withLease({}, () => storage.setHead(session, message))
  }

  /**
   * Runs the agent again after the last user message. The new response becomes the head when its first message is
   * stored, and the old one remains as a branch. If the run fails before, the old response stays the head.
   */
  async regenerate<T = never>(options: SendOptions<T> = {}): Promise<AgentResult<T>> {
    return this.#withLease(options, async (lease) => {
      const lastUserMessage = (await this.messages()).toArray().findLast(({ role }) => role === 'user')
      if (lastUserMessage === undefined)
        throw new InterlinguaError(
          'invalid-value',
          'The conversation cannot be regenerated: it has no user message',
          { found: 'no user message', expected: 'at least one user message', hint: 'Call send() first.' },
        )
      const run = await this.#start(lease, options, lastUserMessage.id)
      return this.options.agent.send([], run)
    })
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
    return this.#withLease(options, async (lease) => {
      const { storage, session, agent } = this.options
      const message = await storage.get(session, id)
      if (message === undefined) throw createUnknownMessageError()
      const messages = toMessages(prompt, options).map((each) =>
        each.id === id ? { ...each, id: generateId('msg', options) } : each,
      )
      return agent.send(messages, await this.#start(lease, options, message.parentId ?? null))
    })
  }

  /** Creates a conversation that shares the history up to a message. */
  async fork(options: ForkOptions = {}): Promise<Conversation> {
    const { id } = await this.options.storage.fork(this.options.session, options)
    return new Conversation({ ...this.options, session: id })
  }

  /**
   * Returns the options of a run that stores its messages after the head, or as a branch after `branchPoint`. Calls that
   * a crash left open get results first.
   */
  async #start(
    lease: HeldLease,
    options: SendOptions<unknown>,
    branchPoint?: string | null,
  ): Promise<RunOptions> {
    const { session } = this.options
    const { storage } = lease
    const { afterMessage } = options
    const start = typeof afterMessage === 'function' ? await afterMessage() : afterMessage
    const end = branchPoint === undefined ? start : branchPoint
    const branch =
      end === null ? Messages.of() : await storage.messages(session, end === undefined ? {} : { to: end })
    const last = branch.last()
    const after = last?.id ?? null
    const head = branchPoint === undefined ? after : ((await storage.head(session)) ?? null)
    const run = new StoredRun(this.options, lease, { head, after })
    if (last === undefined || applicationCallsOf(last).length === 0)
      return { ...run.toRunOptions(options), history: branch }
    const results = await buildResultsForOpenCalls(last, run.log)
    await run.store(results)
    return { ...run.toRunOptions(options), history: branch.append(results) }
  }

  #acquireLease(options: SendOptions<unknown>): Promise<HeldLease> {
    const { storage, session } = this.options
    return acquireConversationLease(storage, session, this.options, options)
  }

  /** Runs `act` while no other run works on the conversation. */
  async #withLease<T>(options: SendOptions<unknown>, act: (lease: HeldLease) => Promise<T>): Promise<T> {
    const lease = await this.#acquireLease(options)
    try {
      return await act(lease)
    } finally {
      await lease.release()
    }
  }
}
