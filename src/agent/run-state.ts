import type { Model } from '../canonical/model/model-interface.ts'
import { generateId, type IdentityOptions } from '../canonical/build/ids-and-timestamps.ts'
import { toolResults } from '../canonical/build/messages.ts'
import type { Messages } from '../canonical/collections/messages.ts'
import type { Loss } from '../canonical/model/loss.ts'
import type { AssistantMessage, Message, ToolMessage } from '../canonical/model/message.ts'
import { toFrozenMessage } from '../canonical/shape/strict-reader.ts'
import { toEvents } from '../canonical/stream/to-events.ts'
import type { Json } from '../wire/json.ts'
import { rejectOnAbort } from '../wire/cancellation.ts'
import { callModel } from './call-model.ts'
import { isEmptyReply, applicationCallsOf } from './assistant-content.ts'
import { findBlockedCalls } from './truncated-calls.ts'
import { RunTotals } from './run-limits.ts'
import { PauseSignal } from './run-errors.ts'
import { type AgentHooks, joinHooks } from './hooks.ts'
import { UniqueIds } from './unique-ids.ts'
import { mapTextAndReasoning } from './orchestrators/event-mappers.ts'
import type { ModelReply, ModelCallOptions, Run } from './orchestrators/orchestrator.ts'
import type { PausedRun } from './paused-run.ts'
import { buildRequest } from './build-request.ts'
import type { AgentChunk } from './agent-result.ts'
import { toStep, type Step } from './step.ts'
import { completeAbortedRound, createToolRound, alreadyResumed, type ToolRound } from './tool-round.ts'
import { directRunner } from './runner.ts'
import { buildConversation, createExecutor, type RunSetup } from './run-setup.ts'
import type { ToolExecutor } from './tools/tool-executor.ts'
import type { ToolInput } from './tools/tool.ts'
import { ToolSet } from './tools/tool-set.ts'
import { ChunkEmitter } from './emitter.ts'

/** All that changes during one run; nothing of it is shared with another. */
export class RunState implements Run {
  readonly id: string
  readonly model: Model
  readonly signal: AbortSignal
  readonly messages: Message[] = []
  readonly totals: RunTotals
  /** How many of the steps were made before the run was paused. */
  readonly stepsBeforePause: number
  /** Each once: every step says again what it could not send. */
  readonly losses: Map<string, Loss> = new Map()
  readonly data: Map<string, Json>
  readonly hooks: Required<AgentHooks>
  readonly #setup: RunSetup
  readonly #identity: IdentityOptions
  readonly #tools: ToolSet
  readonly #executor: ToolExecutor
  readonly #uniqueIds: UniqueIds
  readonly #emitter: ChunkEmitter
  readonly #notifiedMessageIds = new Set<string>()
  #conversation: Messages
  /** The round that was open when the run was paused. */
  #pausedRound: ToolRound | undefined
  #openRound: ToolRound | undefined
  /** What came of an answer that broke off. */
  #partialReply: Partial<ModelReply> = {}

  constructor(start: RunSetup) {
    const { agent, options, paused, signal } = start
    const { newId, now } = options
    this.#setup = start
    this.#identity = { ...(newId && { newId }), ...(now && { now }) }
    this.id = paused?.id ?? options.id ?? generateId('run', this.#identity)
    this.model = agent.model
    this.signal = signal
    this.totals = new RunTotals(paused?.steps)
    this.stepsBeforePause = this.steps.length
    this.data = new Map(Object.entries(paused?.orchestratorData ?? {}))
    this.#conversation = buildConversation(start)
    this.#uniqueIds = new UniqueIds(this.#conversation)
    this.hooks = joinHooks(agent.hooks, options.hooks)
    this.#tools = new ToolSet(agent.tools ?? [])
    this.#emitter = new ChunkEmitter(this.id, start.onChunk)
    this.#executor = createExecutor(this, start, this.#tools)
    if (paused !== undefined) this.#restorePausedRound(paused)
  }

  #restorePausedRound({ message, results }: PausedRun): void {
    if (this.#uniqueIds.hasMessage(message.id)) throw alreadyResumed()
    this.#pausedRound = createToolRound(message, results)
    this.#uniqueIds.add(message)
    this.#notifiedMessageIds.add(message.id)
  }

  get conversation(): Messages {
    return this.#conversation
  }

  /** Whether the next answer is the one that a paused run left open. */
  get isResuming(): boolean {
    return this.#pausedRound !== undefined
  }

  addTool(tool: ToolInput): void {
    this.#tools.add(tool)
  }

  get steps(): readonly Step[] {
    return this.totals.steps
  }

  /** Takes steps that agents made inside of tools. */
  addSteps(steps: readonly Step[]): void {
    for (const step of steps) this.totals.add(step)
  }

  #addLosses(losses: readonly Loss[]): void {
    for (const loss of losses) this.losses.set(`${loss.rule} ${loss.path}`, loss)
  }

  emit(chunk: Partial<Omit<AgentChunk, 'id'>>): void {
    this.#emitter.emit(chunk)
  }

  async callModel({
    request: changes = {},
    mapEvent = mapTextAndReasoning,
  }: ModelCallOptions = {}): Promise<ModelReply> {
    if (this.#pausedRound !== undefined) return { message: this.#pausedRound.message, losses: [] }
    const { agent, options } = this.#setup
    const plain = buildRequest({
      model: this.model,
      messages: this.conversation,
      isFirst: this.totals.ownStepCount === 0,
      tools: this.#tools.definitions,
      settings: { ...agent.request, ...options.request },
      changes,
      onLoss: (loss) => this.#addLosses([loss]),
    })
    const asking = Promise.resolve(this.hooks.beforeModel(plain, this))
    const request = (await rejectOnAbort(asking, this.signal)) ?? plain
    const onEvent = this.#emitter.createEventHandler(mapEvent)
    const onPartial = (partial: Partial<ModelReply>): void => void (this.#partialReply = partial)
    const question = {
      model: this.model,
      request,
      signal: this.signal,
      onPartial,
      ...(onEvent && { onEvent }),
    }
    let asked = false
    const answer = await (options.runner ?? directRunner).step(`model/${this.totals.ownStepCount}`, () => {
      asked = true
      return callModel(question)
    })
    // A durable runner that knows the answer asks nobody, and those who watch still want to see it.
    if (!asked && onEvent) toEvents({ candidates: [answer.message] }).forEach(onEvent)
    return this.#recordReply(answer)
  }

  async #recordReply(given: ModelReply): Promise<ModelReply> {
    const message = this.#uniqueIds.withUniqueIds(toFrozenMessage(given.message))
    this.totals.add(toStep(this.model, { ...given, message }))
    this.#addLosses(given.losses)
    // Whatever happens before it is taken into the conversation, it has been said.
    if (!isEmptyReply(message)) this.#openRound = createToolRound(message)
    const answer = { ...given, message }
    await this.hooks.afterModel(answer, this)
    return answer
  }

  async runToolCalls(message: AssistantMessage): Promise<ToolMessage> {
    const pausedRound = this.#pausedRound?.message.id === message.id ? this.#pausedRound : undefined
    const round = pausedRound ?? createToolRound(message)
    this.#pausedRound = undefined
    this.#openRound = round
    await this.#notifyMessage(message)
    const batch = await this.#executor.executeBatch(applicationCallsOf(message), {
      knownResults: round.results,
      blockedCalls: findBlockedCalls(message),
      decisions: this.#setup.decisions,
      nested: this.#setup.nested,
      onResult: (result) => round.results.set(result.callId, result),
    })
    if (batch.pending.length > 0) throw new PauseSignal(batch)
    return toolResults(batch.results, this.#identity)
  }

  /** Takes messages into the conversation; a hook that throws cannot undo that. */
  async addMessages(messages: readonly Message[]): Promise<void> {
    this.#openRound = undefined
    if (messages.length === 0) return
    for (const message of messages) this.#uniqueIds.add(message)
    this.messages.push(...messages)
    this.#conversation = this.#conversation.append(...messages)
    for (const message of messages) await this.#notifyMessage(message)
    if (messages.at(-1)?.role === 'tool') this.#emitter.separateNextText()
    this.emit({ messages })
  }

  /** Keeps what was done when a run breaks off: what came of an answer, and a result for every call. */
  async addUnfinishedRound(): Promise<void> {
    const partial = this.#partialReply
    if (partial.usage !== undefined) this.totals.add(toStep(this.model, partial))
    const message = partial.message && this.#uniqueIds.withUniqueIds(partial.message)
    const round = this.#openRound ?? this.#pausedRound ?? (message && createToolRound(message))
    this.#partialReply = {}
    this.#pausedRound = undefined
    if (round !== undefined) await this.addMessages(completeAbortedRound(round, this.#identity))
  }

  /** The open round and all that is needed to go on with it, as plain JSON. */
  toPausedRun({ pending, nested }: PauseSignal['batch'], elapsed: number): PausedRun | undefined {
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
      elapsedMs: elapsed,
    }
  }

  async #notifyMessage(message: Message): Promise<void> {
    if (this.#notifiedMessageIds.has(message.id)) return
    this.#notifiedMessageIds.add(message.id)
    await this.hooks.onMessage(message, this)
  }
}
