import { reasoningOf } from '../canonical/read/text.ts'
import type { Message } from '../canonical/model/message.ts'
import { abortable } from '../wire/abort.ts'
import { withResults, wordsOf } from './calls.ts'
import { type Clock, startClock } from './clock.ts'
import { OutputError, OutputFailure, Pause, RunError } from './errors.ts'
import { checkLimits, costOf, type Limits, usageOf } from './limits.ts'
import { LiveRun } from './live-run.ts'
import type { Orchestrator, StepResult } from './orchestrators/orchestrator.ts'
import type { PausedRun } from './paused.ts'
import type { AgentResult, RunFinish } from './result.ts'
import type { RunStart } from './start.ts'
import { Steering } from './steering.ts'

/** How a run ended. */
interface Ending {
  readonly finish: RunFinish
  readonly output?: StepResult['output']
  readonly paused?: PausedRun
}

/** A run from its prompt to its end; what it opens is closed whatever happens. */
export async function drive(
  start: Omit<RunStart, 'signal'>,
  prompt: readonly Message[],
  orchestrator: Orchestrator,
): Promise<AgentResult> {
  const { agent, options, paused } = start
  const limits = { ...agent.limits, ...options.limits }
  checkLimits(limits)
  const clock = startClock(options.signal, limits.time, paused?.elapsedMs)
  try {
    const run = new LiveRun({ ...start, signal: clock.signal })
    return await new Drive(run, orchestrator, start, limits, clock).toEnd(prompt)
  } finally {
    clock.stop()
  }
}

class Drive {
  readonly #run: LiveRun
  readonly #orchestrator: Orchestrator
  readonly #start: Omit<RunStart, 'signal'>
  readonly #limits: Limits
  readonly #clock: Clock
  readonly #steering: Steering

  constructor(
    run: LiveRun,
    orchestrator: Orchestrator,
    start: Omit<RunStart, 'signal'>,
    limits: Limits,
    clock: Clock,
  ) {
    this.#run = run
    this.#orchestrator = orchestrator
    this.#start = start
    this.#limits = limits
    this.#clock = clock
    this.#steering = start.options.steering ?? new Steering()
  }

  async toEnd(prompt: readonly Message[]): Promise<AgentResult> {
    try {
      const result = this.#result(await this.#ending(prompt))
      await this.#run.hooks.onEnd(result, this.#run)
      this.#run.emit({ finish: result.finish, usage: result.usage })
      return result
    } catch (error) {
      const partial = this.#result({ finish: { reason: 'error' } })
      throw error instanceof OutputFailure ? new OutputError(error, partial) : new RunError(error, partial)
    }
  }

  async #ending(prompt: readonly Message[]): Promise<Ending> {
    const run = this.#run
    try {
      await run.take(prompt)
      return await this.#steps()
    } catch (error) {
      if (error instanceof Pause) {
        const paused = run.pause(error.open, this.#clock.elapsed())
        return { finish: { reason: 'approval' }, ...(paused && { paused }) }
      }
      if (error instanceof OutputFailure) await run.take(error.messages)
      await run.takeRest()
      const broken = this.#clock.broken()
      if (broken === undefined) throw error
      return { finish: { reason: broken } }
    }
  }

  async #steps(): Promise<Ending> {
    const run = this.#run
    const orchestrator = this.#orchestrator
    try {
      await orchestrator.init?.(run)
      // What the run came to; what the user says meanwhile lets it go on nevertheless.
      let concluded: Ending | undefined
      for (;;) {
        const limit = this.#limit()
        if (limit !== undefined) {
          await run.takeRest()
          return concluded ?? { finish: { reason: limit } }
        }
        if (!run.resumes) await run.take(this.#steering.take())
        const step = await orchestrator.step(run)
        await run.take(withResults(step.messages))
        await run.hooks.onStep(step, run)
        concluded = conclusionOf(step)
        if (concluded !== undefined && this.#steering.waiting.length === 0) return concluded
        const stop = await this.#stopped()
        if (stop !== undefined) return concluded ?? { finish: stop }
      }
    } finally {
      await orchestrator.close?.(run)
    }
  }

  #limit(): RunFinish['reason'] | undefined {
    const { resumes, tally } = this.#run
    return this.#clock.look() ?? (resumes ? undefined : tally.reached(this.#limits))
  }

  async #stopped(): Promise<RunFinish | undefined> {
    const { agent, options } = this.#start
    const asked = Promise.resolve((options.stopWhen ?? agent.stopWhen)?.(this.#run))
    const stop = await abortable(asked, this.#clock.signal)
    if (stop === undefined || stop === false) return undefined
    return { reason: 'condition', ...(typeof stop === 'string' && { detail: stop }) }
  }

  #result({ finish, output, paused }: Ending): AgentResult {
    const { id, messages, losses } = this.#run
    const steps = this.#run.steps.slice(this.#run.earlier)
    const last = messages.findLast(({ role }) => role === 'assistant')
    const thinking = messages.map(reasoningOf).join('')
    const cost = costOf(steps)
    return {
      id,
      text: output?.text ?? (last === undefined ? '' : wordsOf(last)),
      ...(output && { output: output.value }),
      messages: [...messages],
      usage: usageOf(steps),
      ...(cost && { cost }),
      finish,
      losses: [...losses.values()],
      ...(thinking !== '' && { thinking }),
      steps,
      ...(paused && { paused }),
    }
  }
}

/** What a step that does not go on comes to. */
function conclusionOf({ goOn, finish = { reason: 'other' }, output }: StepResult): Ending | undefined {
  return goOn ? undefined : { finish, ...(output && { output }) }
}
