import { InterlinguaError } from '../../errors.ts'
import type { AppendResult, ConversationStorage, SectionOptions } from '../conversation-storage.ts'
import { joinKey } from '../memory/memory-tables.ts'
import { SerialQueue } from '../serial-queue.ts'

/** Error codes of a replica that has missed a write. */
const BEHIND_CODES: ReadonlySet<string> = new Set(['unknown-session', 'unknown-id', 'conflict'])

/** The state of a replica, shared by all tenants. */
export class ReplicaState {
  readonly queue: SerialQueue = new SerialQueue()
  /** Sessions in which it missed a write. */
  readonly missedSessions: Set<string> = new Set()
}

/** A storage that repeats the writes of the primary in order, and copies sessions in which it missed one. */
export class Replica {
  readonly #storage: ConversationStorage
  readonly #primary: ConversationStorage
  readonly #onError: (error: unknown) => void
  readonly #state: ReplicaState

  constructor(
    storage: ConversationStorage,
    primary: ConversationStorage,
    state: ReplicaState,
    onError: (error: unknown) => void = () => undefined,
  ) {
    this.#storage = storage
    this.#primary = primary
    this.#state = state
    this.#onError = onError
  }

  #sessionKey(session: string): string {
    return joinKey(this.#storage.tenant, session)
  }

  /** Runs an operation that does not depend on the primary. */
  run<T>(act: (storage: ConversationStorage) => Promise<T>): Promise<T> {
    return this.#state.queue.run(() => act(this.#storage))
  }

  /** Repeats a write of the primary. A failure is reported and repaired with the next write to the session. */
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

  /** Copies the complete session, the last write included. */
  async #copy(session: string): Promise<void> {
    await this.#storage.deleteSession(session)
    await this.#storage.importSession(this.#primary.exportSession(session))
    this.#state.missedSessions.delete(this.#sessionKey(session))
  }
}

/** Repeats an append of the primary: the same messages after the same parent. */
export async function replicateAppend(
  to: ConversationStorage,
  session: string,
  { added, head }: AppendResult,
  { section }: SectionOptions = {},
): Promise<AppendResult> {
  const where = section === undefined ? {} : { section }
  const [first] = added
  const parent = first === undefined ? head : (first.parentId ?? null)
  if (((await to.head(session, where)) ?? null) !== parent) await to.setHead(session, parent, where)
  const appended = await to.append(session, added, where)
  // A copy of the session may already contain them.
  if (appended.added.length === 0 && head !== null) await to.setHead(session, head, where)
  return appended
}
