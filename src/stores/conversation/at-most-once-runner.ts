import { applicationCallsOf } from '../../agent/assistant-content.ts'
import { parseToolStepKey, type Runner } from '../../agent/runner.ts'
import { createErrorResult } from '../../agent/tools/tool-output.ts'
import type { ToolInput } from '../../agent/tools/tool.ts'
import { toolResults } from '../../canonical/build/messages.ts'
import type { Message, ToolMessage } from '../../canonical/model/message.ts'
import type { ToolCallPart, ToolResultPart } from '../../canonical/model/part.ts'
import { digestText } from '../../wire/digest.ts'
import type { ToolCallLog, LoggedCallOutcome } from './tool-call-log.ts'

/** Result for the model of a call that never started. */
const NOT_RUN_MESSAGE = 'This call was not run: the conversation continued without it.'

/** Result for the model of a call that may have had an effect. */
const INTERRUPTED_MESSAGE =
  'This call was interrupted, and it is not known whether it had an effect. It was not run again.'

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

  step<T>(key: string, work: () => Promise<T>): Promise<T> {
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

/** Builds results for the open calls of a message from the log. Repeating it yields the same message id. */
export async function buildResultsForOpenCalls(message: Message, log: ToolCallLog): Promise<ToolMessage> {
  const results: ToolResultPart[] = []
  for (const call of applicationCallsOf(message)) {
    const { state, nested } = await log.readLatestState(message.id, call.id)
    const reason = state === 'new' && nested === undefined ? NOT_RUN_MESSAGE : INTERRUPTED_MESSAGE
    results.push(typeof state === 'object' ? state : createErrorResult(call, reason))
  }
  return toolResults(results, { id: `msg_${digestText(`closing ${message.id}`).slice(0, 24)}` })
}
