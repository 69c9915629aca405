import { InterlinguaError } from '../../errors.ts'
import type { AppendResult, ConversationStorage, SectionOptions } from '../conversation-storage.ts'
import { joinKey } from '../memory/memory-tables.ts'
import { SerialQueue } from '../serial-queue.ts'

/** How a storage says that it is behind the primary. */
const BEHIND_CODES: ReadonlySet<string> = new Set(['unknown-session', 'unknown-id', 'conflict'])

/** What is known of a secondary, whichever tenant it is asked for. */
export class ReplicaState {
  readonly queue: SerialQueue = new SerialQueue()
  /** The sessions in which it missed something. */
  readonly missedSessions: Set<string> = new Set()
}

/** A storage that does what the primary has done, in the same order, and catches up with what it missed. */
export class Replica {
  readonly #storage: ConversationStorage
  readonly #primary: ConversationStorage
  readonly #onError: (error: unknown) => void
  readonly #state: ReplicaState

  constructor(
    storage: ConversationStorage,
    primary: ConversationStorage,
    lag: ReplicaState,
    onError: (error: unknown) => void = () => undefined,
  ) {
    this.#storage = storage
    this.#primary = primary
    this.#state = lag
    this.#onError = onError
  }

  #sessionKey(session: string): string {
    return joinKey(this.#storage.tenant, session)
  }

  /** Does something of which the primary knows nothing. */
  run<T>(act: (storage: ConversationStorage) => Promise<T>): Promise<T> {
    return this.#state.queue.run(() => act(this.#storage))
  }

  /** Does what the primary has done; what fails is told, and made good with the next write to the session. */
  replicate(
    session: string | undefined,
    act: (storage: ConversationStorage) => Promise<unknown>,
  ): Promise<void> {
    return this.#state.queue.run(async () => {
      try {
        if (session !== undefined && this.#state.missedSessions.has(this.#sessionKey(session)))
          await this.#copy(session)
        await act(this.#storage)
      } catch (error) {
        await this.#recover(session, error)
      }
    })
  }

  async #recover(session: string | undefined, error: unknown): Promise<void> {
    try {
      const isBehind = error instanceof InterlinguaError && BEHIND_CODES.has(error.code)
      if (!isBehind || session === undefined) throw error
      await this.#copy(session)
    } catch (cause) {
      if (session !== undefined) this.#state.missedSessions.add(this.#sessionKey(session))
      this.#onError(cause)
    }
  }

  /** All of the session, the last write included. */
  async #copy(session: string): Promise<void> {
    await this.#storage.deleteSession(session)
    await this.#storage.importSession(this.#primary.exportSession(session))
    this.#state.missedSessions.delete(this.#sessionKey(session))
  }
}

/** Does what an append did in the primary: the same messages, behind the same one. */
export async function replicateAppend(
  to: ConversationStorage,
  session: string,
  { added, head }: AppendResult,
  { section }: SectionOptions = {},
): Promise<AppendResult> {
  const where = section === undefined ? {} : { section }
  const [first] = added
  const before = first === undefined ? head : (first.parentId ?? null)
  if (((await to.head(session, where)) ?? null) !== before) await to.setHead(session, before, where)
  const appended = await to.append(session, added, where)
  // A copy may have brought them before.
  if (appended.added.length === 0 && head !== null) await to.setHead(session, head, where)
  return appended
}
