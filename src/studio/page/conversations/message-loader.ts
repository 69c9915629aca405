import { type ReadonlySignal, signal } from '@preact/signals'
import type { Message } from '../../../canonical/model/message.ts'
import { call, CallError } from '../api-client.ts'

const BATCH_SIZE = 100

/** Loads the messages of a session as they are shown, and keeps them. */
export class MessageLoader {
  readonly session: string
  readonly #messages = new Map<string, Message>()
  readonly #requested = new Map<string, Promise<void>>()
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

  /** Loads the messages that are missing. Rejects if one of them cannot be loaded; the next call requests it again. */
  async load(ids: readonly string[]): Promise<void> {
    const missing = ids.filter((id) => !this.#messages.has(id) && !this.#requested.has(id))
    for (let start = 0; start < missing.length; start += BATCH_SIZE) {
      const batch = missing.slice(start, start + BATCH_SIZE)
      const request = this.#request(batch)
      for (const id of batch) this.#requested.set(id, request)
    }
    await Promise.all(ids.flatMap((id) => this.#requested.get(id) ?? []))
  }

  async #request(ids: readonly string[]): Promise<void> {
    try {
      this.add(await call('messages.read', { session: this.session, ids }))
    } finally {
      for (const id of ids) this.#requested.delete(id)
    }
    if (ids.some((id) => !this.#messages.has(id)))
      throw new CallError({
        code: 'unknown-message',
        message: 'Messages of this conversation were deleted meanwhile.',
        hint: 'Open the conversation again.',
      })
  }
}
