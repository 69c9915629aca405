import { joinHooks } from '../../agent/hooks.ts'
import type { RunOptions } from '../../agent/options.ts'
import { directRunner } from '../../agent/step-runner.ts'
import type { Message } from '../../canonical/model/message.ts'
import { AtMostOnceRunner } from './at-most-once-runner.ts'
import type { ConversationOptions, SendOptions } from './conversation-options.ts'
import type { HeldLease } from './held-lease.ts'
import { createContextNotes } from './context-notes.ts'
import { ToolCallLog } from './tool-call-log.ts'

/** Where a run stores its next message. */
export interface RunPosition {
  /** Id of the head; the write fails with `conflict` if the head is another message. */
  readonly head: string | null
  /** Id of the message after which the next one is stored. If it is not the head, a branch starts there. */
  readonly after: string | null
}

/** A run that stores each message before the next step starts, and runs each tool call at most once. */
export class StoredRun {
  readonly log: ToolCallLog
  readonly #conversation: ConversationOptions
  readonly #lease: HeldLease
  readonly #guard: AtMostOnceRunner
  #position: RunPosition

  constructor(conversation: ConversationOptions, lease: HeldLease, position: RunPosition) {
    const { agent, session, runner = directRunner } = conversation
    this.#conversation = conversation
    this.#lease = lease
    this.#position = position
    this.log = new ToolCallLog(lease.storage, session)
    this.#guard = new AtMostOnceRunner(runner, this.log, agent.options.tools ?? [])
  }

  /** Stores a message. The head moves with the first one, so a run that stores nothing leaves it unchanged. */
  async store(message: Message): Promise<void> {
    if (this.#guard.takenOver !== undefined) throw this.#guard.takenOver
    const { head, after } = this.#position
    const { session } = this.#conversation
    const branch = after === head ? {} : { after }
    if (message.id !== after)
      await this.#lease.storage.append(session, message, { expectedHead: head, ...branch })
    this.#position = { head: message.id, after: message.id }
    this.registerCalls(message)
  }

  /** Registers the calls of an assistant message before they run. */
  registerCalls(message: Message): void {
    this.#guard.registerCalls(message)
  }

  /** Returns the options of the agent's run. */
  toRunOptions({ hooks, afterMessage: _afterMessage, ...options }: SendOptions<unknown>): RunOptions {
    const { session, context, onContext } = this.#conversation
    const own: RunOptions['hooks'] = {
      onMessage: (message) => this.store(message),
      ...(context && {
        beforeModel: async (request) => {
          const notes = createContextNotes(this.#lease.storage, session)
          const { messages, trimmed, added = [] } = await context(request.messages, notes)
          if (trimmed.length === 0 && added.length === 0) return request
          onContext?.({ session, trimmed, added })
          return { ...request, messages }
        },
      }),
    }
    const signals = [this.#lease.signal, ...(options.signal ? [options.signal] : [])]
    return {
      ...options,
      runner: this.#guard,
      signal: AbortSignal.any(signals),
      hooks: joinHooks(own, hooks),
    }
  }
}
