import { type ReadonlySignal, signal } from '@preact/signals'
import type { Message } from '../../../canonical/model/message.ts'
import { call } from '../api-client.ts'

const BATCH_SIZE = 100

/** Loads the messages of a session as they are shown, and keeps them. */
export class MessageLoader {
  readonly session: string
  readonly #messages = new Map<string, Message>()
  readonly #requested = new Set<string>()
  readonly #version = signal(0)

  constructor(session: string) {
    this.session = session
  }

  /** Changes whenever messages have been loaded. */
  get version(): ReadonlySignal<number> {
    return this.#version
  }

  find(id: string): Message | undefined {
    return this.#messages.get(id)
  }

  /** Adds messages that are known from elsewhere. */
  add(messages: readonly Message[]): void {
    for (const message of messages) this.#messages.set(message.id, message)
    this.#version.value++
  }

  /** Loads the messages that are missing. */
  async load(ids: readonly string[]): Promise<void> {
    const missing = ids.filter((id) => !this.#messages.has(id) && !this.#requested.has(id))
    for (const id of missing) this.#requested.add(id)
    for (let start = 0; start < missing.length; start += BATCH_SIZE) {
      const batch = missing.slice(start, start + BATCH_SIZE)
      try {
        this.add(await call('messages.read', { session: this.session, ids: batch }))
      } catch {
        // They are requested again when they are shown again.
        for (const id of batch) this.#requested.delete(id)
      }
    }
  }
}
