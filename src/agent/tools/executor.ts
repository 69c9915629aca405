import type { Message } from '../../canonical/model/message.ts'
import type { ToolCallPart, ToolResultPart } from '../../canonical/model/part.ts'
import { ownPart } from '../../canonical/shape/strict.ts'
import { InterlinguaError } from '../../errors.ts'
import type { Json } from '../../wire/json.ts'
import type { Step } from '../result.ts'
import type { NestedResumption } from '../resumption.ts'
import { inline, type Runner, toolKey } from '../runner.ts'
import { abortable } from '../../wire/abort.ts'
import { ABORTED, attempt } from './attempt.ts'
import { type Batch, batchOf, type BatchOptions, type Outcome } from './batch.ts'
import { type Decision, readDecision } from './decision.ts'
import { Gate } from './gate.ts'
import { errorResult, resultOf } from './output.ts'
import { type Prepared, prepare, type Runnable } from './prepare.ts'
import type { Approve, ToolInput } from './tool.ts'
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
    const { known = new Map<string, ToolResultPart>(), refused, decisions, nested, onResult } = options
    const uses = new Map(this.#uses)
    const prepared = await this.#prepare(calls, uses, refused)
    const outcomes = await Promise.allSettled(
      prepared.map(async (each): Promise<Outcome> => {
        const { call } = each
        const there = known.get(call.id)
        if (there !== undefined) return there
        if (this.#signal.aborted) return errorResult(call, ABORTED)
        let given: Outcome = errorResult(call, ABORTED)
        try {
          given = await this.#settle(each, decisions?.get(call.id), nested?.get(call.id))
          return 'type' in given ? await this.#after(given, call, onResult) : given
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
      return !('type' in value) && this.#signal.aborted ? errorResult(value.call, ABORTED) : value
    })
    const batch = batchOf(settled)
    if (batch.pending.length === 0) this.#uses = uses
    return batch
  }

  /** A schema may be asked for long, and is not waited for when the run is given up. */
  async #prepare(
    calls: readonly ToolCallPart[],
    uses: Map<string, number>,
    refused: BatchOptions['refused'],
  ): Promise<readonly Prepared[]> {
    try {
      return await abortable(prepare(calls, this.#tools, uses, refused), this.#signal)
    } catch (error) {
      if (!this.#signal.aborted) throw error
      return calls.map((call) => ({ call, refused: errorResult(call, ABORTED) }))
    }
  }

  /** What becomes of a call. Whoever is asked about it may hang: an abort waits for nobody. */
  async #settle(
    prepared: Prepared,
    decision: Decision | undefined,
    nested: NestedResumption | undefined,
  ): Promise<Outcome> {
    const { call } = prepared
    if ('refused' in prepared) return prepared.refused
    if (nested !== undefined && prepared.tool.nests) return this.#run(prepared, nested)
    // A signal of its own: many listeners on one are taken for a leak.
    const signal = AbortSignal.any([this.#signal])
    const decided = decision ?? (await abortable(this.#decide(prepared), signal))
    if (typeof decided === 'object' || decided === 'deny') return instead(call, decided)
    if (prepared.tool.run === undefined) return { call, waitsFor: 'execution' }
    if (decided === 'wait') return { call, waitsFor: 'approval' }
    const hook = this.#options.beforeTool?.(call)
    const objection = readDecision(hook && (await abortable(hook, signal))) ?? 'approve'
    return objection === 'approve' ? this.#run(prepared) : instead(call, objection)
  }

  async #decide({ tool, call, input }: Runnable): Promise<Decision | 'wait'> {
    const { approve } = this.#options
    const byCaller = tool.run === undefined
    if (!byCaller && !(await tool.needsApproval(input, call))) return 'approve'
    return readDecision(await approve?.(call)) ?? 'wait'
  }

  async #run({ tool, call, input }: Runnable, nested?: NestedResumption): Promise<Outcome> {
    const { approve, timeout, runId = '', messages = () => [], onProgress, onSteps } = this.#options
    const context = {
      runId,
      messages: messages(),
      signal: this.#signal,
      progress: (progress: Json) => onProgress?.(call, progress),
      count: (steps: readonly Step[]) => onSteps?.(call, steps),
      ...(approve && { approve }),
      ...(nested && { nested }),
    }
    const work = { tool, call, input, context, ...(timeout !== undefined && { timeout }) }
    const key = toolKey(call.id, nested?.pauseCount ?? 0)
    const given = await this.#gate.pass(() => this.#runner.step(key, () => attempt(work)))
    return 'run' in given ? { call, nested: given } : given
  }

  /** Whatever a hook gives is the result of this call and of no other; one that throws cannot undo what the tool did. */
  async #after(
    result: ToolResultPart,
    call: ToolCallPart,
    tell: BatchOptions['onResult'],
  ): Promise<ToolResultPart> {
    tell?.(result)
    const given = (await this.#options.afterTool?.(result, call)) ?? result
    if (given === result) return result
    const own = ownPart(given.callId === call.id ? given : { ...given, callId: call.id, name: call.name })
    if (own.type !== 'tool-result') throw noResult()
    tell?.(own)
    return own
  }
}

function noResult(): InterlinguaError {
  return new InterlinguaError('invalid-value', 'The hook afterTool gave something that is no result', {
    found: 'another part',
    expected: 'a part of the type tool-result, or nothing',
    hint: 'Make one with toolResult(call, output).',
  })
}

/** The result of a call that was decided rather than run. */
function instead(call: ToolCallPart, decision: Exclude<Decision, 'approve'>): ToolResultPart {
  if (decision !== 'deny' && 'output' in decision) return resultOf(call, decision.output, decision.isError)
  const reason = decision === 'deny' ? '' : decision.deny
  return errorResult(call, reason === '' ? 'This call was not approved.' : reason)
}
