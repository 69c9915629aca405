import { type MessageInput, toMessages } from '../canonical/collections/input.ts'
import type { Message } from '../canonical/model/message.ts'
import { isEmptyContent } from '../canonical/read/state.ts'

/**
 * What the user says while a run goes on: it is delivered before the next step, and a run that was about to end goes on.
 *
 * @example
 * const steering = new Steering()
 * const running = agent.send('Plan a trip to Oslo', { steering })
 * steering.add('By train, please.')
 */
export class Steering {
  #waiting: readonly Message[] = []

  add(input: MessageInput): void {
    const said = toMessages(input).filter(({ content }) => !isEmptyContent(content))
    this.#waiting = [...this.#waiting, ...said]
  }

  /** What has not been delivered. */
  get waiting(): readonly Message[] {
    return this.#waiting
  }

  /** Takes out all that waits. */
  take(): readonly Message[] {
    const taken = this.#waiting
    this.#waiting = []
    return taken
  }
}
