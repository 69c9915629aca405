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
import { type MessageInput, toMessages } from '../../canonical/collections/message-input.ts'
import { stripExtra } from '../../canonical/update/strip-extra.ts'
import { Messages } from '../../canonical/collections/messages.ts'
import type { AssistantMessage, Message } from '../../canonical/model/message.ts'
import { InterlinguaError } from '../../errors.ts'
import type { ContextReport, ContextStrategy } from '../context/strategy.ts'
import type { ConversationStorage, ForkOptions } from '../conversation-storage.ts'
import { unknownMessageError } from '../storage-errors.ts'
import { buildClosingResults, GuardedRunner } from './guarded-runner.ts'
import { createContextNotes } from './note-messages.ts'
import { StepLog } from './step-log.ts'

/** What a {@link Conversation} is made of. */
export interface ConversationOptions {
  readonly agent: Agent
  readonly storage: ConversationStorage
  /** The id of a session that exists. */
  readonly session: string
  /** What of a long conversation is sent to the model. Default: all of it. Everything stays stored. */
  readonly context?: ContextStrategy
  /** Told each time that the context was cut. */
  readonly onContext?: (report: ContextReport) => void
  /** How steps are carried out. Default: in this process, with the storage as their log. */
  readonly runner?: Runner
}

/** What a run of a conversation takes; its history is the conversation's own. */
export interface SendOptions<T = never>
  extends Omit<RunOptions, 'history' | 'runner'>, Partial<Pick<TypedRunOptions<T>, 'output'>> {
  /**
   * The message behind which it is said, `null` for none. Default: the end of the line. A run that is gone through again finds
   * what it has stored, and goes on behind it.
   */
  readonly afterMessage?: string | null
}

type PromptInput = MessageInput | Iterable<MessageInput>

/**
 * An agent with a memory: every message is stored before the next step begins, so a crash costs no more than the step that was
 * at work. The current line of the session is the history.
 *
 * @example
 * const conversation = new Conversation({ agent, storage, session: id })
 * await conversation.resume() // goes on with what a crash has interrupted, if there is something
 * const { text } = await conversation.send('How warm is it in Oslo?')
 */
export class Conversation {
  readonly options: ConversationOptions

  constructor(options: ConversationOptions) {
    this.options = Object.freeze({ ...options })
  }

  /** The current line. */
  messages(): Promise<Messages> {
    return this.options.storage.messages(this.options.session)
  }

  /** The line behind which something is said. Calls that a crash left open, and nobody resumed, are answered first. */
  async #loadHistory({ afterMessage }: SendOptions<unknown>): Promise<Messages> {
    const { storage, session } = this.options
    const line =
      afterMessage === null
        ? Messages.of()
        : await storage.messages(session, afterMessage === undefined ? {} : { to: afterMessage })
    const last = line.last()
    if (last === undefined || applicationCallsOf(last).length === 0) return line
    const answers = await buildClosingResults(last, new StepLog(storage, session))
    await storage.append(session, answers, { expectedHead: last.id })
    return line.append(answers)
  }

  /** Says something, and waits for the end of the run. */
  async send<T = never>(prompt: PromptInput, options: SendOptions<T> = {}): Promise<AgentResult<T>> {
    const history = await this.#loadHistory(options)
    const run = this.#prepare(history.last()?.id ?? null, options)
    return this.options.agent.send(prompt, { ...run.options, history })
  }

  /** The same as it happens. */
  async stream<T = never>(prompt: PromptInput, options: SendOptions<T> = {}): Promise<AgentStream<T>> {
    const history = await this.#loadHistory(options)
    const run = this.#prepare(history.last()?.id ?? null, options)
    return this.options.agent.stream(prompt, { ...run.options, history })
  }

  /**
   * Goes on where the line ends, if it does not end with an answer: asks the model, or runs the calls that are still open.
   * Finished tools are not run again, one that was at work only if it is idempotent. Takes decisions about calls that wait for
   * them. Gives nothing when there is nothing to do.
   */
  async resume<T = never>(
    decisions: Decisions = {},
    options: SendOptions<T> = {},
  ): Promise<AgentResult<T> | undefined> {
    const line = await this.messages()
    const last = line.last()
    if (last === undefined || isFinalMessage(last)) return undefined
    const run = this.#prepare(last.id, options)
    if (last.role !== 'assistant' || applicationCallsOf(last).length === 0) {
      return this.options.agent.send([], { ...run.options, history: line })
    }
    run.learn(last)
    const open = await this.#toPausedRun(last, decisions, options)
    const history = line.slice(0, -1)
    return this.options.agent.resume(open.paused, open.decisions, { ...run.options, history })
  }

  /** An answer whose calls are open, as a run that waits; calls that had begun were allowed to. */
  async #toPausedRun(
    message: AssistantMessage,
    given: Decisions,
    options: SendOptions<unknown>,
  ): Promise<{ readonly paused: PausedRun; readonly decisions: Decisions }> {
    const { storage, session } = this.options
    const log = new StepLog(storage, session)
    const begun: [string, 'approve'][] = []
    const pending: PendingCall[] = []
    const nested: [string, NestedRun][] = []
    for (const call of applicationCallsOf(message)) {
      const known = await log.readLatestState(message.id, call.id)
      if (known.nested !== undefined) {
        nested.push([call.id, known.nested])
        pending.push(...listNestedPendingCalls(call, known.nested))
        continue
      }
      pending.push({ call: stripExtra(call), waitsFor: 'approval' })
      if (known.state !== 'new') begun.push([call.id, 'approve'])
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
    return { paused, decisions: { ...given, ...Object.fromEntries(begun) } }
  }

  /** Makes a message the end of the line: what is said next branches off there. `null` is before the first one. */
  setHead(at: string | null): Promise<void> {
    return this.options.storage.setHead(this.options.session, at)
  }

  /** Goes back to the last thing that the user said, and answers it anew. The old answer stays as a branch. */
  async regenerate<T = never>(options: SendOptions<T> = {}): Promise<AgentResult<T>> {
    const asked = (await this.messages()).toArray().findLast(({ role }) => role === 'user')
    if (asked === undefined) throw noUserMessage()
    await this.setHead(asked.id)
    return this.send([], options)
  }

  /** Says something in place of an earlier message, and goes on from there. What was stays as a branch. */
  async edit<T = never>(
    id: string,
    prompt: PromptInput,
    options: SendOptions<T> = {},
  ): Promise<AgentResult<T>> {
    const { storage, session } = this.options
    const message = await storage.get(session, id)
    if (message === undefined) throw unknownMessageError()
    const messages = toMessages(prompt).map((each) => (each.id === id ? withNewId(each, options) : each))
    await this.setHead(message.parentId ?? null)
    return this.send(messages, options)
  }

  /** A conversation of its own with the same past, up to a message. */
  async fork(options: ForkOptions = {}): Promise<Conversation> {
    const { id } = await this.options.storage.fork(this.options.session, options)
    return new Conversation({ ...this.options, session: id })
  }

  /** What makes a run of the agent one of this conversation: it stores what is said behind `head`, and guards the tools. */
  #prepare(
    head: string | null,
    { hooks, afterMessage: _at, ...options }: SendOptions<unknown>,
  ): { readonly options: RunOptions; readonly learn: (message: Message) => void } {
    const { agent, storage, session, context, onContext, runner = directRunner } = this.options
    const guard = new GuardedRunner(runner, new StepLog(storage, session), agent.options.tools ?? [])
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
    return {
      options: { ...options, runner: guard, hooks: joinHooks(own, hooks) },
      learn: (message) => guard.registerCalls(message),
    }
  }
}

/** Whether a line may end with this message: an answer that waits for nothing. */
function isFinalMessage(message: Message): boolean {
  if (message.role !== 'assistant' || applicationCallsOf(message).length > 0) return false
  return message.finish?.reason !== 'pause'
}

function withNewId(message: Message, options: SendOptions<unknown>): Message {
  return { ...message, id: generateId('msg', options) }
}

function noUserMessage(): InterlinguaError {
  return new InterlinguaError('invalid-value', 'The conversation has nothing to answer', {
    found: 'no message of the user',
    expected: 'one at least',
    hint: 'Send something first.',
  })
}
