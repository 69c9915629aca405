import { createId } from '../canonical/build/identity.ts'
import { freeNames } from '../canonical/check/names.ts'
import type { AssistantMessage, Message } from '../canonical/model/message.ts'
import type { AssistantPart, ToolCallPart } from '../canonical/model/part.ts'
import { toolCallsOf, toolResultsOf } from '../canonical/read/text.ts'
import { sealOwn } from '../wire/frozen.ts'

/** Sees to it that no message and no call of a run has the id of another: some hosts number them anew in each answer. */
export class Names {
  readonly #messages = new Set<string>()
  readonly #calls = new Set<string>()
  /** The calls that are ours to answer. */
  readonly #ours = new Set<string>()
  readonly #freeCallId = freeNames(this.#calls)

  constructor(history: Iterable<Message>) {
    for (const message of history) this.add(message)
  }

  add(message: Message): void {
    this.#messages.add(message.id)
    for (const call of toolCallsOf(message)) this.#take(call)
    for (const { callId } of toolResultsOf(message)) this.#calls.add(callId)
  }

  hasMessage(id: string): boolean {
    return this.#messages.has(id)
  }

  #take({ id, executedBy }: ToolCallPart): void {
    this.#calls.add(id)
    if (executedBy === undefined) this.#ours.add(id)
  }

  /** The answer with ids of its own, and without results of calls that are ours to answer: mostly the same one. */
  own(message: AssistantMessage): AssistantMessage {
    const id = this.#messages.has(message.id) ? createId('msg') : message.id
    const byProvider = new Map<string, string>()
    const named = message.content.map((part) =>
      part.type === 'tool-call' ? this.#named(part, byProvider) : part,
    )
    const content = named.flatMap((part) =>
      part.type === 'tool-result' ? this.#placed(part, byProvider) : part,
    )
    const same =
      content.length === message.content.length && content.every((part, at) => part === message.content[at])
    return id === message.id && same ? message : sealOwn({ ...message, id, content })
  }

  #named(call: ToolCallPart, byProvider: Map<string, string>): ToolCallPart {
    const id = this.#freeCallId(call.id)
    const named = id === call.id ? call : { ...call, id }
    this.#take(named)
    if (call.executedBy !== undefined) byProvider.set(call.id, id)
    return named
  }

  /** A result inside an answer is that of the provider's own tool, or a model's fancy. */
  #placed(
    result: AssistantPart & { readonly callId: string },
    byProvider: ReadonlyMap<string, string>,
  ): readonly AssistantPart[] {
    const callId = byProvider.get(result.callId) ?? result.callId
    if (this.#ours.has(callId)) return []
    this.#calls.add(callId)
    return [callId === result.callId ? result : { ...result, callId }]
  }
}
