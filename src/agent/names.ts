import { freeNames } from '../canonical/check/names.ts'
import { createId } from '../canonical/build/identity.ts'
import type { AssistantMessage, Message } from '../canonical/model/message.ts'
import type { AssistantPart } from '../canonical/model/part.ts'
import { toolCallsOf } from '../canonical/read/text.ts'
import { sealedCopy } from '../wire/frozen.ts'

/** Sees to it that no message and no call of a run has the id of another: some hosts number them anew in each answer. */
export class Names {
  readonly #messages = new Set<string>()
  readonly #calls = new Set<string>()
  readonly #freeCallId = freeNames(this.#calls)

  constructor(history: Iterable<Message>) {
    for (const message of history) this.add(message)
  }

  add(message: Message): void {
    this.#messages.add(message.id)
    for (const call of toolCallsOf(message)) this.#calls.add(call.id)
  }

  /** The answer with ids of its own: the same one where they are already. */
  own(message: AssistantMessage): AssistantMessage {
    const id = this.#messages.has(message.id) ? createId('msg') : message.id
    const renamed = new Map<string, string>()
    const content = message.content.map((part): AssistantPart => {
      if (part.type === 'tool-result') return { ...part, callId: renamed.get(part.callId) ?? part.callId }
      if (part.type !== 'tool-call') return part
      const free = this.#freeCallId(part.id)
      if (free === part.id) return part
      renamed.set(part.id, free)
      return { ...part, id: free }
    })
    this.#messages.add(id)
    return id === message.id && renamed.size === 0 ? message : sealedCopy({ ...message, id, content })
  }
}
