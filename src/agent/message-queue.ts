import { type MessageInput, toMessages } from '../canonical/collections/message-input.ts'
import type { Message } from '../canonical/model/message.ts'
import { isEmptyContent } from '../canonical/read/content-checks.ts'

/**
 * What the user says while a run goes on: it is delivered before the next step, and a run that was about to end goes on.
 *
 * @example
 * const steering = new Steering()
 * const running = agent.send('Plan a trip to Oslo', { steering })
 * steering.add('By train, please.')
 */
export class MessageQueue {
  #pending: readonly Message[] = []

  add(input: MessageInput): void {
    const messages = toMessages(input).filter(({ content }) => !isEmptyContent(content))
    this.#pending = [...this.#pending, ...messages]
  }

  /** What has not been delivered. */
  get pending(): readonly Message[] {
    return this.#pending
  }

  /** Takes out all that waits. */
  drain(): readonly Message[] {
    const taken = this.#pending
    this.#pending = []
    return taken
  }
}
