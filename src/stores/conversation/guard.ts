import { ownCallsOf } from '../../agent/calls.ts'
import type { Runner } from '../../agent/runner.ts'
import { errorResult } from '../../agent/tools/output.ts'
import type { ToolInput } from '../../agent/tools/tool.ts'
import { toolResults } from '../../canonical/build/messages.ts'
import type { Message, ToolMessage } from '../../canonical/model/message.ts'
import type { ToolCallPart, ToolResultPart } from '../../canonical/model/part.ts'
import { digestText } from '../../wire/digest.ts'
import type { StepLog } from './steps.ts'

/** What the model is told of a call that never began. */
const NOT_RUN = 'This call was not run: the conversation went on without it.'

/** What the model is told of a call that may or may not have done its work. */
const INTERRUPTED =
  'This call was interrupted, and it is not known whether it had an effect. It was not run again.'

const TOOL = 'tool/'

/**
 * Runs every tool at most once, unless it says that twice does no harm: what is finished is given from the log, and what was
 * at work when the process ended is answered as interrupted. It works inside of a runner's step, whatever that is.
 */
export class GuardedRunner implements Runner {
  readonly #runner: Runner
  readonly #log: StepLog
  readonly #idempotent: ReadonlySet<string>
  readonly #calls = new Map<string, { readonly answer: string; readonly call: ToolCallPart }>()

  constructor(runner: Runner, log: StepLog, tools: readonly ToolInput[]) {
    this.#runner = runner
    this.#log = log
    this.#idempotent = new Set(
      tools.flatMap((each) => ('idempotent' in each && each.idempotent ? each.name : [])),
    )
  }

  /** Learns the calls of an answer, before they run. */
  learn(message: Message): void {
    for (const call of ownCallsOf(message)) this.#calls.set(call.id, { answer: message.id, call })
  }

  step<T>(key: string, work: () => Promise<T>): Promise<T> {
    const known = key.startsWith(TOOL) ? this.#calls.get(key.slice(TOOL.length)) : undefined
    if (known === undefined) return this.#runner.step(key, work)
    // A step of a tool gives its result.
    const run = work as unknown as () => Promise<ToolResultPart>
    return this.#runner.step(key, () => this.#once(known.answer, known.call, run)) as Promise<T>
  }

  async #once(
    answer: string,
    call: ToolCallPart,
    work: () => Promise<ToolResultPart>,
  ): Promise<ToolResultPart> {
    const state = await this.#log.begin(answer, call.id)
    if (typeof state === 'object') return state
    const run = state === 'new' || this.#idempotent.has(call.name)
    const result = run ? await work() : errorResult(call, INTERRUPTED)
    await this.#log.finish(answer, call.id, result)
    return result
  }
}

/** Results for the calls of an answer that are open: what is known of each. Made again, it is the same message. */
export async function closing(answer: Message, log: StepLog): Promise<ToolMessage> {
  const results: ToolResultPart[] = []
  for (const call of ownCallsOf(answer)) {
    const state = await log.stateOf(answer.id, call.id)
    if (typeof state === 'object') results.push(state)
    else results.push(errorResult(call, state === 'new' ? NOT_RUN : INTERRUPTED))
  }
  return toolResults(results, { id: `msg_${digestText(`closing ${answer.id}`).slice(0, 24)}` })
}
