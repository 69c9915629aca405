import { Agent } from '../../agent/agent.ts'
import type { AgentResult } from '../../agent/agent-result.ts'
import type { AgentTool, ApprovalHandler } from '../../agent/tools/tool.ts'
import { Messages } from '../../canonical/collections/messages.ts'
import { addUsage, type Usage } from '../../canonical/model/usage.ts'
import type { Model } from '../../canonical/model/model-interface.ts'
import { Conversation } from '../../stores/conversation/conversation.ts'
import type { ConversationStorage } from '../../stores/conversation-storage.ts'
import { truncateToLine } from '../terminal-text.ts'
import type { Terminal } from '../command-io.ts'
import { AnswerView } from './answer-view.ts'
import { demoTools } from '../../studio/chat-tools.ts'
import { demo } from '../../client/demo-model.ts'
import { InterlinguaError } from '../../errors.ts'
import { omitUndefined } from '../../wire/json.ts'
import { model, type ProviderOptions } from '../../providers/index.ts'
import { getRegistry } from '../registry.ts'
import { isProviderName, toProviderOptions } from '../provider-options.ts'

/** The model that is used when none is configured. */
export const DEMO_MODEL_NAME = 'demo'

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
