import type { Model } from '../client/model.ts'
import { freshId, type IdentityOptions } from '../canonical/build/identity.ts'
import { toolResults } from '../canonical/build/messages.ts'
import type { Messages } from '../canonical/collections/messages.ts'
import type { Loss } from '../canonical/model/loss.ts'
import type { AssistantMessage, Message, ToolMessage } from '../canonical/model/message.ts'
import { ownMessage } from '../canonical/shape/strict.ts'
import { emit } from '../canonical/stream/emit.ts'
import type { Json } from '../wire/json.ts'
import { abortable } from '../wire/abort.ts'
import { ask } from './ask.ts'
import { isSilent, ownCallsOf } from './calls.ts'
import { brokenCalls } from './cut.ts'
import { stepOf, Tally } from './limits.ts'
import { Pause } from './errors.ts'
import { type AgentHooks, joinHooks } from './hooks.ts'
import { Names } from './names.ts'
import { plainly } from './orchestrators/narrate.ts'
import type { Answer, AskOptions, Run } from './orchestrators/orchestrator.ts'
import type { PausedRun } from './paused.ts'
import { requestOf } from './request.ts'
import type { AgentChunk, Step } from './result.ts'
import { closeRound, openRound, resumedTwice, type Round } from './round.ts'
import { inline } from './runner.ts'
import { conversationOf, executorFor, type RunStart } from './start.ts'
import type { ToolExecutor } from './tools/executor.ts'
import type { ToolInput } from './tools/tool.ts'
import { ToolSet } from './tools/tool-set.ts'
import { Watch } from './watch.ts'

/** All that changes during one run; nothing of it is shared with another. */
export class LiveRun implements Run {
  readonly id: string
  readonly model: Model
  readonly signal: AbortSignal
  readonly messages: Message[] = []
  readonly tally: Tally
  /** How many of the steps were made before the run was paused. */
  readonly earlier: number
  /** Each once: every step says again what it could not send. */
  readonly losses: Map<string, Loss> = new Map()
  readonly data: Map<string, Json>
  readonly hooks: Required<AgentHooks>
  readonly #start: RunStart
  readonly #identity: IdentityOptions
  readonly #tools: ToolSet
  readonly #executor: ToolExecutor
  readonly #names: Names
  readonly #watch: Watch
  readonly #told = new Set<string>()
  #conversation: Messages
  /** The round that was open when the run was paused. */
  #left: Round | undefined
  #round: Round | undefined
  /** What came of an answer that broke off. */
  #partial: Partial<Answer> = {}

  constructor(start: RunStart) {
    const { agent, options, paused, signal } = start
    const { newId, now } = options
    this.#start = start
    this.#identity = { ...(newId && { newId }), ...(now && { now }) }
    this.id = paused?.id ?? options.id ?? freshId('run', this.#identity)
    this.model = agent.model
    this.signal = signal
    this.tally = new Tally(paused?.steps)
    this.earlier = this.steps.length
    this.data = new Map(Object.entries(paused?.orchestratorData ?? {}))
    this.#conversation = conversationOf(start)
    this.#names = new Names(this.#conversation)
    this.hooks = joinHooks(agent.hooks, options.hooks)
    this.#tools = new ToolSet(agent.tools ?? [])
    this.#watch = new Watch(this.id, start.onChunk)
    this.#executor = executorFor(this, start, this.#tools)
    if (paused !== undefined) this.#leave(paused)
  }

  #leave({ message, results }: PausedRun): void {
    if (this.#names.hasMessage(message.id)) throw resumedTwice()
    this.#left = openRound(message, results)
    this.#names.add(message)
    this.#told.add(message.id)
  }

  get conversation(): Messages {
    return this.#conversation
  }

  /** Whether the next answer is the one that a paused run left open. */
  get resumes(): boolean {
    return this.#left !== undefined
  }

  addTool(tool: ToolInput): void {
    this.#tools.add(tool)
  }

  get steps(): readonly Step[] {
    return this.tally.steps
  }

  /** Takes steps that agents made inside of tools. */
  count(steps: readonly Step[]): void {
    for (const step of steps) this.tally.add(step)
  }

  #lose(losses: readonly Loss[]): void {
    for (const loss of losses) this.losses.set(`${loss.rule} ${loss.path}`, loss)
  }

  emit(chunk: Partial<Omit<AgentChunk, 'id'>>): void {
    this.#watch.emit(chunk)
  }

  async ask({ request: changes = {}, narrate = plainly }: AskOptions = {}): Promise<Answer> {
    if (this.#left !== undefined) return { message: this.#left.message, losses: [] }
    const { agent, options } = this.#start
    const plain = requestOf({
      model: this.model,
      messages: this.conversation,
      first: this.tally.own === 0,
      tools: this.#tools.definitions,
      settings: { ...agent.request, ...options.request },
      changes,
      lose: (loss) => this.#lose([loss]),
    })
    const asking = Promise.resolve(this.hooks.beforeModel(plain, this))
    const request = (await abortable(asking, this.signal)) ?? plain
    const onEvent = this.#watch.show(narrate)
    const onPartial = (partial: Partial<Answer>): void => void (this.#partial = partial)
    const question = {
      model: this.model,
      request,
      signal: this.signal,
      onPartial,
      ...(onEvent && { onEvent }),
    }
    let asked = false
    const answer = await (options.runner ?? inline).step(`model/${this.tally.own}`, () => {
      asked = true
      return ask(question)
    })
    // A durable runner that knows the answer asks nobody, and those who watch still want to see it.
    if (!asked && onEvent) emit({ candidates: [answer.message] }).forEach(onEvent)
    return this.#note(answer)
  }

  async #note(given: Answer): Promise<Answer> {
    const message = this.#names.own(ownMessage(given.message))
    this.tally.add(stepOf(this.model, { ...given, message }))
    this.#lose(given.losses)
    // Whatever happens before it is taken into the conversation, it has been said.
    if (!isSilent(message)) this.#round = openRound(message)
    const answer = { ...given, message }
    await this.hooks.afterModel(answer, this)
    return answer
  }

  async answer(message: AssistantMessage): Promise<ToolMessage> {
    const left = this.#left?.message.id === message.id ? this.#left : undefined
    const round = left ?? openRound(message)
    this.#left = undefined
    this.#round = round
    await this.#tell(message)
    const batch = await this.#executor.executeBatch(ownCallsOf(message), {
      known: round.results,
      refused: brokenCalls(message),
      decisions: this.#start.decisions,
      nested: this.#start.nested,
      onResult: (result) => round.results.set(result.callId, result),
    })
    if (batch.pending.length > 0) throw new Pause(batch)
    return toolResults(batch.results, this.#identity)
  }

  /** Takes messages into the conversation; a hook that throws cannot undo that. */
  async take(messages: readonly Message[]): Promise<void> {
    this.#round = undefined
    if (messages.length === 0) return
    for (const message of messages) this.#names.add(message)
    this.messages.push(...messages)
    this.#conversation = this.#conversation.append(...messages)
    for (const message of messages) await this.#tell(message)
    if (messages.at(-1)?.role === 'tool') this.#watch.afterTools()
    this.emit({ messages })
  }

  /** Keeps what was done when a run breaks off: what came of an answer, and a result for every call. */
  async takeRest(): Promise<void> {
    const partial = this.#partial
    if (partial.usage !== undefined) this.tally.add(stepOf(this.model, partial))
    const message = partial.message && this.#names.own(partial.message)
    const round = this.#round ?? this.#left ?? (message && openRound(message))
    this.#partial = {}
    this.#left = undefined
    if (round !== undefined) await this.take(closeRound(round, this.#identity))
  }

  /** The open round and all that is needed to go on with it, as plain JSON. */
  pause({ pending, nested }: Pause['open'], elapsed: number): PausedRun | undefined {
    if (this.#round === undefined) return undefined
    const { message, results } = this.#round
    return {
      version: 1,
      id: this.id,
      message,
      results: ownCallsOf(message).flatMap((call) => results.get(call.id) ?? []),
      pending,
      ...(nested.size > 0 && { nestedRuns: Object.fromEntries(nested) }),
      steps: [...this.steps],
      toolUses: Object.fromEntries(this.#executor.uses),
      orchestratorData: Object.fromEntries(this.data),
      elapsedMs: elapsed,
    }
  }

  async #tell(message: Message): Promise<void> {
    if (this.#told.has(message.id)) return
    this.#told.add(message.id)
    await this.hooks.onMessage(message, this)
  }
}
