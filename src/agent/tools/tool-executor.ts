import { stripExtra } from '../../canonical/update/strip-extra.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { ToolCallPart, ToolResultPart } from '../../canonical/model/part.ts'
import { toFrozenPart } from '../../canonical/shape/strict-reader.ts'
import { InterlinguaError } from '../../errors.ts'
import type { Json } from '../../wire/json.ts'
import type { Step } from '../step.ts'
import type { NestedResumption } from '../resumption.ts'
import { directRunner, type Runner, toolStepKey } from '../runner.ts'
import { rejectOnAbort } from '../../wire/cancellation.ts'
import { ABORTED_CALL_MESSAGE, invokeTool } from './invoke-tool.ts'
import { type ToolBatchResult, groupOutcomes, type ToolBatchOptions, type CallOutcome } from './tool-batch.ts'
import { type Decision, parseDecision } from './decision.ts'
import { createErrorResult, toToolResult } from './tool-output.ts'
import { type PreparedCall, prepareCalls, type RunnableCall } from './prepare-calls.ts'
import type { ApprovalHandler, ToolInput } from './tool.ts'
import { ToolSet } from './tool-set.ts'
import { assertNumericSettings } from '../../wire/limits.ts'

/** Lets so many through at a time; the others wait in line. */
export class ConcurrencyLimiter {
  readonly #limit: number
  readonly #waiting: (() => void)[] = []
  #runningCount = 0

  constructor(cap: number) {
    assertNumericSettings('', { concurrency: cap }, 1)
    this.#limit = cap
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#runningCount >= this.#limit) await new Promise<void>((enter) => this.#waiting.push(enter))
    else this.#runningCount += 1
    try {
      return await work()
    } finally {
      // The place goes to the next in line, or becomes free.
      const next = this.#waiting.shift()
      if (next === undefined) this.#runningCount -= 1
      else next()
    }
  }
}

/** What a {@link ToolExecutor} works with. */
export interface ToolExecutorOptions {
  readonly tools: ToolSet | Iterable<ToolInput>
  /** How many tools run at a time. Default: 8. */
  readonly concurrency?: number
  /** Milliseconds for one attempt, where a tool does not say its own. */
  readonly timeoutMs?: number
  readonly approve?: ApprovalHandler
  readonly runner?: Runner
  readonly signal?: AbortSignal
  readonly runId?: string
  /** The conversation as it is now, for tools that want to read it. */
  readonly messages?: () => Iterable<Message>
  /** Asked before each run of a tool; a decision takes its place. */
  readonly beforeTool?: (call: ToolCallPart) => Promise<Decision | undefined>
  /** Sees each result, and may give another. */
  readonly afterTool?: (result: ToolResultPart, call: ToolCallPart) => Promise<ToolResultPart>
  readonly onProgress?: (call: ToolCallPart, progress: Json) => void
  /** Told the steps that an agent made inside of a tool. */
  readonly onSteps?: (call: ToolCallPart, steps: readonly Step[]) => void
  /** How often each tool was called in earlier batches. */
  readonly uses?: Iterable<readonly [string, number]>
}

/**
 * Runs the calls of an answer: in parallel with a cap, results in the order of the calls. Whatever goes wrong becomes an
 * error result, so that the model can correct itself.
 *
 * @example
 * const { results } = await new ToolExecutor({ tools: [weather], concurrency: 4 }).executeBatch(toolCallsOf(answer))
 */
export class ToolExecutor {
  readonly #options: ToolExecutorOptions
  readonly #tools: ToolSet
  readonly #limiter: ConcurrencyLimiter
  readonly #runner: Runner
  readonly #signal: AbortSignal
  #uses: Map<string, number>

  constructor(options: ToolExecutorOptions) {
    this.#options = options
    this.#tools = options.tools instanceof ToolSet ? options.tools : new ToolSet(options.tools)
    this.#limiter = new ConcurrencyLimiter(options.concurrency ?? 8)
    this.#runner = options.runner ?? directRunner
    this.#signal = options.signal ?? new AbortController().signal
    this.#uses = new Map(options.uses)
  }

  /** How often each tool was called in the batches that are complete. */
  get uses(): ReadonlyMap<string, number> {
    return this.#uses
  }

  async executeBatch(
    calls: readonly ToolCallPart[],
    options: ToolBatchOptions = {},
  ): Promise<ToolBatchResult> {
    const {
      knownResults = new Map<string, ToolResultPart>(),
      blockedCalls,
      decisions,
      nested,
      onResult,
    } = options
    const uses = new Map(this.#uses)
    const prepared = await this.#prepare(calls, uses, blockedCalls)
    const outcomes = await Promise.allSettled(
      prepared.map(async (each): Promise<CallOutcome> => {
        const { call } = each
        const there = knownResults.get(call.id)
        if (there !== undefined) return there
        if (this.#signal.aborted) return createErrorResult(call, ABORTED_CALL_MESSAGE)
        let given: CallOutcome = createErrorResult(call, ABORTED_CALL_MESSAGE)
        try {
          given = await this.#resolveCall(each, decisions?.get(call.id), nested?.get(call.id))
          return 'type' in given ? await this.#applyAfterTool(given, call, onResult) : given
        } catch (error) {
          if (this.#signal.aborted) return given
          throw error
        }
      }),
    )
    // All others come to their end first, so that none of them works on unseen.
    const settled = outcomes.map((outcome) => {
      if (outcome.status === 'rejected') throw outcome.reason
      const { value } = outcome
      // Who gives up the run waits for no decision any more.
      return !('type' in value) && this.#signal.aborted
        ? createErrorResult(value.call, ABORTED_CALL_MESSAGE)
        : value
    })
    const batch = groupOutcomes(settled)
    if (batch.pending.length === 0) this.#uses = uses
    return batch
  }

  /** A schema may be asked for long, and is not waited for when the run is given up. */
  async #prepare(
    calls: readonly ToolCallPart[],
    uses: Map<string, number>,
    refused: ToolBatchOptions['blockedCalls'],
  ): Promise<readonly PreparedCall[]> {
    try {
      return await rejectOnAbort(prepareCalls(calls, this.#tools, uses, refused), this.#signal)
    } catch (error) {
      if (!this.#signal.aborted) throw error
      return calls.map((call) => ({ call, refused: createErrorResult(call, ABORTED_CALL_MESSAGE) }))
    }
  }

  /** What becomes of a call. Whoever is asked about it may hang: an abort waits for nobody. */
  async #resolveCall(
    prepared: PreparedCall,
    decision: Decision | undefined,
    nested: NestedResumption | undefined,
  ): Promise<CallOutcome> {
    const { call } = prepared
    if ('refused' in prepared) return prepared.refused
    if (nested !== undefined && prepared.tool.isAgent) return this.#run(prepared, nested)
    // A signal of its own: many listeners on one are taken for a leak.
    const signal = AbortSignal.any([this.#signal])
    const decided = decision ?? (await rejectOnAbort(this.#decide(prepared), signal))
    if (typeof decided === 'object' || decided === 'deny') return resultOfDecision(call, decided)
    if (prepared.tool.run === undefined) return { call: stripExtra(call), waitsFor: 'execution' }
    if (decided === 'wait') return { call: stripExtra(call), waitsFor: 'approval' }
    const hook = this.#options.beforeTool?.(call)
    const objection = parseDecision(hook && (await rejectOnAbort(hook, signal))) ?? 'approve'
    return objection === 'approve' ? this.#run(prepared) : resultOfDecision(call, objection)
  }

  async #decide({ tool, call, input }: RunnableCall): Promise<Decision | 'wait'> {
    const { approve } = this.#options
    const byCaller = tool.run === undefined
    const shown = stripExtra(call)
    if (!byCaller && !(await tool.needsApproval(input, shown))) return 'approve'
    return parseDecision(await approve?.(shown)) ?? 'wait'
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
    const work = { tool, call, input, context, ...(timeoutMs !== undefined && { timeoutMs }) }
    const key = toolStepKey(call.id, nested?.pauseCount ?? 0)
    const given = await this.#limiter.run(() => this.#runner.step(key, () => invokeTool(work)))
    return 'run' in given ? { call, nested: given } : given
  }

  /** Whatever a hook gives is the result of this call and of no other; one that throws cannot undo what the tool did. */
  async #applyAfterTool(
    result: ToolResultPart,
    call: ToolCallPart,
    notifyResult: ToolBatchOptions['onResult'],
  ): Promise<ToolResultPart> {
    notifyResult?.(result)
    const given = (await this.#options.afterTool?.(result, call)) ?? result
    if (given === result) return result
    const own = toFrozenPart(
      given.callId === call.id ? given : { ...given, callId: call.id, name: call.name },
    )
    if (own.type !== 'tool-result') throw invalidHookResult()
    notifyResult?.(own)
    return own
  }
}

function invalidHookResult(): InterlinguaError {
  return new InterlinguaError('invalid-value', 'The hook afterTool gave something that is no result', {
    found: 'another part',
    expected: 'a part of the type tool-result, or nothing',
    hint: 'Make one with toolResult(call, output).',
  })
}

/** The result of a call that was decided rather than run. */
function resultOfDecision(call: ToolCallPart, decision: Exclude<Decision, 'approve'>): ToolResultPart {
  if (decision !== 'deny' && 'output' in decision)
    return toToolResult(call, decision.output, decision.isError)
  const reason = decision === 'deny' ? '' : decision.deny
  return createErrorResult(call, reason === '' ? 'This call was not approved.' : reason)
}
