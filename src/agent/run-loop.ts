import { reasoningOf } from '../canonical/read/message-content.ts'
import type { Message } from '../canonical/model/message.ts'
import { rejectOnAbort } from '../wire/cancellation.ts'
import { addMissingResults, modelTextOf } from './assistant-content.ts'
import { assertNumericLimits, type RunLimits, type RunTimer, startRunTimer } from './run-limits.ts'
import { OutputError, OutputFailure, PauseSignal, RunError } from './run-errors.ts'
import { sumCost, sumUsage } from './step.ts'
import { RunState } from './run-state.ts'
import type { Orchestrator, StepResult } from './orchestrators/orchestrator.ts'
import type { PausedRun } from './paused-run.ts'
import type { AgentResult, RunFinish } from './agent-result.ts'
import type { RunOptions } from './options.ts'
import type { RunInput } from './run-input.ts'
import { MessageQueue } from './message-queue.ts'

/** The outcome of a run. */
interface RunOutcome {
  readonly finish: RunFinish
  readonly output?: StepResult['output']
  readonly paused?: PausedRun
}

/** The objects that a run works with. */
interface RunContext {
  readonly run: RunState
  readonly orchestrator: Orchestrator
  readonly limits: RunLimits
  readonly timer: RunTimer
  readonly messageQueue: MessageQueue
  readonly stopWhen: RunOptions['stopWhen'] | undefined
}

/** Executes a run from its prompt to its end, and always releases its timer. */
export async function runLoop(
  input: RunInput,
  prompt: readonly Message[],
  orchestrator: Orchestrator,
): Promise<AgentResult> {
  const { agent, options, resumption } = input
  const { messageQueue = new MessageQueue(), stopWhen = agent.stopWhen } = options
  const limits = { ...agent.limits, ...options.limits }
  assertNumericLimits(limits)
  const timer = startRunTimer(options.signal, limits.timeMs, resumption?.paused.elapsedMs)
  try {
    const run = new RunState(input, timer.signal)
    return await runToResult({ run, orchestrator, limits, timer, messageQueue, stopWhen }, prompt)
  } finally {
    timer.stop()
  }
}

async function runToResult(context: RunContext, prompt: readonly Message[]): Promise<AgentResult> {
  const { run } = context
  try {
    const result = buildResult(run, await runToOutcome(context, prompt))
    await run.hooks.onEnd(result, run)
    const pending = result.paused && { pending: result.paused.pending }
    run.emit({ finish: result.finish, usage: result.usage, ...pending })
    return result
  } catch (error) {
    const partial = buildResult(run, { finish: { reason: 'error' } })
    throw error instanceof OutputFailure ? new OutputError(error, partial) : new RunError(error, partial)
  }
}

async function runToOutcome(context: RunContext, prompt: readonly Message[]): Promise<RunOutcome> {
  const { run, timer } = context
  try {
    await run.addMessages(prompt)
    return await runSteps(context)
  } catch (error) {
    if (error instanceof PauseSignal) {
      const paused = run.toPausedRun(error.batch, timer.elapsedMs())
      return { finish: { reason: 'approval' }, ...(paused && { paused }) }
    }
    if (error instanceof OutputFailure) await run.addMessages(error.messages)
    await run.addUnfinishedRound()
    const reason = timer.abortReason()
    if (reason === undefined) throw error
    return { finish: { reason } }
  }
}

async function runSteps(context: RunContext): Promise<RunOutcome> {
  const { run, orchestrator, limits, timer, messageQueue } = context
  try {
    await orchestrator.init?.(run)
    // A message that the user queued meanwhile continues a run that already has an outcome.
    let outcome: RunOutcome | undefined
    for (;;) {
      const limit = timer.checkDeadline() ?? (run.isResuming ? undefined : run.totals.reachedLimit(limits))
      if (limit !== undefined) {
        await run.addUnfinishedRound()
        return outcome ?? { finish: { reason: limit } }
      }
      if (!run.isResuming) await run.addMessages(messageQueue.drain())
      const step = await orchestrator.step(run)
      await run.addMessages(addMissingResults(step.messages))
      await run.hooks.onStep(step, run)
      const { shouldContinue, finish = { reason: 'other' }, output } = step
      outcome = shouldContinue ? undefined : { finish, ...(output && { output }) }
      if (outcome !== undefined && messageQueue.pending.length === 0) return outcome
      const stop = await evaluateStopWhen(context)
      if (stop !== undefined) return outcome ?? { finish: stop }
    }
  } finally {
    await orchestrator.close?.(run)
  }
}

async function evaluateStopWhen({ run, timer, stopWhen }: RunContext): Promise<RunFinish | undefined> {
  const stop = await rejectOnAbort(Promise.resolve(stopWhen?.(run)), timer.signal)
  if (stop === undefined || stop === false) return undefined
  return { reason: 'condition', ...(typeof stop === 'string' && { detail: stop }) }
}

function buildResult(run: RunState, { finish, output, paused }: RunOutcome): AgentResult {
  const { id, messages, losses } = run
  const steps = run.steps.slice(run.stepsBeforePause)
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
