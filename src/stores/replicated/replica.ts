import { InterlinguaError } from '../../errors.ts'
import type { AppendResult, ConversationStorage, SectionOptions } from '../conversation-storage.ts'
import { createCompositeKey } from '../memory/memory-tables.ts'
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
export interface Replica {
  /** Runs an operation that does not depend on the primary. */
  run<T>(act: (storage: ConversationStorage) => Promise<T>): Promise<T>
  /** Repeats a write of the primary. A failure is reported and repaired with the next write to the session. */
  replicate(
    session: string | undefined,
    act: (storage: ConversationStorage) => Promise<unknown>,
  ): Promise<void>
}

export function createReplica(
  storage: ConversationStorage,
  primary: ConversationStorage,
  { queue, missedSessions }: ReplicaState,
  onError: (error: unknown) => void = () => undefined,
): Replica {
  const sessionKey = (session: string): string => createCompositeKey(storage.tenant, session)

  /** Copies the complete session, the last write included. */
  async function copy(session: string): Promise<void> {
    await storage.deleteSession(session)
    await storage.importSession(primary.exportSession(session), { trustToolCallLog: true })
    missedSessions.delete(sessionKey(session))
  }

  async function recover(session: string | undefined, error: unknown): Promise<void> {
    try {
      const isBehind = error instanceof InterlinguaError && BEHIND_CODES.has(error.code)
      if (!isBehind || session === undefined) throw error
      await copy(session)
    } catch (cause) {
      if (session !== undefined) missedSessions.add(sessionKey(session))
      onError(cause)
    }
  }

  return {
    run: (act) => queue.run(() => act(storage)),
    replicate: (session, act) =>
      queue.run(async () => {
        try {
          if (session !== undefined && missedSessions.has(sessionKey(session))) await copy(session)
          await act(storage)
        } catch (error) {
          await recover(session, error)
        }
      }),
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
