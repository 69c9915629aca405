import { Agent } from '../../agent/agent.ts'
import type { AgentResult } from '../../agent/agent-result.ts'
import type { AgentTool, ApprovalHandler } from '../../agent/tools/tool.ts'
import type { MessageInput } from '../../canonical/collections/message-input.ts'
import { Messages } from '../../canonical/collections/messages.ts'
import { addUsage, type Usage } from '../../canonical/model/usage.ts'
import type { Model } from '../../canonical/model/model-interface.ts'
import { Conversation } from '../../stores/conversation/conversation.ts'
import type { ConversationStorage } from '../../stores/conversation-storage.ts'
import { truncateToLine } from '../terminal-text.ts'
import type { Terminal } from '../command-io.ts'
import { AnswerView } from './answer-view.ts'
import { demoTools } from './chat-tools.ts'
import { demo } from '../../client/demo-model.ts'
import { InterlinguaError } from '../../errors.ts'
import { model } from '../../providers/index.ts'

/** The model that is there when nothing is configured. */
export const DEMO_MODEL_NAME = 'demo'

/** A model by its name: `demo`, or `<provider>:<model>`. */
export function createModelByName(name: string, terminal: Terminal): Model {
  if (name === DEMO_MODEL_NAME) return demo({ eventDelayMs: terminal.stdout.isTTY === true ? 15 : 0 })
  try {
    return model(name)
  } catch (error) {
    if (!(error instanceof InterlinguaError) || error.code !== 'unknown-id') throw error
    throw new InterlinguaError('unknown-id', error.message, {
      found: name,
      expected: `'${DEMO_MODEL_NAME}', or '<provider>:<model>'`,
      hint: 'interlingua providers lists the providers.',
    })
  }
}

export interface ChatOptions {
  readonly model: string
  readonly storage: ConversationStorage
  /** The conversation to go on with; a new one begins with the first words. */
  readonly session?: string
  readonly system?: string
  readonly tools: readonly AgentTool[]
  readonly approve: ApprovalHandler
  readonly json: boolean
}

/** A chat under way: which model, which conversation. */
export class Chat {
  readonly terminal: Terminal
  readonly options: ChatOptions
  #modelName: string
  #model: Model
  #session: string | undefined
  #usage: Usage | undefined

  constructor(terminal: Terminal, options: ChatOptions) {
    this.terminal = terminal
    this.options = options
    this.#modelName = options.model
    this.#model = createModelByName(options.model, terminal)
    this.#session = options.session
  }

  get modelName(): string {
    return this.#modelName
  }

  get session(): string | undefined {
    return this.#session
  }

  /** The tokens of all answers since the chat began. */
  get usage(): Usage | undefined {
    return this.#usage
  }

  /** The demo model brings tools of its own where there are no others, so that there is something to see. */
  get tools(): readonly AgentTool[] {
    const { tools } = this.options
    return this.#modelName === DEMO_MODEL_NAME && tools.length === 0 ? demoTools : tools
  }

  /** Another model goes on with the same conversation. */
  switchModel(name: string): void {
    this.#model = createModelByName(name, this.terminal)
    this.#modelName = name
  }

  /** Another conversation, or a new one. */
  switchSession(session: string | undefined): void {
    this.#session = session
  }

  async messages(): Promise<Messages> {
    return this.#session === undefined ? Messages.of() : this.options.storage.messages(this.#session)
  }

  /** Says something, and shows the answer as it comes. No words go on with what is there. */
  async send(words: string | undefined, signal: AbortSignal): Promise<AgentResult> {
    const { storage, json } = this.options
    this.#session ??= (await storage.createSession({ title: truncateToLine(words ?? '', 60) })).id
    const conversation = new Conversation({ agent: this.#createAgent(), storage, session: this.#session })
    const prompt: MessageInput | readonly MessageInput[] = words ?? []
    const stream = await conversation.stream(prompt, { signal })
    const view = new AnswerView(this.terminal, json)
    for await (const chunk of stream) await view.printChunk(chunk)
    const result = await stream.result
    this.#usage = this.#usage === undefined ? result.usage : addUsage(this.#usage, result.usage)
    await view.printResult(result, { session: this.#session, model: this.#modelName })
    return result
  }

  #createAgent(): Agent {
    const { system, approve } = this.options
    return new Agent({
      model: this.#model,
      tools: this.tools,
      approve,
      ...(system !== undefined && { system }),
    })
  }
}
