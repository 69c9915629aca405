import { applicationCallsOf } from '../../agent/assistant-content.ts'
import { parseToolStepKey, type Runner } from '../../agent/step-runner.ts'
import { createErrorResult } from '../../agent/tools/tool-output.ts'
import type { ToolInput } from '../../agent/tools/tool.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { ToolCallPart } from '../../canonical/model/part.ts'
import { INTERRUPTED_MESSAGE } from './results-for-open-calls.ts'
import { RunTakenOverError } from './run-taken-over-error.ts'
import type { ToolCallLog, LoggedCallOutcome } from './tool-call-log.ts'

/** A call and the id of its assistant message. */
interface KnownCall {
  readonly messageId: string
  readonly call: ToolCallPart
}

/**
 * Runs every tool call at most once unless its tool is idempotent. A finished call returns its logged result,
 * and an interrupted one returns an error result. Works inside the steps of any runner.
 */
export class AtMostOnceRunner implements Runner {
  /** The reason why the run must not store anything more. */
  takenOver: RunTakenOverError | undefined
  readonly #runner: Runner
  readonly #log: ToolCallLog
  readonly #idempotentTools: ReadonlySet<string>
  readonly #calls = new Map<string, KnownCall>()

  constructor(runner: Runner, log: ToolCallLog, tools: readonly ToolInput[]) {
    this.#runner = runner
    this.#log = log
    this.#idempotentTools = new Set(
      tools.flatMap((each) => ('idempotent' in each && each.idempotent ? each.name : [])),
    )
  }

  /** Registers the calls of an assistant message before they run. */
  registerCalls(message: Message): void {
    for (const call of applicationCallsOf(message)) this.#calls.set(call.id, { messageId: message.id, call })
  }

  async step<T>(key: string, work: () => Promise<T>): Promise<T> {
    try {
      return await this.#runStep(key, work)
    } catch (error) {
      if (error instanceof RunTakenOverError) this.takenOver = error
      throw error
    }
  }

  #runStep<T>(key: string, work: () => Promise<T>): Promise<T> {
    const { id = '', pauses = 0 } = parseToolStepKey(key) ?? {}
    const known = this.#calls.get(id)
    if (known === undefined) return this.#runner.step(key, work)
    // The step of a tool returns its result or a paused nested run.
    const run = work as unknown as () => Promise<LoggedCallOutcome>
    return this.#runner.step(key, () => this.#runOnce(known, pauses, run)) as Promise<T>
  }

  async #runOnce(
    { messageId, call }: KnownCall,
    pauses: number,
    work: () => Promise<LoggedCallOutcome>,
  ): Promise<LoggedCallOutcome> {
    const state = await this.#log.begin(messageId, call.id, pauses)
    if (typeof state === 'object') return state
    const shouldRun = state === 'new' || this.#idempotentTools.has(call.name)
    const outcome = shouldRun ? await work() : createErrorResult(call, INTERRUPTED_MESSAGE)
    await this.#log.finish(messageId, call.id, pauses, outcome)
    return outcome
  }
}
