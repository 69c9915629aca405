import { Agent } from '../../agent/agent.ts'
import type { AgentChunk, AgentResult } from '../../agent/agent-result.ts'
import type { AgentTool, ApprovalHandler } from '../../agent/tools/tool.ts'
import { Messages } from '../../canonical/collections/messages.ts'
import { addUsage, type Usage } from '../../canonical/model/usage.ts'
import type { Model } from '../../canonical/model/model-interface.ts'
import { Conversation } from '../../stores/conversation/conversation.ts'
import type { ConversationStorage } from '../../stores/conversation-storage.ts'
import { type Colorizer, createColorizer, escapeControlCharacters, truncateToLine } from '../terminal-text.ts'
import { printJson, printLine, printNotice, type Terminal, writeAndDrain } from '../command-io.ts'
import { demoTools } from '../../studio/chat-tools.ts'
import { demo, DEMO_MODEL_NAME } from '../../client/demo-model.ts'
import { InterlinguaError } from '../../errors.ts'
import { omitUndefined } from '../../wire/json.ts'
import { model, type ProviderOptions } from '../../providers/index.ts'
import { getRegistry } from '../registry.ts'
import { isProviderName, toProviderOptions } from '../provider-options.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { Part } from '../../canonical/model/part.ts'
import { formatPart, formatUsage } from '../inspect/format-transcript.ts'

/** Prints a response as it streams: reasoning, text, tool calls and their results. */
class AnswerView {
  readonly #terminal: Terminal
  readonly #json: boolean
  readonly #paint: Colorizer
  #openBlock: 'thinking' | 'text' | 'none' = 'none'

  constructor(terminal: Terminal, json: boolean) {
    this.#terminal = terminal
    this.#json = json
    this.#paint = createColorizer(terminal, terminal.stdout)
  }

  async printChunk({ text, thinking, messages }: AgentChunk): Promise<void> {
    if (this.#json) return
    if (thinking !== undefined && thinking !== '') await this.#writeBlock('thinking', thinking)
    if (text !== '') await this.#writeBlock('text', text)
    for (const message of messages) await this.#writeToolLines(message)
  }

  async #writeBlock(block: 'thinking' | 'text', text: string): Promise<void> {
    if (this.#openBlock !== block) await this.#closeBlock()
    const prefix = this.#openBlock === 'none' && block === 'thinking' ? '~ ' : ''
    this.#openBlock = block
    const shown = escapeControlCharacters(text)
    await this.#write(block === 'thinking' ? this.#paint('dim', prefix + shown) : shown)
  }

  async #writeToolLines({ content }: Message): Promise<void> {
    const parts = content.filter(({ type }: Part) => type === 'tool-call' || type === 'tool-result')
    if (parts.length > 0) await this.#closeBlock()
    for (const part of parts)
      for (const line of formatPart(part, this.#paint)) await this.#write(`${this.#paint('yellow', line)}\n`)
  }

  async #closeBlock(): Promise<void> {
    if (this.#openBlock !== 'none') await this.#write('\n')
    this.#openBlock = 'none'
  }

  async printResult(result: AgentResult, session: string, model: string): Promise<void> {
    const { text, finish, usage, losses, messages } = result
    const fields = { type: 'answer', session, model, text, finish, usage, losses, messages }
    if (this.#json) return printJson(this.#terminal, fields)
    await this.#closeBlock()
    const lossesByRule = new Map(
      losses.filter(({ severity }) => severity === 'loss').map((loss) => [loss.rule, loss]),
    )
    for (const { rule, reason } of lossesByRule.values())
      await printNotice(this.#terminal, this.#paint('yellow', `loss  ${rule}: ${reason}`))
    if (finish.reason !== 'stop')
      await printNotice(this.#terminal, this.#paint('dim', `(ended: ${finish.reason})`))
    if (this.#terminal.stdout.isTTY === true)
      await printLine(this.#terminal, this.#paint('dim', `(${formatUsage(usage)})`))
  }

  #write(text: string): Promise<void> {
    return writeAndDrain(this.#terminal.stdout, text)
  }
}

/** The model that is used when none is configured. */
/** Returns the options of a provider of `--registry`. */
function toOwnOptions(baseUrl: string | undefined): ProviderOptions {
  return baseUrl === undefined ? {} : { baseUrl }
}

/** Creates a model from `demo` or `<provider>:<model>`. */
function createModelByName(name: string, baseUrl: string | undefined, terminal: Terminal): Model {
  if (name === DEMO_MODEL_NAME) return demo({ eventDelayMs: terminal.stdout.isTTY === true ? 15 : 0 })
  const provider = getProviderPart(name)
  try {
    const registry = getRegistry()
    const options = isProviderName(provider) ? toProviderOptions(provider, baseUrl) : toOwnOptions(baseUrl)
    return model(name, { ...options, ...(registry && { registry }) })
  } catch (error) {
    if (!(error instanceof InterlinguaError) || error.code !== 'unknown-id') throw error
    throw new InterlinguaError('unknown-id', error.message, {
      found: name,
      expected: `'${DEMO_MODEL_NAME}' or '<provider>:<model>'`,
      path: '/model',
      ...(error.hint !== undefined && { hint: error.hint }),
    })
  }
}

function getProviderPart(modelName: string): string {
  return modelName.slice(0, Math.max(0, modelName.indexOf(':')))
}

export interface ChatSetup {
  readonly model: string
  /** Base URL of the provider of `model`; other providers keep their own, so that no other key is sent to it. */
  readonly baseUrl?: string
  readonly storage: ConversationStorage
  /** Id of the conversation to continue; if omitted, the first message creates one. */
  readonly session: string | undefined
  readonly system?: string
  readonly tools: readonly AgentTool[]
  readonly approve: ApprovalHandler
  readonly json: boolean
}

/** The state of a chat: the current model, conversation and token usage. */
export class CommandLineChat {
  readonly terminal: Terminal
  readonly storage: ConversationStorage
  readonly json: boolean
  /** Id of the current conversation; the next message creates one if there is none. */
  session: string | undefined
  /** Total token usage since the chat started. */
  usage: Usage | undefined
  readonly #setup: ChatSetup
  #modelName: string
  #model: Model

  constructor(terminal: Terminal, setup: ChatSetup) {
    this.terminal = terminal
    this.storage = setup.storage
    this.json = setup.json
    this.session = setup.session
    this.#setup = setup
    this.#modelName = setup.model
    this.#model = this.#createModel(setup.model)
  }

  get modelName(): string {
    return this.#modelName
  }

  /** Tools the model may call. The demo model has built-in tools if no others are configured. */
  get tools(): readonly AgentTool[] {
    const { tools } = this.#setup
    return this.#modelName === DEMO_MODEL_NAME && tools.length === 0 ? demoTools : tools
  }

  switchModel(name: string): void {
    this.#model = this.#createModel(name)
    this.#modelName = name
  }

  #createModel(name: string): Model {
    const { model: firstName, baseUrl } = this.#setup
    const isSameProvider = getProviderPart(name) === getProviderPart(firstName)
    return createModelByName(name, isSameProvider ? baseUrl : undefined, this.terminal)
  }

  async messages(): Promise<Messages> {
    return this.session === undefined ? Messages.of() : this.storage.messages(this.session)
  }

  /** Sends a user message, or the stored conversation again, and prints the response as it streams. */
  async send(text: string | undefined, signal: AbortSignal): Promise<AgentResult> {
    const { storage, tools, terminal } = this
    const { system, approve } = this.#setup
    this.session ??= (await storage.createSession({ title: truncateToLine(text ?? '', 60) })).id
    const agent = new Agent({ model: this.#model, tools, approve, ...omitUndefined({ system }) })
    const conversation = new Conversation({ agent, storage, session: this.session })
    const stream = await conversation.stream(text ?? [], { signal })
    const view = new AnswerView(terminal, this.json)
    for await (const chunk of stream) await view.printChunk(chunk)
    const result = await stream.result
    this.usage = this.usage === undefined ? result.usage : addUsage(this.usage, result.usage)
    await view.printResult(result, this.session, this.#modelName)
    return result
  }
}
