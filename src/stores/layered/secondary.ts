import { InterlinguaError } from '../../errors.ts'
import type { Appended, ConversationStorage, InSection } from '../contract.ts'
import { joined } from '../memory/tables.ts'
import { Queue } from '../queue.ts'

/** How a storage says that it is behind the primary. */
const BEHIND: ReadonlySet<string> = new Set(['unknown-session', 'unknown-id', 'conflict'])

/** What is known of a secondary, whichever tenant it is asked for. */
export class Lag {
  readonly queue: Queue = new Queue()
  /** The sessions in which it missed something. */
  readonly missed: Set<string> = new Set()
}

/** A storage that does what the primary has done, in the same order, and catches up with what it missed. */
export class Secondary {
  readonly #storage: ConversationStorage
  readonly #primary: ConversationStorage
  readonly #onError: (error: unknown) => void
  readonly #lag: Lag

  constructor(
    storage: ConversationStorage,
    primary: ConversationStorage,
    lag: Lag,
    onError: (error: unknown) => void = () => undefined,
  ) {
    this.#storage = storage
    this.#primary = primary
    this.#lag = lag
    this.#onError = onError
  }

  #name(session: string): string {
    return joined(this.#storage.tenant, session)
  }

  /** Does something of which the primary knows nothing. */
  run<T>(act: (storage: ConversationStorage) => Promise<T>): Promise<T> {
    return this.#lag.queue.run(() => act(this.#storage))
  }

  /** Does what the primary has done; what fails is told, and made good with the next write to the session. */
  follow(
    session: string | undefined,
    act: (storage: ConversationStorage) => Promise<unknown>,
  ): Promise<void> {
    return this.#lag.queue.run(async () => {
      try {
        if (session !== undefined && this.#lag.missed.has(this.#name(session))) await this.#copy(session)
        await act(this.#storage)
      } catch (error) {
        await this.#recover(session, error)
      }
    })
  }

  async #recover(session: string | undefined, error: unknown): Promise<void> {
    try {
      const isBehind = error instanceof InterlinguaError && BEHIND.has(error.code)
      if (!isBehind || session === undefined) throw error
      await this.#copy(session)
    } catch (cause) {
      if (session !== undefined) this.#lag.missed.add(this.#name(session))
      this.#onError(cause)
    }
  }

  /** All of the session, the last write included. */
  async #copy(session: string): Promise<void> {
    await this.#storage.deleteSession(session)
    await this.#storage.importSession(this.#primary.exportSession(session))
    this.#lag.missed.delete(this.#name(session))
  }
}

/** Does what an append did in the primary: the same messages, behind the same one. */
export async function appendLike(
  to: ConversationStorage,
  session: string,
  { added, head }: Appended,
  { section }: InSection = {},
): Promise<Appended> {
  const where = section === undefined ? {} : { section }
  const [first] = added
  const before = first === undefined ? head : (first.parentId ?? null)
  if (((await to.head(session, where)) ?? null) !== before) await to.navigate(session, before, where)
  const appended = await to.append(session, added, where)
  // A copy may have brought them before.
  if (appended.added.length === 0 && head !== null) await to.navigate(session, head, where)
  return appended
}
