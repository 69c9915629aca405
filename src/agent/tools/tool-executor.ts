import { stripExtra } from '../../canonical/update/strip-extra.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { ToolCallPart, ToolResultPart } from '../../canonical/model/part.ts'
import { InterlinguaError } from '../../errors.ts'
import { omitUndefined, type Json } from '../../wire/json.ts'
import type { Step } from '../step.ts'
import type { NestedResumption } from '../resumption.ts'
import { directRunner, type Runner, createToolStepKey } from '../step-runner.ts'
import { rejectOnAbort } from '../../wire/cancellation.ts'
import { ConcurrencyLimiter } from '../../wire/concurrency.ts'
import type { AgentTracer } from '../agent-tracer.ts'
import type { NestedRun } from '../paused-run.ts'
import { invokeTool, type ToolInvocation } from './invoke-tool.ts'
import { type ToolBatchResult, groupOutcomes, type ToolBatchOptions, type CallOutcome } from './tool-batch.ts'
import { type Decision, parseDecision } from './decision.ts'
import { createAbortedResult, createErrorResult, toToolResult } from './tool-output.ts'
import { type PreparedCall, prepareCalls, type RunnableCall } from './prepare-calls.ts'
import type { ApprovalHandler, ToolInput } from './tool.ts'
import { ToolSet } from './tool-set.ts'
import { DEFAULT_CALLS_PER_ANSWER } from '../run-limits.ts'
import { checkAndFreezePart } from '../../canonical/shape/part.ts'

/** Options of a {@link ToolExecutor}. */
export interface ToolExecutorOptions {
  readonly tools: ToolSet | Iterable<ToolInput>
  /** The number of tools that run at the same time. Default: 8. */
  readonly concurrency?: number
  /** The calls of one batch that run; further ones get an error result. Default: 100. */
  readonly maxCalls?: number
  /** The time limit for one attempt of a tool that has no `timeoutMs` of its own. Default: none. */
  readonly timeoutMs?: number
  readonly approve?: ApprovalHandler
  readonly runner?: Runner
  readonly tracer?: AgentTracer
  readonly signal?: AbortSignal
  readonly runId?: string
  /** Returns the current conversation for the context of tools. */
  readonly messages?: () => Iterable<Message>
  /** Called before each tool runs; a decision replaces the run. */
  readonly beforeTool?: (call: ToolCallPart) => Promise<Decision | undefined>
  /** Called with each result; may return another. */
  readonly afterTool?: (result: ToolResultPart, call: ToolCallPart) => Promise<ToolResultPart>
  readonly onProgress?: (call: ToolCallPart, progress: Json) => void
  /** Called with the steps of a nested agent. */
  readonly onSteps?: (call: ToolCallPart, steps: readonly Step[]) => void
  /** The number of calls of each tool in earlier batches. */
  readonly uses?: Iterable<readonly [string, number]>
}

/**
 * Runs the tool calls of an assistant message in parallel, up to a limit. Results are in the order of the
 * calls. Every failure becomes an error result, so that the model can correct itself.
 *
 * @example
 * const executor = new ToolExecutor({ tools: [weather], concurrency: 4 })
 * const { results } = await executor.executeBatch(toolCallsOf(message))
 */
export class ToolExecutor {
  readonly #options: ToolExecutorOptions
  readonly #tools: ToolSet
  readonly #limiter: ConcurrencyLimiter
  readonly #maxCalls: number
  readonly #runner: Runner
  readonly #signal: AbortSignal
  #uses: Map<string, number>

  constructor(options: ToolExecutorOptions) {
    this.#options = options
    this.#tools = options.tools instanceof ToolSet ? options.tools : new ToolSet(options.tools)
    this.#limiter = new ConcurrencyLimiter(options.concurrency ?? 8)
    this.#maxCalls = options.maxCalls ?? DEFAULT_CALLS_PER_ANSWER
    this.#runner = options.runner ?? directRunner
    this.#signal = options.signal ?? new AbortController().signal
    this.#uses = new Map(options.uses)
  }

  /** The number of calls of each tool in completed batches. */
  get uses(): ReadonlyMap<string, number> {
    return this.#uses
  }

  async executeBatch(
    calls: readonly ToolCallPart[],
    { knownResults, blockedCalls, decisions, nested, onResult }: ToolBatchOptions = {},
  ): Promise<ToolBatchResult> {
    const uses = new Map(this.#uses)
    const prepared = await this.#prepare(calls, uses, blockedCalls)
    const outcomes = await Promise.allSettled(
      prepared.map(async (each): Promise<CallOutcome> => {
        const { call } = each
        const knownResult = knownResults?.get(call.id)
        if (knownResult !== undefined) return knownResult
        let outcome: CallOutcome = createAbortedResult(call)
        if (this.#signal.aborted) return outcome
        try {
          outcome = await this.#resolveCall(each, decisions?.get(call.id), nested?.get(call.id))
          return 'type' in outcome ? await this.#applyAfterTool(outcome, call, onResult) : outcome
        } catch (error) {
          if (this.#signal.aborted) return outcome
          throw error
        }
      }),
    )
    // All calls are awaited before an error is thrown, so that no tool keeps running unobserved.
    const settled = outcomes.map((outcome) => {
      if (outcome.status === 'rejected') throw outcome.reason
      const { value } = outcome
      // An aborted run does not wait for decisions.
      return !('type' in value) && this.#signal.aborted ? createAbortedResult(value.call) : value
    })
    const batch = groupOutcomes(settled)
    if (batch.pending.length === 0) this.#uses = uses
    return batch
  }

  /** Validation by a schema may be slow; it is not awaited after an abort. */
  async #prepare(
    calls: readonly ToolCallPart[],
    uses: Map<string, number>,
    refused: ToolBatchOptions['blockedCalls'],
  ): Promise<readonly PreparedCall[]> {
    try {
      return await rejectOnAbort(
        prepareCalls(calls, this.#tools, uses, { refused, maxCalls: this.#maxCalls }),
        this.#signal,
      )
    } catch (error) {
      if (!this.#signal.aborted) throw error
      return calls.map((call) => ({ call, refused: createAbortedResult(call) }))
    }
  }

  /** Decides about a call and runs it. Approval handlers and hooks may hang, so an abort rejects. */
  async #resolveCall(
    prepared: PreparedCall,
    decision: Decision | undefined,
    nested: NestedResumption | undefined,
  ): Promise<CallOutcome> {
    const { call } = prepared
    if ('refused' in prepared) return prepared.refused
    if (nested !== undefined && prepared.tool.isAgent) return this.#run(prepared, nested)
    // A separate signal for each call: Node warns about a leak when one signal has many listeners.
    const signal = AbortSignal.any([this.#signal])
    const finalDecision = decision ?? (await rejectOnAbort(this.#decide(prepared), signal))
    if (typeof finalDecision === 'object' || finalDecision === 'deny')
      return resultOfDecision(call, finalDecision)
    if (prepared.tool.run === undefined) return { call: stripExtra(call), waitsFor: 'execution' }
    if (finalDecision === 'wait') return { call: stripExtra(call), waitsFor: 'approval' }
    const hookResult = this.#options.beforeTool?.(call)
    const hookDecision = parseDecision(hookResult && (await rejectOnAbort(hookResult, signal))) ?? 'approve'
    return hookDecision === 'approve' ? this.#run(prepared) : resultOfDecision(call, hookDecision)
  }

  async #decide({ tool, call, input }: RunnableCall): Promise<Decision | 'wait'> {
    const shownCall = stripExtra(call)
    if (tool.run !== undefined && !(await tool.needsApproval(input, shownCall))) return 'approve'
    return parseDecision(await this.#options.approve?.(shownCall)) ?? 'wait'
  }

  async #run({ tool, call, input }: RunnableCall, nested?: NestedResumption): Promise<CallOutcome> {
    const { approve, timeoutMs, runId = '', messages = () => [], onProgress, onSteps } = this.#options
    const context = {
      runId,
      messages: messages(),
      signal: this.#signal,
      reportProgress: (progress: Json) => onProgress?.(call, progress),
      addSteps: (steps: readonly Step[]) => onSteps?.(call, steps),
      ...(approve && { approve }),
      ...(nested && { nested }),
    }
    const invocation = { tool, call, input, context, ...(timeoutMs !== undefined && { timeoutMs }) }
    const key = createToolStepKey(call.id, nested?.pauseCount ?? 0)
    // A recorded result of the runner is not traced again.
    const outcome = await this.#limiter.run(() =>
      this.#runner.step(key, () => invokeTraced(this.#options.tracer, invocation)),
    )
    return 'run' in outcome ? { call, nested: outcome } : outcome
  }

  /** Applies the hook `afterTool`. The result is reported first, so that a throwing hook cannot lose it. */
  async #applyAfterTool(
    result: ToolResultPart,
    call: ToolCallPart,
    notifyResult: ToolBatchOptions['onResult'],
  ): Promise<ToolResultPart> {
    notifyResult?.(result)
    const hookResult = (await this.#options.afterTool?.(result, call)) ?? result
    if (hookResult === result) return result
    const replacement = checkAndFreezePart(
      hookResult.callId === call.id ? hookResult : { ...hookResult, callId: call.id, name: call.name },
    )
    if (replacement.type !== 'tool-result') {
      throw new InterlinguaError(
        'invalid-value',
        'The hook `afterTool` returned a value that is not a tool result',
        {
          found: 'another content part',
          expected: 'a part of type `tool-result`, or nothing',
          hint: 'Build one with toolResult(call, output).',
        },
      )
    }
    notifyResult?.(replacement)
    return replacement
  }
}

/** Runs a tool inside the tracer. A paused nested run is not a result. */
async function invokeTraced(
  tracer: AgentTracer | undefined,
  invocation: ToolInvocation,
): Promise<ToolResultPart | NestedRun> {
  if (tracer === undefined) return invokeTool(invocation)
  const { call, tool } = invocation
  let nested: NestedRun | undefined
  const result = await tracer.traceTool(
    { call, ...omitUndefined({ description: tool.definition.description }) },
    async () => {
      const outcome = await invokeTool(invocation)
      if (!('run' in outcome)) return outcome
      nested = outcome
      return undefined
    },
  )
  return nested ?? result ?? createAbortedResult(call)
}

/** Returns the result of a call that was decided instead of run. */
function resultOfDecision(call: ToolCallPart, decision: Exclude<Decision, 'approve'>): ToolResultPart {
  if (decision !== 'deny' && 'output' in decision)
    return toToolResult(call, decision.output, decision.isError)
  const reason = decision === 'deny' ? '' : decision.deny
  return createErrorResult(call, reason === '' ? 'This call was not approved.' : reason)
}
