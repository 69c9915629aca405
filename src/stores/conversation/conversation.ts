import type { Agent } from '../../agent/agent.ts'
import { applicationCallsOf } from '../../agent/assistant-content.ts'
import type { RunOptions, TypedRunOptions } from '../../agent/options.ts'
import type { NestedRun, PausedRun, PendingCall } from '../../agent/paused-run.ts'
import type { AgentResult } from '../../agent/agent-result.ts'
import { listNestedPendingCalls } from '../../agent/tools/nested-pause.ts'
import { joinHooks } from '../../agent/hooks.ts'
import type { Decisions } from '../../agent/resumption.ts'
import { directRunner, type Runner } from '../../agent/runner.ts'
import type { AgentStream } from '../../agent/agent-stream.ts'
import { generateId } from '../../canonical/build/ids-and-timestamps.ts'
import { toMessages } from '../../canonical/collections/message-input.ts'
import { stripExtra } from '../../canonical/update/strip-extra.ts'
import { Messages } from '../../canonical/collections/messages.ts'
import type { AssistantMessage, Message } from '../../canonical/model/message.ts'
import { InterlinguaError } from '../../errors.ts'
import type { ContextReport, ContextStrategy } from '../context/strategy.ts'
import type { ConversationStorage, ForkOptions, MessagesInput } from '../conversation-storage.ts'
import { createUnknownMessageError } from '../storage-errors.ts'
import { buildResultsForOpenCalls, AtMostOnceRunner } from './at-most-once-runner.ts'
import { createContextNotes } from './note-messages.ts'
import { ToolCallLog } from './tool-call-log.ts'

/** Options of a {@link Conversation}. */
export interface ConversationOptions {
  readonly agent: Agent
  readonly storage: ConversationStorage
  /** Id of an existing session. */
  readonly session: string
  /** Selects the messages that are sent to the model. Default: all. The stored conversation does not change. */
  readonly context?: ContextStrategy
  /** Called whenever the context was trimmed. */
  readonly onContext?: (report: ContextReport) => void
  /** Executes the steps of a run. Default: in this process, with the storage as log. */
  readonly runner?: Runner
}

/** Options of one run; the history comes from the stored conversation. */
export interface SendOptions<T = never>
  extends Omit<RunOptions, 'history' | 'runner'>, Partial<Pick<TypedRunOptions<T>, 'output'>> {
  /**
   * Id of the message after which to append, or `null` for the start. Default: the head. A run that is
   * replayed finds the messages it has stored already and continues after them.
   */
  readonly afterMessage?: string | null
}

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
    this.options = Object.freeze({ ...options })
  }

  /** Returns the messages of the current branch. */
  messages(): Promise<Messages> {
    return this.options.storage.messages(this.options.session)
  }

  /** Returns the history for a new message, with results for calls that a crash left open. */
  async #loadHistory({ afterMessage }: SendOptions<unknown>): Promise<Messages> {
    const { storage, session } = this.options
    const branch =
      afterMessage === null
        ? Messages.of()
        : await storage.messages(session, afterMessage === undefined ? {} : { to: afterMessage })
    const last = branch.last()
    if (last === undefined || applicationCallsOf(last).length === 0) return branch
    const results = await buildResultsForOpenCalls(last, new ToolCallLog(storage, session))
    await storage.append(session, results, { expectedHead: last.id })
    return branch.append(results)
  }

  /** Returns the options of a run that appends messages after the history. */
  async #start(options: SendOptions<unknown>): Promise<RunOptions> {
    const history = await this.#loadHistory(options)
    return { ...this.#prepare(history.last()?.id ?? null, options).options, history }
  }

  /** Appends a user message, runs the agent and returns the result. */
  async send<T = never>(prompt: MessagesInput, options: SendOptions<T> = {}): Promise<AgentResult<T>> {
    return this.options.agent.send(prompt, await this.#start(options))
  }

  /** Like {@link send}, but streams the run. */
  async stream<T = never>(prompt: MessagesInput, options: SendOptions<T> = {}): Promise<AgentStream<T>> {
    return this.options.agent.stream(prompt, await this.#start(options))
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
    const branch = await this.messages()
    const last = branch.last()
    if (last === undefined || isFinalMessage(last)) return undefined
    const run = this.#prepare(last.id, options)
    if (last.role !== 'assistant' || applicationCallsOf(last).length === 0) {
      return this.options.agent.send([], { ...run.options, history: branch })
    }
    run.guard.registerCalls(last)
    const open = await this.#toPausedRun(last, decisions, options)
    const history = branch.slice(0, -1)
    return this.options.agent.resume(open.paused, open.decisions, { ...run.options, history })
  }

  /** Converts a message with open calls into a paused run. Calls that had started were approved before. */
  async #toPausedRun(
    message: AssistantMessage,
    decisions: Decisions,
    options: SendOptions<unknown>,
  ): Promise<{ readonly paused: PausedRun; readonly decisions: Decisions }> {
    const { storage, session } = this.options
    const log = new ToolCallLog(storage, session)
    const started: [string, 'approve'][] = []
    const pending: PendingCall[] = []
    const nested: [string, NestedRun][] = []
    for (const call of applicationCallsOf(message)) {
      const known = await log.readLatestState(message.id, call.id)
      if (known.nested !== undefined) {
        nested.push([call.id, known.nested])
        for (const each of listNestedPendingCalls(call, known.nested)) pending.push(each)
        continue
      }
      pending.push({ call: stripExtra(call), waitsFor: 'approval' })
      if (known.state !== 'new') started.push([call.id, 'approve'])
    }
    const paused: PausedRun = {
      version: 1,
      id: options.id ?? generateId('run', options),
      message,
      results: [],
      pending,
      nestedRuns: Object.fromEntries(nested),
      steps: [],
      toolUses: {},
      orchestratorData: {},
      elapsedMs: 0,
    }
    return { paused, decisions: { ...decisions, ...Object.fromEntries(started) } }
  }

  /** Makes a message the head; the next message branches off after it. `null` is before the first message. */
  setHead(message: string | null): Promise<void> {
    return this.options.storage.setHead(this.options.session, message)
  }

  /** Returns to the last user message and runs the agent again. The old response remains as a branch. */
  async regenerate<T = never>(options: SendOptions<T> = {}): Promise<AgentResult<T>> {
    const lastUserMessage = (await this.messages()).toArray().findLast(({ role }) => role === 'user')
    if (lastUserMessage === undefined)
      throw new InterlinguaError(
        'invalid-value',
        'The conversation cannot be regenerated: it has no user message',
        { found: 'no user message', expected: 'at least one user message', hint: 'Call send() first.' },
      )
    await this.setHead(lastUserMessage.id)
    return this.send([], options)
  }

  /** Replaces an earlier message and continues from it. The old messages remain as a branch. */
  async edit<T = never>(
    id: string,
    prompt: MessagesInput,
    options: SendOptions<T> = {},
  ): Promise<AgentResult<T>> {
    const { storage, session } = this.options
    const message = await storage.get(session, id)
    if (message === undefined) throw createUnknownMessageError()
    const messages = toMessages(prompt).map((each) =>
      each.id === id ? { ...each, id: generateId('msg', options) } : each,
    )
    await this.setHead(message.parentId ?? null)
    return this.send(messages, options)
  }

  /** Creates a conversation that shares the history up to a message. */
  async fork(options: ForkOptions = {}): Promise<Conversation> {
    const { id } = await this.options.storage.fork(this.options.session, options)
    return new Conversation({ ...this.options, session: id })
  }

  /** Builds the run options that store new messages after `head` and guard the tools. */
  #prepare(
    head: string | null,
    { hooks, afterMessage: _afterMessage, ...options }: SendOptions<unknown>,
  ): { readonly options: RunOptions; readonly guard: AtMostOnceRunner } {
    const { agent, storage, session, context, onContext, runner = directRunner } = this.options
    const guard = new AtMostOnceRunner(runner, new ToolCallLog(storage, session), agent.options.tools ?? [])
    let expectedHead = head
    const own: RunOptions['hooks'] = {
      onMessage: async (message) => {
        if (message.id !== expectedHead) await storage.append(session, message, { expectedHead })
        expectedHead = message.id
        guard.registerCalls(message)
      },
      ...(context && {
        beforeModel: async (request) => {
          const { messages, trimmed } = await context(request.messages, createContextNotes(storage, session))
          if (trimmed.length > 0) onContext?.({ session, trimmed })
          return trimmed.length > 0 ? { ...request, messages } : request
        },
      }),
    }
    return { options: { ...options, runner: guard, hooks: joinHooks(own, hooks) }, guard }
  }
}

/** Tests whether nothing is left to do after a message: an assistant message without open calls or a pause. */
function isFinalMessage(message: Message): boolean {
  if (message.role !== 'assistant' || applicationCallsOf(message).length > 0) return false
  return message.finish?.reason !== 'pause'
}
