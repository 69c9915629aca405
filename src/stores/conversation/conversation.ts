import type { Agent } from '../../agent/agent.ts'
import { ownCallsOf } from '../../agent/calls.ts'
import type { RunOptions, TypedRunOptions } from '../../agent/options.ts'
import type { NestedRun, PausedRun, PendingCall } from '../../agent/paused.ts'
import type { AgentResult } from '../../agent/result.ts'
import { pendingInside } from '../../agent/tools/left-open.ts'
import { joinHooks } from '../../agent/hooks.ts'
import type { Decisions } from '../../agent/resumption.ts'
import { inline, type Runner } from '../../agent/runner.ts'
import type { AgentStream } from '../../agent/stream.ts'
import { freshId } from '../../canonical/build/identity.ts'
import { type MessageInput, toMessages } from '../../canonical/collections/input.ts'
import { Messages } from '../../canonical/collections/messages.ts'
import type { AssistantMessage, Message } from '../../canonical/model/message.ts'
import { InterlinguaError } from '../../errors.ts'
import type { ContextReport, ContextStrategy } from '../context/strategy.ts'
import type { ConversationStorage, ForkOptions } from '../contract.ts'
import { unknownMessage } from '../failures.ts'
import { closing, GuardedRunner } from './guard.ts'
import { contextNotes } from './notes.ts'
import { StepLog } from './steps.ts'

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
  readonly at?: string | null
}

type Input = MessageInput | Iterable<MessageInput>

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
    return this.options.storage.path(this.options.session)
  }

  /** The line behind which something is said. Calls that a crash left open, and nobody resumed, are answered first. */
  async #past({ at }: SendOptions<unknown>): Promise<Messages> {
    const { storage, session } = this.options
    const line = at === null ? Messages.of() : await storage.path(session, at === undefined ? {} : { to: at })
    const last = line.last()
    if (last === undefined || ownCallsOf(last).length === 0) return line
    const answers = await closing(last, new StepLog(storage, session))
    await storage.append(session, answers, { expectedHead: last.id })
    return line.append(answers)
  }

  /** Says something, and waits for the end of the run. */
  async send<T = never>(prompt: Input, options: SendOptions<T> = {}): Promise<AgentResult<T>> {
    const history = await this.#past(options)
    const run = this.#prepare(history.last()?.id ?? null, options)
    return this.options.agent.send(prompt, { ...run.options, history })
  }

  /** The same as it happens. */
  async stream<T = never>(prompt: Input, options: SendOptions<T> = {}): Promise<AgentStream<T>> {
    const history = await this.#past(options)
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
    if (last === undefined || isComplete(last)) return undefined
    const run = this.#prepare(last.id, options)
    if (last.role !== 'assistant' || ownCallsOf(last).length === 0) {
      return this.options.agent.send([], { ...run.options, history: line })
    }
    run.learn(last)
    const open = await this.#open(last, decisions, options)
    const history = line.slice(0, -1)
    return this.options.agent.resume(open.paused, open.decisions, { ...run.options, history })
  }

  /** An answer whose calls are open, as a run that waits; calls that had begun were allowed to. */
  async #open(
    message: AssistantMessage,
    given: Decisions,
    options: SendOptions<unknown>,
  ): Promise<{ readonly paused: PausedRun; readonly decisions: Decisions }> {
    const { storage, session } = this.options
    const log = new StepLog(storage, session)
    const begun: [string, 'approve'][] = []
    const pending: PendingCall[] = []
    const nested: [string, NestedRun][] = []
    for (const call of ownCallsOf(message)) {
      const known = await log.latest(message.id, call.id)
      if (known.nested !== undefined) {
        nested.push([call.id, known.nested])
        pending.push(...pendingInside(call, known.nested))
        continue
      }
      pending.push({ call, waitsFor: 'approval' })
      if (known.state !== 'new') begun.push([call.id, 'approve'])
    }
    const paused: PausedRun = {
      version: 1,
      id: options.id ?? freshId('run', options),
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
  branch(at: string | null): Promise<void> {
    return this.options.storage.navigate(this.options.session, at)
  }

  /** Goes back to the last thing that the user said, and answers it anew. The old answer stays as a branch. */
  async regenerate<T = never>(options: SendOptions<T> = {}): Promise<AgentResult<T>> {
    const asked = (await this.messages()).toArray().findLast(({ role }) => role === 'user')
    if (asked === undefined) throw nothingAsked()
    await this.branch(asked.id)
    return this.send([], options)
  }

  /** Says something in place of an earlier message, and goes on from there. What was stays as a branch. */
  async edit<T = never>(id: string, prompt: Input, options: SendOptions<T> = {}): Promise<AgentResult<T>> {
    const { storage, session } = this.options
    const message = await storage.get(session, id)
    if (message === undefined) throw unknownMessage()
    const messages = toMessages(prompt).map((each) => (each.id === id ? renewed(each, options) : each))
    await this.branch(message.parentId ?? null)
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
    { hooks, at: _at, ...options }: SendOptions<unknown>,
  ): { readonly options: RunOptions; readonly learn: (message: Message) => void } {
    const { agent, storage, session, context, onContext, runner = inline } = this.options
    const guard = new GuardedRunner(runner, new StepLog(storage, session), agent.options.tools ?? [])
    let expectedHead = head
    const own: RunOptions['hooks'] = {
      onMessage: async (message) => {
        if (message.id !== expectedHead) await storage.append(session, message, { expectedHead })
        expectedHead = message.id
        guard.learn(message)
      },
      ...(context && {
        beforeModel: async (request) => {
          const { messages, cut } = await context(request.messages, contextNotes(storage, session))
          if (cut.length > 0) onContext?.({ session, cut })
          return cut.length > 0 ? { ...request, messages } : request
        },
      }),
    }
    return {
      options: { ...options, runner: guard, hooks: joinHooks(own, hooks) },
      learn: (message) => guard.learn(message),
    }
  }
}

/** Whether a line may end with this message: an answer that waits for nothing. */
function isComplete(message: Message): boolean {
  if (message.role !== 'assistant' || ownCallsOf(message).length > 0) return false
  return message.finish?.reason !== 'pause'
}

function renewed(message: Message, options: SendOptions<unknown>): Message {
  return { ...message, id: freshId('msg', options) }
}

function nothingAsked(): InterlinguaError {
  return new InterlinguaError('invalid-value', 'The conversation has nothing to answer', {
    found: 'no message of the user',
    expected: 'one at least',
    hint: 'Send something first.',
  })
}
