import { type MessageInput, toMessages } from '../canonical/collections/message-input.ts'
import type { Message } from '../canonical/model/message.ts'
import { isEmptyContent } from '../canonical/read/content-checks.ts'

/**
 * Messages of the user to an active run. They are sent with the next step; a run that was about to end
 * continues with them.
 *
 * @example
 * const messageQueue = new MessageQueue()
 * const running = agent.send('Plan a trip to Oslo', { messageQueue })
 * messageQueue.add('By train, please.')
 * const { text } = await running
 */
export class MessageQueue {
  #pending: readonly Message[] = []

  add(input: MessageInput): void {
    const messages = toMessages(input).filter(({ content }) => !isEmptyContent(content))
    this.#pending = [...this.#pending, ...messages]
  }

  /** The messages that have not been sent. */
  get pending(): readonly Message[] {
    return this.#pending
  }

  /** Removes and returns all pending messages. */
  drain(): readonly Message[] {
    const taken = this.#pending
    this.#pending = []
    return taken
  }
}
