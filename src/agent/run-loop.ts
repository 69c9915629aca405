import { reasoningOf } from '../canonical/read/message-content.ts'
import type { Message } from '../canonical/model/message.ts'
import { rejectOnAbort } from '../wire/cancellation.ts'
import { addMissingResults, modelTextOf } from './assistant-content.ts'
import { type RunTimer, startRunTimer } from './run-timer.ts'
import { OutputError, OutputFailure, PauseSignal, RunError } from './run-errors.ts'
import { checkLimits, type Limits } from './run-limits.ts'
import { sumCost, sumUsage } from './step.ts'
import { RunState } from './run-state.ts'
import type { Orchestrator, StepResult } from './orchestrators/orchestrator.ts'
import type { PausedRun } from './paused-run.ts'
import type { AgentResult, RunFinish } from './agent-result.ts'
import type { RunSetup } from './run-setup.ts'
import { MessageQueue } from './message-queue.ts'

/** The outcome of a run. */
interface RunOutcome {
  readonly finish: RunFinish
  readonly output?: StepResult['output']
  readonly paused?: PausedRun
}

/** Executes a run from its prompt to its end, and always releases its timer. */
export async function runLoop(
  setup: Omit<RunSetup, 'signal'>,
  prompt: readonly Message[],
  orchestrator: Orchestrator,
): Promise<AgentResult> {
  const { agent, options, paused } = setup
  const limits = { ...agent.limits, ...options.limits }
  checkLimits(limits)
  const timer = startRunTimer(options.signal, limits.timeMs, paused?.elapsedMs)
  try {
    const run = new RunState({ ...setup, signal: timer.signal })
    return await new RunLoop(run, orchestrator, setup, limits, timer).execute(prompt)
  } finally {
    timer.stop()
  }
}

class RunLoop {
  readonly #run: RunState
  readonly #orchestrator: Orchestrator
  readonly #setup: Omit<RunSetup, 'signal'>
  readonly #limits: Limits
  readonly #timer: RunTimer
  readonly #messageQueue: MessageQueue

  constructor(
    run: RunState,
    orchestrator: Orchestrator,
    setup: Omit<RunSetup, 'signal'>,
    limits: Limits,
    timer: RunTimer,
  ) {
    this.#run = run
    this.#orchestrator = orchestrator
    this.#setup = setup
    this.#limits = limits
    this.#timer = timer
    this.#messageQueue = setup.options.messageQueue ?? new MessageQueue()
  }

  async execute(prompt: readonly Message[]): Promise<AgentResult> {
    try {
      const result = this.#buildResult(await this.#runToOutcome(prompt))
      await this.#run.hooks.onEnd(result, this.#run)
      this.#run.emit({ finish: result.finish, usage: result.usage })
      return result
    } catch (error) {
      const partial = this.#buildResult({ finish: { reason: 'error' } })
      throw error instanceof OutputFailure ? new OutputError(error, partial) : new RunError(error, partial)
    }
  }

  async #runToOutcome(prompt: readonly Message[]): Promise<RunOutcome> {
    const run = this.#run
    try {
      await run.addMessages(prompt)
      return await this.#runSteps()
    } catch (error) {
      if (error instanceof PauseSignal) {
        const paused = run.toPausedRun(error.batch, this.#timer.elapsedMs())
        return { finish: { reason: 'approval' }, ...(paused && { paused }) }
      }
      if (error instanceof OutputFailure) await run.addMessages(error.messages)
      await run.addUnfinishedRound()
      const reason = this.#timer.abortReason()
      if (reason === undefined) throw error
      return { finish: { reason } }
    }
  }

  async #runSteps(): Promise<RunOutcome> {
    const run = this.#run
    const orchestrator = this.#orchestrator
    try {
      await orchestrator.init?.(run)
      // A message that the user queued meanwhile continues a run that already has an outcome.
      let outcome: RunOutcome | undefined
      for (;;) {
        const limit = this.#reachedLimit()
        if (limit !== undefined) {
          await run.addUnfinishedRound()
          return outcome ?? { finish: { reason: limit } }
        }
        if (!run.isResuming) await run.addMessages(this.#messageQueue.drain())
        const step = await orchestrator.step(run)
        await run.addMessages(addMissingResults(step.messages))
        await run.hooks.onStep(step, run)
        outcome = outcomeOf(step)
        if (outcome !== undefined && this.#messageQueue.pending.length === 0) return outcome
        const stop = await this.#evaluateStopWhen()
        if (stop !== undefined) return outcome ?? { finish: stop }
      }
    } finally {
      await orchestrator.close?.(run)
    }
  }

  #reachedLimit(): RunFinish['reason'] | undefined {
    const { isResuming, totals } = this.#run
    return this.#timer.checkDeadline() ?? (isResuming ? undefined : totals.reachedLimit(this.#limits))
  }

  async #evaluateStopWhen(): Promise<RunFinish | undefined> {
    const { agent, options } = this.#setup
    const decision = Promise.resolve((options.stopWhen ?? agent.stopWhen)?.(this.#run))
    const stop = await rejectOnAbort(decision, this.#timer.signal)
    if (stop === undefined || stop === false) return undefined
    return { reason: 'condition', ...(typeof stop === 'string' && { detail: stop }) }
  }

  #buildResult({ finish, output, paused }: RunOutcome): AgentResult {
    const { id, messages, losses } = this.#run
    const steps = this.#run.steps.slice(this.#run.stepsBeforePause)
    const last = messages.findLast(({ role }) => role === 'assistant')
    const thinking = messages.map(reasoningOf).join('')
    const cost = sumCost(steps)
    return {
      id,
      text: output?.text ?? (last === undefined ? '' : modelTextOf(last)),
      ...(output && { output: output.value }),
      messages: [...messages],
      usage: sumUsage(steps),
      ...(cost && { cost }),
      finish,
      losses: [...losses.values()],
      ...(thinking !== '' && { thinking }),
      steps,
      ...(paused && { paused }),
    }
  }
}

/** Returns the outcome of the last step; undefined if the run continues. */
function outcomeOf({
  shouldContinue,
  finish = { reason: 'other' },
  output,
}: StepResult): RunOutcome | undefined {
  return shouldContinue ? undefined : { finish, ...(output && { output }) }
}
