import type { Message } from '../../canonical/model/message.ts'
import type { ToolCallPart, ToolResultPart } from '../../canonical/model/part.ts'
import type { Json } from '../../wire/json.ts'
import type { PendingCall } from '../paused.ts'
import type { Step } from '../result.ts'
import { inline, type Runner } from '../runner.ts'
import { abortable } from '../../wire/abort.ts'
import { ABORTED, attempt } from './attempt.ts'
import { type Decision, readDecision } from './decision.ts'
import { Gate } from './gate.ts'
import { errorResult, resultOf } from './output.ts'
import { type Prepared, prepare } from './prepare.ts'
import type { AgentTool, Approve, ToolInput } from './tool.ts'
import { ToolSet } from './tool-set.ts'

/** What a {@link ToolExecutor} works with. */
export interface ExecutorOptions {
  readonly tools: ToolSet | Iterable<ToolInput>
  /** How many tools run at a time. Default: 8. */
  readonly concurrency?: number
  /** Milliseconds for one attempt, where a tool does not say its own. */
  readonly timeout?: number
  readonly approve?: Approve
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

/** What is known about a batch before it runs. */
export interface BatchOptions {
  /** Results that are there already, by call id: these calls are not run. */
  readonly known?: ReadonlyMap<string, ToolResultPart>
  /** Calls that must not run, by id, with what the model is told of each. */
  readonly refused?: ReadonlyMap<string, string>
  /** Decisions that have been made, by call id. */
  readonly decisions?: ReadonlyMap<string, Decision>
  /** Told each new result as soon as it is there. */
  readonly onResult?: (result: ToolResultPart) => void
}

/** What became of a batch. */
export interface Batch {
  /** The results that are there, in the order of the calls. */
  readonly results: readonly ToolResultPart[]
  /** The calls that wait for the caller. */
  readonly pending: readonly PendingCall[]
}

/**
 * Runs the calls of an answer: in parallel with a cap, results in the order of the calls. Whatever goes wrong becomes an
 * error result, so that the model can correct itself.
 *
 * @example
 * const { results } = await new ToolExecutor({ tools: [weather], concurrency: 4 }).executeBatch(toolCallsOf(answer))
 */
export class ToolExecutor {
  readonly #options: ExecutorOptions
  readonly #tools: ToolSet
  readonly #gate: Gate
  readonly #runner: Runner
  readonly #signal: AbortSignal
  #uses: Map<string, number>

  constructor(options: ExecutorOptions) {
    this.#options = options
    this.#tools = options.tools instanceof ToolSet ? options.tools : new ToolSet(options.tools)
    this.#gate = new Gate(options.concurrency ?? 8)
    this.#runner = options.runner ?? inline
    this.#signal = options.signal ?? new AbortController().signal
    this.#uses = new Map(options.uses)
  }

  /** How often each tool was called in the batches that are complete. */
  get uses(): ReadonlyMap<string, number> {
    return this.#uses
  }

  async executeBatch(calls: readonly ToolCallPart[], options: BatchOptions = {}): Promise<Batch> {
    const { known = new Map<string, ToolResultPart>(), refused, decisions, onResult } = options
    const uses = new Map(this.#uses)
    const prepared = await prepare(calls, this.#tools, uses, refused)
    const outcomes = await Promise.allSettled(
      prepared.map(async (each): Promise<ToolResultPart | PendingCall> => {
        const there = known.get(each.call.id)
        if (there !== undefined) return there
        const outcome = await this.#settle(each, decisions?.get(each.call.id))
        if ('type' in outcome) onResult?.(outcome)
        return outcome
      }),
    )
    // All others come to their end first, so that none of them works on unseen.
    const settled = outcomes.map((outcome) => {
      if (outcome.status === 'rejected') throw outcome.reason
      const { value } = outcome
      // Who gives up the run waits for no decision any more.
      return 'waitsFor' in value && this.#signal.aborted ? errorResult(value.call, ABORTED) : value
    })
    const pending = settled.filter((each): each is PendingCall => 'waitsFor' in each)
    if (pending.length === 0) this.#uses = uses
    return { results: settled.filter((each): each is ToolResultPart => 'type' in each), pending }
  }

  async #settle(prepared: Prepared, decision: Decision | undefined): Promise<ToolResultPart | PendingCall> {
    const { call } = prepared
    if (this.#signal.aborted) return errorResult(call, ABORTED)
    if ('refused' in prepared) return this.#after(prepared.refused, call)
    const decided = decision ?? (await this.#decide(prepared))
    if (decided === 'aborted') return errorResult(call, ABORTED)
    if (typeof decided === 'object' || decided === 'deny') return this.#after(instead(call, decided), call)
    const { tool, input } = prepared
    if (tool.run === undefined) return { call, waitsFor: 'execution' }
    if (decided === 'wait') return { call, waitsFor: 'approval' }
    const objection = readDecision(await this.#options.beforeTool?.(call)) ?? 'approve'
    if (objection !== 'approve') return this.#after(instead(call, objection), call)
    return this.#after(await this.#run(tool, call, input), call)
  }

  async #decide({
    tool,
    call,
    input,
  }: Extract<Prepared, { tool: AgentTool }>): Promise<Decision | 'wait' | 'aborted'> {
    const { approve } = this.#options
    const byCaller = tool.run === undefined
    if (!byCaller && !(await tool.needsApproval(input, call))) return 'approve'
    if (approve === undefined) return 'wait'
    try {
      return readDecision(await abortable(Promise.resolve(approve(call)), this.#signal)) ?? 'wait'
    } catch (error) {
      if (this.#signal.aborted) return 'aborted'
      throw error
    }
  }

  #run(tool: AgentTool, call: ToolCallPart, input: unknown): Promise<ToolResultPart> {
    const { approve, timeout, runId = '', messages = () => [], onProgress, onSteps } = this.#options
    const context = {
      runId,
      messages: messages(),
      signal: this.#signal,
      progress: (progress: Json) => onProgress?.(call, progress),
      count: (steps: readonly Step[]) => onSteps?.(call, steps),
      ...(approve && { approve }),
    }
    const work = { tool, call, input, context, ...(timeout !== undefined && { timeout }) }
    return this.#gate.pass(() => this.#runner.step(`tool/${call.id}`, () => attempt(work)))
  }

  /** Whatever a hook gives is the result of this call and of no other. */
  async #after(result: ToolResultPart, call: ToolCallPart): Promise<ToolResultPart> {
    const given = (await this.#options.afterTool?.(result, call)) ?? result
    return given.callId === call.id ? given : { ...given, callId: call.id, name: call.name }
  }
}

/** The result of a call that was decided rather than run. */
function instead(call: ToolCallPart, decision: Exclude<Decision, 'approve'>): ToolResultPart {
  if (decision !== 'deny' && 'output' in decision) return resultOf(call, decision.output, decision.isError)
  const reason = decision === 'deny' ? '' : decision.deny
  return errorResult(call, reason === '' ? 'This call was not approved.' : reason)
}
