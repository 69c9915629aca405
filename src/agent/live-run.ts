import type { Model } from '../client/model.ts'
import { freshId, type IdentityOptions } from '../canonical/build/identity.ts'
import { toolResults } from '../canonical/build/messages.ts'
import type { Messages } from '../canonical/collections/messages.ts'
import type { Loss } from '../canonical/model/loss.ts'
import type { AssistantMessage, Message, ToolMessage } from '../canonical/model/message.ts'
import type { ToolResultPart } from '../canonical/model/part.ts'
import { InterlinguaError } from '../errors.ts'
import { ownMessage } from '../canonical/shape/strict.ts'
import { emit } from '../canonical/stream/emit.ts'
import type { Json } from '../wire/json.ts'
import { abortable } from '../wire/abort.ts'
import { ask } from './ask.ts'
import { isSilent, ownCallsOf } from './calls.ts'
import { brokenCalls } from './cut.ts'
import { Tally } from './limits.ts'
import { Pause } from './errors.ts'
import { type AgentHooks, joinHooks } from './hooks.ts'
import { Names } from './names.ts'
import { plainly } from './orchestrators/narrate.ts'
import type { Answer, AskOptions, Run } from './orchestrators/orchestrator.ts'
import type { PausedRun } from './paused.ts'
import { requestOf } from './request.ts'
import type { AgentChunk, Step } from './result.ts'
import { inline } from './runner.ts'
import { conversationOf, executorFor, type RunStart } from './start.ts'
import { ABORTED } from './tools/attempt.ts'
import type { ToolExecutor } from './tools/executor.ts'
import { errorResult } from './tools/output.ts'
import type { ToolInput } from './tools/tool.ts'
import { ToolSet } from './tools/tool-set.ts'
import { Watch } from './watch.ts'

/** An answer whose calls are being answered. */
interface Round {
  readonly message: AssistantMessage
  readonly results: Map<string, ToolResultPart>
}

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
    this.data = new Map(Object.entries(paused?.data ?? {}))
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
    this.#left = { message, results: new Map(results.map((result) => [result.callId, result])) }
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
    const { usage, cost } = given
    this.#addStep({ message, ...(usage && { usage }), ...(cost && { cost }) })
    this.#lose(given.losses)
    // Whatever happens before it is taken into the conversation, it has been said.
    if (!isSilent(message)) this.#round = { message, results: new Map() }
    const answer = { ...given, message }
    await this.hooks.afterModel(answer, this)
    return answer
  }

  #addStep({ message, usage, cost }: Partial<Answer>): void {
    this.tally.add({
      provider: this.model.provider,
      model: this.model.name,
      ...(usage && { usage }),
      ...(cost && { cost }),
      ...(message?.finish && { finish: message.finish }),
    })
  }

  async answer(message: AssistantMessage): Promise<ToolMessage> {
    const left = this.#left?.message.id === message.id ? this.#left : undefined
    const round = left ?? { message, results: new Map<string, ToolResultPart>() }
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
    if (partial.usage !== undefined) this.#addStep(partial)
    const message = partial.message && this.#names.own(partial.message)
    const round =
      this.#round ?? this.#left ?? (message && { message, results: new Map<string, ToolResultPart>() })
    this.#partial = {}
    this.#left = undefined
    if (round === undefined) return
    const results = ownCallsOf(round.message).map(
      (call) => round.results.get(call.id) ?? errorResult(call, ABORTED),
    )
    await this.take(
      results.length === 0 ? [round.message] : [round.message, toolResults(results, this.#identity)],
    )
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
      ...(nested.size > 0 && { nested: Object.fromEntries(nested) }),
      steps: [...this.steps],
      uses: Object.fromEntries(this.#executor.uses),
      data: Object.fromEntries(this.data),
      elapsed,
    }
  }

  async #tell(message: Message): Promise<void> {
    if (this.#told.has(message.id)) return
    this.#told.add(message.id)
    await this.hooks.onMessage(message, this)
  }
}

function resumedTwice(): InterlinguaError {
  return new InterlinguaError('conflict', 'The history holds the answer that the paused run left open', {
    path: '/history',
    found: 'a message that is part of the paused run',
    expected: 'the history up to that message',
    hint: 'Pass the history with the messages of the paused result. If the run has been resumed already, go on with `send`.',
  })
}
