import type { Model } from '../canonical/model/model-interface.ts'
import { generateId, type IdentityOptions } from '../canonical/build/ids-and-timestamps.ts'
import { toolResults } from '../canonical/build/messages.ts'
import { Messages } from '../canonical/collections/messages.ts'
import type { Loss } from '../canonical/model/loss.ts'
import type { AssistantMessage, Message, ToolMessage } from '../canonical/model/message.ts'
import { toEvents } from '../canonical/stream/to-events.ts'
import { InterlinguaError } from '../errors.ts'
import { omitUndefined, type Json } from '../wire/json.ts'
import { rejectOnAbort } from '../wire/cancellation.ts'
import { callModel } from './call-model.ts'
import { applicationCallsOf, findBlockedCalls, isEmptyReply } from './assistant-content.ts'
import { RunTotals } from './run-limits.ts'
import { PauseSignal } from './run-errors.ts'
import { type AgentHooks, joinHooks } from './hooks.ts'
import { UniqueIds } from './unique-ids.ts'
import { mapDeltaToChunkFields } from './orchestrators/run-turn.ts'
import { ChunkEmitter, ReplyIdentity } from './chunk-emitter.ts'
import type { ModelReply, ModelCallOptions, Run } from './orchestrators/orchestrator.ts'
import type { PausedRun } from './paused-run.ts'
import { buildStepRequest } from './build-step-request.ts'
import type { AgentChunk } from './agent-result.ts'
import { createModelCallStep, type Step } from './step.ts'
import { createAbortedRoundMessages, createPendingRound, type PendingRound } from './pending-round.ts'
import { directRunner } from './step-runner.ts'
import { createToolExecutor, type RunInput } from './run-input.ts'
import type { ToolExecutor } from './tools/tool-executor.ts'
import type { ToolInput } from './tools/tool.ts'
import { ToolSet } from './tools/tool-set.ts'
import { checkAndFreezeMessage } from '../canonical/shape/message.ts'

/** The mutable state of one run. Runs share none of it. */
export class RunState implements Run {
  readonly id: string
  readonly model: Model
  readonly signal: AbortSignal
  readonly messages: Message[] = []
  readonly totals: RunTotals
  /** The number of steps before the run was paused. */
  readonly stepsBeforePause: number
  /** Losses without duplicates, since every step reports the same losses again. */
  readonly losses: Map<string, Loss> = new Map()
  readonly data: Map<string, Json>
  readonly hooks: Required<AgentHooks>
  readonly #input: RunInput
  readonly #identity: IdentityOptions
  readonly #tools: ToolSet
  readonly #executor: ToolExecutor
  readonly #uniqueIds: UniqueIds
  readonly #emitter: ChunkEmitter
  readonly #notifiedMessageIds = new Set<string>()
  conversation: Messages
  /** The round that was pending when the run was paused. */
  #pausedRound: PendingRound | undefined
  #openRound: PendingRound | undefined
  /** The received part of an interrupted reply. */
  #partialReply: Partial<ModelReply> = {}

  constructor(input: RunInput, signal: AbortSignal) {
    const { agent, system, options } = input
    const { newId, now, history = [] } = options
    const paused = input.resumption?.paused
    this.#input = input
    this.#identity = omitUndefined({ newId, now })
    this.id = paused?.id ?? options.id ?? generateId('run', this.#identity)
    this.model = agent.model
    this.signal = signal
    this.totals = new RunTotals(paused?.steps)
    this.stepsBeforePause = this.steps.length
    this.data = new Map(Object.entries(paused?.orchestratorData ?? {}))
    const past = Messages.from(history)
    this.conversation = system === undefined ? past : past.prepend(system)
    this.#uniqueIds = new UniqueIds(this.conversation)
    this.hooks = joinHooks(agent.hooks, options.hooks)
    this.#tools = new ToolSet(agent.tools ?? [])
    this.#emitter = new ChunkEmitter(this.id, input.onChunk)
    this.#executor = createToolExecutor(this, input, this.#tools)
    if (paused !== undefined) this.#restorePausedRound(paused)
  }

  #restorePausedRound({ message, results }: PausedRun): void {
    if (this.#uniqueIds.hasMessage(message.id)) {
      throw new InterlinguaError(
        'conflict',
        'The history already contains the pending message of the paused run',
        {
          path: '/history',
          found: 'a message that is part of the paused run',
          expected: 'the history up to that message',
          hint: 'Pass the original history followed by `result.messages` of the paused result. If the run was already resumed, continue with `send`.',
        },
      )
    }
    this.#pausedRound = createPendingRound(message, results)
    this.#uniqueIds.add(message)
    this.#notifiedMessageIds.add(message.id)
  }

  /** True if the next reply is the pending message of a paused run. */
  get isResuming(): boolean {
    return this.#pausedRound !== undefined
  }

  addTool(tool: ToolInput): void {
    this.#tools.add(tool)
  }

  get steps(): readonly Step[] {
    return this.totals.steps
  }

  /** Adds the steps of nested agents. */
  addSteps(steps: readonly Step[]): void {
    for (const step of steps) this.totals.add(step)
  }

  #addLosses(losses: readonly Loss[]): void {
    for (const loss of losses) this.losses.set(`${loss.rule} ${loss.path}`, loss)
  }

  emit(chunk: Partial<Omit<AgentChunk, 'id'>>): void {
    this.#emitter.emit(chunk)
  }

  async callModel(call: ModelCallOptions = {}): Promise<ModelReply> {
    const { request: changes = {}, mapEvent = mapDeltaToChunkFields } = call
    if (this.#pausedRound !== undefined) return { message: this.#pausedRound.message, losses: [] }
    const { agent, options } = this.#input
    const defaultRequest = buildStepRequest({
      model: this.model,
      messages: this.conversation,
      isFirst: this.totals.ownStepCount === 0,
      tools: this.#tools.definitions,
      settings: { ...agent.request, ...options.request },
      changes,
      onLoss: (loss) => this.#addLosses([loss]),
    })
    const hookResult = Promise.resolve(this.hooks.beforeModel(defaultRequest, this))
    const request = (await rejectOnAbort(hookResult, this.signal)) ?? defaultRequest
    const identity = new ReplyIdentity()
    const onEvent = this.#emitter.createEventHandler(mapEvent, identity)
    const { model, signal } = this
    const promptCaching = options.promptCaching ?? agent.promptCaching ?? true
    const onPartial = ({ message, ...partial }: Partial<ModelReply>): void => {
      this.#partialReply = { ...partial, ...(message && { message: identity.addToMessage(message) }) }
    }
    let isCalled = false
    const reply = await (options.runner ?? directRunner).step(`model/${this.totals.ownStepCount}`, () => {
      isCalled = true
      return callModel({ model, request, signal, promptCaching, onPartial, ...(onEvent && { onEvent }) })
    })
    // A durable runner may return a recorded reply; the stream still emits its events.
    if (!isCalled && onEvent) toEvents({ candidates: [reply.message] }).forEach(onEvent)
    return this.#recordReply({ ...reply, message: identity.addToMessage(reply.message) })
  }

  async #recordReply(received: ModelReply): Promise<ModelReply> {
    const message = this.#uniqueIds.withUniqueIds(checkAndFreezeMessage(received.message))
    this.totals.add(createModelCallStep(this.model, { ...received, message }))
    this.#addLosses(received.losses)
    // Recorded before the hooks run, so that a hook that throws cannot lose it.
    if (!isEmptyReply(message)) this.#openRound = createPendingRound(message)
    const reply = { ...received, message }
    await this.hooks.afterModel(reply, this)
    return reply
  }

  async runToolCalls(message: AssistantMessage): Promise<ToolMessage> {
    const pausedRound = this.#pausedRound?.message.id === message.id ? this.#pausedRound : undefined
    const round = pausedRound ?? createPendingRound(message)
    this.#pausedRound = undefined
    this.#openRound = round
    await this.#notifyMessage(message)
    const batch = await this.#executor.executeBatch(applicationCallsOf(message), {
      knownResults: round.results,
      blockedCalls: findBlockedCalls(message),
      ...this.#input.resumption,
      onResult: (result) => round.results.set(result.callId, result),
    })
    if (batch.pending.length > 0) throw new PauseSignal(batch)
    return toolResults(batch.results, this.#identity)
  }

  /** Appends messages to the conversation before the hooks run, so a hook that throws cannot undo it. */
  async addMessages(messages: readonly Message[]): Promise<void> {
    this.#openRound = undefined
    if (messages.length === 0) return
    for (const message of messages) this.#uniqueIds.add(message)
    for (const message of messages) this.messages.push(message)
    this.conversation = this.conversation.append(...messages)
    for (const message of messages) await this.#notifyMessage(message)
    if (messages.at(-1)?.role === 'tool') this.#emitter.separateNextText()
    this.emit({ messages })
  }

  /** Adds the received part of an interrupted reply, and a result for every tool call. */
  async addUnfinishedRound(): Promise<void> {
    const partial = this.#partialReply
    if (partial.usage !== undefined) this.totals.add(createModelCallStep(this.model, partial))
    const message = partial.message && this.#uniqueIds.withUniqueIds(partial.message)
    const round = this.#openRound ?? this.#pausedRound ?? (message && createPendingRound(message))
    this.#partialReply = {}
    this.#pausedRound = undefined
    if (round !== undefined) await this.addMessages(createAbortedRoundMessages(round, this.#identity))
  }

  /** Returns the pending round and everything that is needed to resume it, as plain JSON. */
  toPausedRun({ pending, nested }: PauseSignal['batch'], elapsedMs: number): PausedRun | undefined {
    if (this.#openRound === undefined) return undefined
    const { message, results } = this.#openRound
    return {
      version: 1,
      id: this.id,
      message,
      results: applicationCallsOf(message).flatMap((call) => results.get(call.id) ?? []),
      pending,
      ...(nested.size > 0 && { nestedRuns: Object.fromEntries(nested) }),
      steps: [...this.steps],
      toolUses: Object.fromEntries(this.#executor.uses),
      orchestratorData: Object.fromEntries(this.data),
      elapsedMs,
    }
  }

  async #notifyMessage(message: Message): Promise<void> {
    if (this.#notifiedMessageIds.has(message.id)) return
    this.#notifiedMessageIds.add(message.id)
    await this.hooks.onMessage(message, this)
  }
}
