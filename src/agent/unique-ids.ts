import { createId } from '../canonical/build/ids-and-timestamps.ts'
import { createUniqueNames } from '../wire/unique-names.ts'
import type { AssistantMessage, Message } from '../canonical/model/message.ts'
import type { AssistantPart, ToolCallPart } from '../canonical/model/part.ts'
import { toolCallsOf, toolResultsOf } from '../canonical/read/message-content.ts'
import { freezeOwned } from '../wire/frozen-json.ts'

/** Sees to it that no message and no call of a run has the id of another: some hosts number them anew in each answer. */
export class UniqueIds {
  readonly #messageIds = new Set<string>()
  readonly #callIds = new Set<string>()
  /** The calls that are ours to answer. */
  readonly #applicationCallIds = new Set<string>()
  readonly #freeCallId = createUniqueNames(this.#callIds)

  constructor(history: Iterable<Message>) {
    for (const message of history) this.add(message)
  }

  add(message: Message): void {
    this.#messageIds.add(message.id)
    for (const call of toolCallsOf(message)) this.#addCall(call)
    for (const { callId } of toolResultsOf(message)) this.#callIds.add(callId)
  }

  hasMessage(id: string): boolean {
    return this.#messageIds.has(id)
  }

  #addCall({ id, executedBy }: ToolCallPart): void {
    this.#callIds.add(id)
    if (executedBy === undefined) this.#applicationCallIds.add(id)
  }

  /** The answer with ids of its own, and without results of calls that are ours to answer: mostly the same one. */
  withUniqueIds(message: AssistantMessage): AssistantMessage {
    const id = this.#messageIds.has(message.id) ? createId('msg') : message.id
    const byProvider = new Map<string, string>()
    const named = message.content.map((part) =>
      part.type === 'tool-call' ? this.#renameCall(part, byProvider) : part,
    )
    const content = named.flatMap((part) =>
      part.type === 'tool-result' ? this.#rewriteResult(part, byProvider) : part,
    )
    const same =
      content.length === message.content.length && content.every((part, at) => part === message.content[at])
    return id === message.id && same ? message : freezeOwned({ ...message, id, content })
  }

  #renameCall(call: ToolCallPart, byProvider: Map<string, string>): ToolCallPart {
    const id = this.#freeCallId(call.id)
    const named = id === call.id ? call : { ...call, id }
    this.#addCall(named)
    if (call.executedBy !== undefined) byProvider.set(call.id, id)
    return named
  }

  /** A result inside an answer is that of the provider's own tool, or a model's fancy. */
  #rewriteResult(
    result: AssistantPart & { readonly callId: string },
    byProvider: ReadonlyMap<string, string>,
  ): readonly AssistantPart[] {
    const callId = byProvider.get(result.callId) ?? result.callId
    if (this.#applicationCallIds.has(callId)) return []
    this.#callIds.add(callId)
    return [callId === result.callId ? result : { ...result, callId }]
  }
}
