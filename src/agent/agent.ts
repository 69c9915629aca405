import type { EmbeddingOptions } from '../canonical/model/model-interface.ts'
import { system } from '../canonical/build/messages.ts'
import { type MessageInput, toMessages } from '../canonical/collections/message-input.ts'
import type { SystemMessage } from '../canonical/model/message.ts'
import { isEmptyContent } from '../canonical/read/content-checks.ts'
import { InterlinguaError } from '../errors.ts'
import type { SchemaSource } from '../schema/schema-source.ts'
import { describeType, isObject } from '../wire/json.ts'
import { runLoop } from './run-loop.ts'
import { type EmbedAllOptions, embedAll } from './embeddings.ts'
import type { AgentOptions, RunOptions, TypedRunOptions } from './options.ts'
import { selectOrchestrator } from './orchestrators/select-orchestrator.ts'
import { createOutputSpec } from './output/output-spec.ts'
import type { PausedRun } from './paused-run.ts'
import { type Decisions, type Resumption, createResumption } from './resumption.ts'
import type { AgentChunk, AgentResult } from './agent-result.ts'
import { MessageQueue } from './message-queue.ts'
import { AgentStream } from './agent-stream.ts'
import { type AgentToolOptions, createAgentTool } from './tools/agent-tool.ts'
import type { AgentTool } from './tools/tool.ts'
import { checkLimits } from './run-limits.ts'
import { assertNumericSettings } from '../wire/limits.ts'
import { ToolSet } from './tools/tool-set.ts'

/** Refuses what would fail only when it is used: a mistake of the caller is told at once. */
export function checkAgentOptions(options: AgentOptions): void {
  const { model, tools = [], concurrency, toolTimeoutMs, outputRetries, limits } = options
  checkModel(model)
  new ToolSet(tools)
  assertNumericSettings('', { concurrency }, 1)
  assertNumericSettings('', { toolTimeoutMs, outputRetries })
  checkLimits(limits)
}

function checkModel(model: unknown): void {
  if (isObject(model) && typeof model['generate'] === 'function') return
  throw new InterlinguaError('missing-field', 'The agent has no model', {
    path: '/model',
    found: typeof model === 'string' ? 'the name of a model' : describeType(model),
    expected: 'a model',
    hint: "Make one of its name: new Agent({ model: model('provider:name') }).",
  })
}

interface RunArguments extends Partial<Resumption> {
  readonly prompt: MessageInput | Iterable<MessageInput>
  readonly options: RunOptions & Partial<TypedRunOptions<unknown>>
  readonly onChunk?: (chunk: AgentChunk) => void
}

/**
 * A model with tools: it answers, calls, is answered, and answers again. It keeps no conversation: the caller passes the
 * history, and gets back only what is new. It knows no provider, so a conversation can move from model to model.
 *
 * @example
 * const agent = new Agent({ model: model('anthropic:claude-…'), tools: [weather], system: 'Be brief.' })
 * const first = await agent.send('How warm is it in Oslo?')
 * const second = await agent.with({ model: model('openai:gpt-…') }).send('And in Rome?', { history: first.messages })
 */
export class Agent {
  readonly options: AgentOptions
  readonly #system: SystemMessage | undefined

  constructor(options: AgentOptions) {
    checkAgentOptions(options)
    this.options = Object.freeze({ ...options })
    // Made once, so that every request begins with the very same message.
    this.#system = options.system === undefined ? undefined : system(options.system)
  }

  /** The same agent with other options: another model, more tools. */
  with(changes: Partial<AgentOptions>): Agent {
    return new Agent({ ...this.options, ...changes })
  }

  /**
   * Says something to the model and waits for the end of the run. An empty prompt goes on with the history as it is.
   *
   * @example
   * const { text, messages } = await agent.send('How warm is it in Oslo?', { history })
   * history.push(...messages)
   */
  send<T>(prompt: MessageInput | Iterable<MessageInput>, options: TypedRunOptions<T>): Promise<AgentResult<T>>
  send(prompt: MessageInput | Iterable<MessageInput>, options?: RunOptions): Promise<AgentResult<never>>
  send(
    prompt: MessageInput | Iterable<MessageInput>,
    options: RunOptions & Partial<TypedRunOptions<unknown>> = {},
  ): Promise<AgentResult> {
    return this.#run({ prompt, options })
  }

  /**
   * The same, with output that fits a schema.
   *
   * @example
   * const { output } = await agent.sendFor(z.object({ celsius: z.number() }), 'How warm is it in Oslo?')
   */
  sendFor<T>(
    output: SchemaSource<T>,
    prompt: MessageInput | Iterable<MessageInput>,
    options: RunOptions = {},
  ): Promise<AgentResult<T>> {
    return this.send(prompt, { ...options, output })
  }

  /**
   * The same as it happens.
   *
   * @example
   * for await (const { text } of agent.stream('Tell me a story')) show(text)
   */
  stream<T>(prompt: MessageInput | Iterable<MessageInput>, options: TypedRunOptions<T>): AgentStream<T>
  stream(prompt: MessageInput | Iterable<MessageInput>, options?: RunOptions): AgentStream<never>
  stream(
    prompt: MessageInput | Iterable<MessageInput>,
    options: RunOptions & Partial<TypedRunOptions<unknown>> = {},
  ): AgentStream {
    return this.#stream({ prompt, options })
  }

  /**
   * Goes on with a run that waits for decisions: runs what is approved, tells the model what is not, takes the output of what
   * the caller executed. Calls without a decision go on waiting. `history` is as it was, with the messages of the paused result.
   *
   * @example
   * const result = await agent.send('Delete the old files')
   * if (result.paused) await agent.resume(result.paused, { call_1: 'approve' }, { history: result.messages })
   */
  resume<T>(paused: PausedRun, decisions: Decisions, options: TypedRunOptions<T>): Promise<AgentResult<T>>
  resume(paused: PausedRun, decisions: Decisions, options?: RunOptions): Promise<AgentResult<never>>
  async resume(
    paused: PausedRun,
    decisions: Decisions,
    options: RunOptions & Partial<TypedRunOptions<unknown>> = {},
  ): Promise<AgentResult> {
    return this.#run({ prompt: [], options, ...createResumption(paused, decisions) })
  }

  /** The same as it happens. */
  resumeStream<T>(paused: PausedRun, decisions: Decisions, options: TypedRunOptions<T>): AgentStream<T>
  resumeStream(paused: PausedRun, decisions: Decisions, options?: RunOptions): AgentStream<never>
  resumeStream(
    paused: PausedRun,
    decisions: Decisions,
    options: RunOptions & Partial<TypedRunOptions<unknown>> = {},
  ): AgentStream {
    return this.#stream({ prompt: [], options, ...createResumption(paused, decisions) })
  }

  /** This agent as a tool of another. */
  asTool(options: AgentToolOptions): AgentTool {
    return createAgentTool(this, options)
  }

  /** The vector of a text that asks for others. */
  async embedQuery(text: string, options: EmbeddingOptions = {}): Promise<readonly number[]> {
    const [vector = []] = await this.#embed([text], { purpose: 'query', ...options })
    return vector
  }

  /** The vectors of texts that are to be found. */
  embedDocuments(
    texts: readonly string[],
    options: EmbedAllOptions = {},
  ): Promise<readonly (readonly number[])[]> {
    return this.#embed(texts, { purpose: 'document', ...options })
  }

  async #embed(texts: readonly string[], options: EmbedAllOptions): Promise<readonly (readonly number[])[]> {
    const { embedding } = this.options
    if (embedding === undefined) {
      throw new InterlinguaError('missing-field', 'The agent has no model for embeddings', {
        path: '/embedding',
        hint: 'Give one: new Agent({ model, embedding: openai.embedding(…) }).',
      })
    }
    return embedAll(embedding, texts, options)
  }

  #stream({ options, ...begin }: RunArguments): AgentStream {
    const steering = options.messageQueue ?? new MessageQueue()
    const start = (onChunk: (chunk: AgentChunk) => void, signal: AbortSignal): Promise<AgentResult> => {
      const signals = options.signal === undefined ? signal : AbortSignal.any([signal, options.signal])
      return this.#run({
        ...begin,
        options: { ...options, messageQueue: steering, signal: signals },
        onChunk,
      })
    }
    return new AgentStream(start, steering)
  }

  async #run({
    prompt,
    options,
    paused,
    decisions = new Map(),
    nested = new Map(),
    onChunk,
  }: RunArguments): Promise<AgentResult> {
    const agent = this.options
    const { output: source, newId, now, outputRetries = agent.outputRetries } = options
    // What is missing would be said as the word `undefined`.
    if (prompt === undefined || prompt === null) throw missingPrompt(prompt)
    const allMessages = toMessages(prompt, { ...(newId && { newId }), ...(now && { now }) })
    const messages = allMessages.filter(({ content }) => !isEmptyContent(content))
    const output = source === undefined ? undefined : createOutputSpec(source, outputRetries)
    const defaultOrchestrator = selectOrchestrator({
      hasTools: (agent.tools ?? []).length > 0,
      capabilities: agent.model.capabilities,
      ...(output && { output }),
    })
    const start = { agent, system: this.#system, options, onChunk, paused, decisions, nested }
    return runLoop(start, messages, options.orchestrator ?? agent.orchestrator ?? defaultOrchestrator)
  }
}

function missingPrompt(prompt: unknown): InterlinguaError {
  return new InterlinguaError('missing-field', 'There is no prompt', {
    path: '/prompt',
    found: describeType(prompt),
    expected: 'text, parts or messages',
    hint: 'Give an empty list to go on with the history as it is.',
  })
}
