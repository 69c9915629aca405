import type { EmbeddingOptions } from '../canonical/model/model-interface.ts'
import { system } from '../canonical/build/messages.ts'
import { type MessageInput, toMessages } from '../canonical/collections/message-input.ts'
import type { SystemMessage } from '../canonical/model/message.ts'
import { isEmptyContent } from '../canonical/read/content-checks.ts'
import { InterlinguaError } from '../errors.ts'
import type { SchemaSource } from '../schema/schema-source.ts'
import { describeType, isObject, omitUndefined } from '../wire/json.ts'
import { runLoop } from './run-loop.ts'
import { type EmbedAllOptions, embedAll } from './embeddings.ts'
import {
  AGENT_OPTION_HINTS,
  AGENT_OPTION_NAMES,
  type AgentOptions,
  RUN_OPTION_NAMES,
  type RunOptions,
  type TypedRunOptions,
} from './options.ts'
import { selectOrchestrator } from './orchestrators/select-orchestrator.ts'
import { createOutputSpec } from './output/output-spec.ts'
import type { PausedRun } from './paused-run.ts'
import { type Decisions, type Resumption, createResumption } from './resumption.ts'
import type { AgentChunk, AgentResult } from './agent-result.ts'
import { MessageQueue } from './message-queue.ts'
import { AgentStream } from './agent-stream.ts'
import { type AgentToolOptions, createToolFromAgent } from './tools/agent-tool.ts'
import type { AgentTool } from './tools/tool.ts'
import { assertNumericLimits } from './run-limits.ts'
import { assertNumericSettings } from '../wire/stream-limits.ts'
import { checkSignal } from '../wire/cancellation.ts'
import { checkOptions } from '../wire/check-options.ts'
import { ToolSet } from './tools/tool-set.ts'

/** Checks the options when the agent is created, so that a mistake does not surface in a run. */
function checkAgentOptions(options: AgentOptions): void {
  checkOptions('the agent', options, AGENT_OPTION_NAMES, AGENT_OPTION_HINTS)
  const { model, tools = [], concurrency, toolTimeoutMs, outputRetries, limits } = options
  checkModel(model)
  new ToolSet(tools)
  assertNumericSettings('', { concurrency }, 1)
  assertNumericSettings('', { toolTimeoutMs, outputRetries })
  assertNumericLimits(limits)
}

function checkModel(model: unknown): void {
  if (isObject(model) && typeof model['generate'] === 'function') return
  throw new InterlinguaError('missing-field', 'The agent has no model', {
    path: '/model',
    found: typeof model === 'string' ? 'the name of a model' : describeType(model),
    expected: 'a model',
    hint: "Create the model from its name: new Agent({ model: model('provider:name') }).",
  })
}

type Prompt = MessageInput | Iterable<MessageInput>
type AnyRunOptions = RunOptions & Partial<TypedRunOptions<unknown>>

interface RunArguments {
  readonly prompt: Prompt
  readonly options: AnyRunOptions
  readonly resumption?: Resumption
  readonly onChunk?: (chunk: AgentChunk) => void
}

/**
 * A model with tools. It calls the model, runs the tool calls of the response, sends their results, and repeats until
 * the model responds without tool calls. It stores no conversation: pass the history, and get back only the new
 * messages. It does not depend on a provider, so a conversation can switch models at any time.
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
    // Created once, so that every run starts with the same message object.
    this.#system = options.system === undefined ? undefined : system(options.system)
  }

  /** Returns a copy of this agent with some options replaced. */
  with(changes: Partial<AgentOptions>): Agent {
    return new Agent({ ...this.options, ...changes })
  }

  /**
   * Sends a prompt and returns the result when the run has ended. An empty prompt continues the history as it
   * is; without a history it is an error.
   *
   * @example
   * const { text, messages } = await agent.send('How warm is it in Oslo?', { history })
   * history.push(...messages)
   */
  send<T>(prompt: Prompt, options: TypedRunOptions<T>): Promise<AgentResult<T>>
  send(prompt: Prompt, options?: RunOptions): Promise<AgentResult<never>>
  send(prompt: Prompt, options: AnyRunOptions = {}): Promise<AgentResult> {
    return this.#run({ prompt, options })
  }

  /**
   * Sends a prompt and returns output that conforms to a schema.
   *
   * @example
   * const { output } = await agent.sendFor(z.object({ celsius: z.number() }), 'How warm is it in Oslo?')
   */
  sendFor<T>(output: SchemaSource<T>, prompt: Prompt, options: RunOptions = {}): Promise<AgentResult<T>> {
    return this.send(prompt, { ...options, output })
  }

  /**
   * Sends a prompt and returns the run as a stream of chunks.
   *
   * @example
   * for await (const { text } of agent.stream('Tell me a story')) process.stdout.write(text)
   */
  stream<T>(prompt: Prompt, options: TypedRunOptions<T>): AgentStream<T>
  stream(prompt: Prompt, options?: RunOptions): AgentStream<never>
  stream(prompt: Prompt, options: AnyRunOptions = {}): AgentStream {
    return this.#stream({ prompt, options })
  }

  /**
   * Resumes a paused run. Runs the approved tool calls, returns an error result to the model for denied ones,
   * and uses the output that the caller passes for calls it executed itself. Calls without a decision stay
   * pending. `history` is the history of the first call followed by the messages of the paused result.
   *
   * @example
   * const result = await agent.send('Delete the old files')
   * if (result.paused) await agent.resume(result.paused, { call_1: 'approve' }, { history: result.messages })
   */
  resume<T>(paused: PausedRun, decisions: Decisions, options: TypedRunOptions<T>): Promise<AgentResult<T>>
  resume(paused: PausedRun, decisions: Decisions, options?: RunOptions): Promise<AgentResult<never>>
  async resume(paused: PausedRun, decisions: Decisions, options: AnyRunOptions = {}): Promise<AgentResult> {
    return this.#run({ prompt: [], options, resumption: createResumption(paused, decisions) })
  }

  /** Resumes a paused run like {@link Agent.resume} and returns a stream of chunks. */
  resumeStream<T>(paused: PausedRun, decisions: Decisions, options: TypedRunOptions<T>): AgentStream<T>
  resumeStream(paused: PausedRun, decisions: Decisions, options?: RunOptions): AgentStream<never>
  resumeStream(paused: PausedRun, decisions: Decisions, options: AnyRunOptions = {}): AgentStream {
    return this.#stream({ prompt: [], options, resumption: createResumption(paused, decisions) })
  }

  /** Returns this agent as a tool for another agent. */
  asTool(options: AgentToolOptions): AgentTool {
    return createToolFromAgent(this, options)
  }

  /** Returns the vector of a search query. */
  async embedQuery(text: string, options: EmbeddingOptions = {}): Promise<readonly number[]> {
    const [vector = []] = await this.#embed([text], { purpose: 'query', ...options })
    return vector
  }

  /** Returns the vectors of the texts to search in. */
  embedDocuments(
    texts: readonly string[],
    options: EmbedAllOptions = {},
  ): Promise<readonly (readonly number[])[]> {
    return this.#embed(texts, { purpose: 'document', ...options })
  }

  async #embed(texts: readonly string[], options: EmbedAllOptions): Promise<readonly (readonly number[])[]> {
    const { embedding } = this.options
    if (embedding === undefined) {
      throw new InterlinguaError('missing-field', 'The agent has no embedding model', {
        path: '/embedding',
        hint: 'Pass one: new Agent({ model, embedding: openai.embedding(…) }).',
      })
    }
    return embedAll(embedding, texts, options)
  }

  #stream({ options, ...run }: RunArguments): AgentStream {
    const { messageQueue = new MessageQueue() } = options
    return new AgentStream(async (onChunk, streamSignal) => {
      checkSignal(options.signal)
      const signal = AbortSignal.any([streamSignal, ...(options.signal ? [options.signal] : [])])
      return this.#run({ ...run, options: { ...options, messageQueue, signal }, onChunk })
    }, messageQueue)
  }

  async #run({ prompt, ...input }: RunArguments): Promise<AgentResult> {
    const agent = this.options
    const { output: source, newId, now, outputRetries = agent.outputRetries } = input.options
    checkOptions('the run', input.options, RUN_OPTION_NAMES, AGENT_OPTION_HINTS)
    checkSignal(input.options.signal)
    checkPrompt(prompt, input.options)
    const allMessages = toMessages(prompt, omitUndefined({ newId, now }))
    const messages = allMessages.filter(({ content }) => !isEmptyContent(content))
    const { orchestrator = agent.orchestrator } = input.options
    const defaultOrchestrator = selectOrchestrator({
      hasTools: (agent.tools ?? []).length > 0,
      capabilities: agent.model.capabilities,
      ...(source !== undefined && { output: createOutputSpec(source, outputRetries) }),
    })
    const work = (): Promise<AgentResult> =>
      runLoop({ agent, system: this.#system, ...input }, messages, orchestrator ?? defaultOrchestrator)
    if (agent.tracer === undefined) return work()
    const tracedInput = this.#system === undefined ? messages : [this.#system, ...messages]
    return agent.tracer.traceRun({ model: agent.model, input: tracedInput }, work)
  }
}

/**
 * Otherwise a missing prompt would be sent as the text `undefined`, and empty text without a history as a
 * request without messages.
 */
function checkPrompt(prompt: unknown, { history, messageQueue }: RunOptions): void {
  const hasContext = history !== undefined || (messageQueue?.pending ?? []).length > 0
  const isEmptyText = typeof prompt === 'string' && prompt.trim() === ''
  if (prompt !== undefined && prompt !== null && (hasContext || !isEmptyText)) return
  throw new InterlinguaError('missing-field', 'The prompt is missing', {
    path: '/prompt',
    found: isEmptyText ? 'an empty string' : describeType(prompt),
    expected: 'text, content parts or messages',
    hint: 'Pass an empty list to continue the history without a new message.',
  })
}
