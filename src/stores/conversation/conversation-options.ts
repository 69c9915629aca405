import type { Agent } from '../../agent/agent.ts'
import type { RunOptions, TypedRunOptions } from '../../agent/options.ts'
import type { Runner } from '../../agent/step-runner.ts'
import type { ContextReport, ContextStrategy } from '../context/strategy.ts'
import type { ConversationStorage } from '../conversation-storage.ts'
import { checkMethods } from '../../wire/check-methods.ts'
import { checkOptions } from '../../wire/check-options.ts'
import { withTypedErrors } from '../../wire/typed-errors.ts'
import { checkIdentifier, throwInvalidType } from '../check-arguments.ts'
import { type BusyOptions, checkBusyOptions } from './acquire-lease.ts'

/** Options of a {@link Conversation}. */
export interface ConversationOptions extends BusyOptions {
  readonly agent: Agent
  readonly storage: ConversationStorage
  /** Id of an existing session. */
  readonly session: string
  /** Selects the messages that are sent to the model. Default: all. The stored conversation does not change. */
  readonly context?: ContextStrategy
  /** Called whenever the context strategy trimmed or added something. */
  readonly onContext?: (report: ContextReport) => void
  /** Executes the steps of a run. Default: in this process, with the storage as log. */
  readonly runner?: Runner
}

/** Options of one run; the history comes from the stored conversation. */
export interface SendOptions<T = never>
  extends Omit<RunOptions, 'history' | 'runner'>, Partial<Pick<TypedRunOptions<T>, 'output'>> {
  /**
   * Id of the message after which to append, or `null` for the start. Default: the head. A run that is
   * replayed finds the messages it has stored already and continues after them. A function is called when
   * no other run works on the conversation any more.
   */
  readonly afterMessage?: string | null | (() => Promise<string | null>)
}

/** Options of another answer to a user message. */
export interface RegenerateOptions<T = never> extends SendOptions<T> {
  /** Id of the user message to answer again. Default: the last one. */
  readonly message?: string
}

/** Checks the options when a conversation is created, so that a mistake does not surface in a run. */
export function checkConversationOptions(options: ConversationOptions): void {
  withTypedErrors(() => {
    checkOptions('a conversation', options, {
      agent: true,
      storage: true,
      session: true,
      context: Function,
      onContext: Function,
      runner: true,
      whenBusy: true,
      maxWaitMs: true,
      leaseMs: true,
      reservedMs: true,
    })
    const { agent, storage, session, runner, context, onContext } = options
    checkMethods(agent, 'agent', 'an agent', ['send', 'stream', 'resume', 'resumeStream'])
    checkMethods(storage, 'storage', 'a storage', ['messages', 'append', 'head', 'setHead', 'acquireLease'])
    checkIdentifier(session, 'session')
    if (runner !== undefined) checkMethods(runner, 'runner', 'a runner', ['step'])
    for (const [name, value] of Object.entries({ context, onContext }))
      if (value !== undefined && typeof value !== 'function') throwInvalidType(name, value, 'a function')
    checkBusyOptions(options)
  }, [options])
}
