import { createId } from '../canonical/build/ids-and-timestamps.ts'
import { createUniqueNamer } from '../wire/unique-names.ts'
import type { AssistantMessage, Message } from '../canonical/model/message.ts'
import type { AssistantPart, ToolCallPart } from '../canonical/model/part.ts'
import { toolCallsOf, toolResultsOf } from '../canonical/read/message-content.ts'
import { freezeOwned } from '../wire/frozen-json.ts'

/** Keeps the ids of a run unique, because some hosts restart their numbering in each response. */
export class UniqueIds {
  readonly #messageIds = new Set<string>()
  readonly #callIds = new Set<string>()
  /** The calls that the application runs. */
  readonly #applicationCallIds = new Set<string>()
  readonly #freeCallId = createUniqueNamer(this.#callIds)

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

  /** Returns the message with unique ids, and without results for calls that the application runs. */
  withUniqueIds(message: AssistantMessage): AssistantMessage {
    const id = this.#messageIds.has(message.id) ? createId('msg') : message.id
    const providerCallIds = new Map<string, string>()
    const renamed = message.content.map((part) =>
      part.type === 'tool-call' ? this.#renameCall(part, providerCallIds) : part,
    )
    const content = renamed.flatMap((part) =>
      part.type === 'tool-result' ? this.#rewriteResult(part, providerCallIds) : part,
    )
    const isUnchanged =
      content.length === message.content.length &&
      content.every((part, index) => part === message.content[index])
    return id === message.id && isUnchanged ? message : freezeOwned({ ...message, id, content })
  }

  #renameCall(call: ToolCallPart, providerCallIds: Map<string, string>): ToolCallPart {
    const id = this.#freeCallId(call.id)
    const renamed = id === call.id ? call : { ...call, id }
    this.#addCall(renamed)
    if (call.executedBy !== undefined) providerCallIds.set(call.id, id)
    return renamed
  }

  /** Updates a result inside an assistant message, or removes it if the model made it up. */
  #rewriteResult(
    result: AssistantPart & { readonly callId: string },
    providerCallIds: ReadonlyMap<string, string>,
  ): readonly AssistantPart[] {
    const callId = providerCallIds.get(result.callId) ?? result.callId
    if (this.#applicationCallIds.has(callId)) return []
    this.#callIds.add(callId)
    return [callId === result.callId ? result : { ...result, callId }]
  }
}
