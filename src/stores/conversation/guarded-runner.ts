import { applicationCallsOf } from '../../agent/assistant-content.ts'
import type { NestedRun } from '../../agent/paused-run.ts'
import { parseToolStepKey, type Runner } from '../../agent/runner.ts'
import { createErrorResult } from '../../agent/tools/tool-output.ts'
import type { ToolInput } from '../../agent/tools/tool.ts'
import { toolResults } from '../../canonical/build/messages.ts'
import type { Message, ToolMessage } from '../../canonical/model/message.ts'
import type { ToolCallPart, ToolResultPart } from '../../canonical/model/part.ts'
import { digestText } from '../../wire/digest.ts'
import type { StepLog } from './step-log.ts'

/** What the model is told of a call that never began. */
const NOT_RUN_MESSAGE = 'This call was not run: the conversation went on without it.'

/** What the model is told of a call that may or may not have done its work. */
const INTERRUPTED_MESSAGE =
  'This call was interrupted, and it is not known whether it had an effect. It was not run again.'

type ToolStepOutcome = ToolResultPart | NestedRun

/** A call, and the answer that holds it. */
interface KnownCall {
  readonly answer: string
  readonly call: ToolCallPart
}

/**
 * Runs every tool at most once, unless it says that twice does no harm: what is finished is given from the log, and what was
 * at work when the process ended is answered as interrupted. It works inside of a runner's step, whatever that is.
 */
export class GuardedRunner implements Runner {
  readonly #runner: Runner
  readonly #log: StepLog
  readonly #idempotentTools: ReadonlySet<string>
  readonly #calls = new Map<string, KnownCall>()

  constructor(runner: Runner, log: StepLog, tools: readonly ToolInput[]) {
    this.#runner = runner
    this.#log = log
    this.#idempotentTools = new Set(
      tools.flatMap((each) => ('idempotent' in each && each.idempotent ? each.name : [])),
    )
  }

  /** Learns the calls of an answer, before they run. */
  registerCalls(message: Message): void {
    for (const call of applicationCallsOf(message)) this.#calls.set(call.id, { answer: message.id, call })
  }

  step<T>(key: string, work: () => Promise<T>): Promise<T> {
    const { id = '', pauses = 0 } = parseToolStepKey(key) ?? {}
    const known = this.#calls.get(id)
    if (known === undefined) return this.#runner.step(key, work)
    // A step of a tool gives its result, or what an agent inside of it left open.
    const run = work as unknown as () => Promise<ToolStepOutcome>
    return this.#runner.step(key, () => this.#runOnce(known, pauses, run)) as Promise<T>
  }

  async #runOnce(
    { answer, call }: KnownCall,
    pauses: number,
    work: () => Promise<ToolStepOutcome>,
  ): Promise<ToolStepOutcome> {
    const state = await this.#log.begin(answer, call.id, pauses)
    if (typeof state === 'object') return state
    const run = state === 'new' || this.#idempotentTools.has(call.name)
    const given = run ? await work() : createErrorResult(call, INTERRUPTED_MESSAGE)
    await this.#log.finish(answer, call.id, given, pauses)
    return given
  }
}

/** Results for the calls of an answer that are open: what is known of each. Made again, it is the same message. */
export async function buildClosingResults(answer: Message, log: StepLog): Promise<ToolMessage> {
  const results: ToolResultPart[] = []
  for (const call of applicationCallsOf(answer)) {
    const { state, nested } = await log.readLatestState(answer.id, call.id)
    if (typeof state === 'object' && 'type' in state) results.push(state)
    else
      results.push(
        createErrorResult(
          call,
          state === 'new' && nested === undefined ? NOT_RUN_MESSAGE : INTERRUPTED_MESSAGE,
        ),
      )
  }
  return toolResults(results, { id: `msg_${digestText(`closing ${answer.id}`).slice(0, 24)}` })
}
