import { Agent } from '../../agent/agent.ts'
import type { AgentResult } from '../../agent/result.ts'
import type { AgentTool, Approve } from '../../agent/tools/tool.ts'
import type { MessageInput } from '../../canonical/collections/input.ts'
import { Messages } from '../../canonical/collections/messages.ts'
import { addUsage, type Usage } from '../../canonical/model/usage.ts'
import type { Model } from '../../client/model.ts'
import { Conversation } from '../../stores/conversation/conversation.ts'
import type { ConversationStorage } from '../../stores/contract.ts'
import { DEMO, modelNamed } from '../models.ts'
import { oneLine } from '../paint.ts'
import type { Terminal } from '../terminal.ts'
import { AnswerView } from './answer-view.ts'
import { demoTools } from './tools.ts'

export interface ChatOptions {
  readonly model: string
  readonly storage: ConversationStorage
  /** The conversation to go on with; a new one begins with the first words. */
  readonly session?: string
  readonly system?: string
  readonly tools: readonly AgentTool[]
  readonly approve: Approve
  readonly json: boolean
}

/** A chat under way: which model, which conversation. */
export class Chat {
  readonly terminal: Terminal
  readonly options: ChatOptions
  #name: string
  #model: Model
  #session: string | undefined
  #usage: Usage | undefined

  constructor(terminal: Terminal, options: ChatOptions) {
    this.terminal = terminal
    this.options = options
    this.#name = options.model
    this.#model = modelNamed(options.model, terminal)
    this.#session = options.session
  }

  get model(): string {
    return this.#name
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
    return this.#name === DEMO && tools.length === 0 ? demoTools : tools
  }

  /** Another model goes on with the same conversation. */
  switchModel(name: string): void {
    this.#model = modelNamed(name, this.terminal)
    this.#name = name
  }

  /** Another conversation, or a new one. */
  switchSession(session: string | undefined): void {
    this.#session = session
  }

  async messages(): Promise<Messages> {
    return this.#session === undefined ? Messages.of() : this.options.storage.path(this.#session)
  }

  /** Says something, and shows the answer as it comes. No words go on with what is there. */
  async say(words: string | undefined, signal: AbortSignal): Promise<AgentResult> {
    const { storage, json } = this.options
    this.#session ??= (await storage.createSession({ title: oneLine(words ?? '', 60) })).id
    const conversation = new Conversation({ agent: this.#agent(), storage, session: this.#session })
    const prompt: MessageInput | readonly MessageInput[] = words ?? []
    const stream = await conversation.stream(prompt, { signal })
    const view = new AnswerView(this.terminal, json)
    for await (const chunk of stream) await view.show(chunk)
    const result = await stream.result
    this.#usage = this.#usage === undefined ? result.usage : addUsage(this.#usage, result.usage)
    await view.end(result, { session: this.#session, model: this.#name })
    return result
  }

  #agent(): Agent {
    const { system, approve } = this.options
    return new Agent({
      model: this.#model,
      tools: this.tools,
      approve,
      ...(system !== undefined && { system }),
    })
  }
}
