import type { Message } from '../../canonical/model/message.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import { isSystemRole } from '../../canonical/read/type-guards.ts'
import { textOf } from '../../canonical/read/message-content.ts'
import { InterlinguaError } from '../../errors.ts'
import type { ConversationStorage } from '../../stores/conversation-storage.ts'
import type { RecordingOptions } from '../config.ts'
import { PruneSchedule } from '../prune-schedule.ts'
import { type IdentifiedMessage, identifyMessages } from './identify-messages.ts'

/** A request that was answered. */
export interface RecordedExchange {
  /** The name of the client's key; empty without keys. */
  readonly client: string
  readonly request: ChatRequest
  /** The answers: several if the request asked for several. */
  readonly answers: readonly Message[]
}

/** The most exchanges that wait to be written, and the most characters of their messages. */
const MAX_PENDING = 1000
const MAX_PENDING_CHARS = 128 * 1024 * 1024

const MAX_TITLE_CHARS = 80

/**
 * Stores what clients send and receive as conversations. Requests that start alike belong to one session, in which each further
 * request only adds its new messages; where they differ, the session gets a branch. Writing never delays or ends an answer.
 */
export class ConversationRecorder {
  readonly #options: RecordingOptions
  readonly #onError: (error: unknown) => void
  /** The last write of each session: a session is written by one exchange after the other. */
  readonly #writes = new Map<string, Promise<void>>()
  readonly #schedule = new PruneSchedule()
  readonly #maxPendingChars: number
  #pending = 0
  #pendingChars = 0

  constructor(
    options: RecordingOptions,
    onError: (error: unknown) => void,
    maxPendingChars: number = MAX_PENDING_CHARS,
  ) {
    this.#options = options
    this.#onError = onError
    this.#maxPendingChars = maxPendingChars
  }

  /** Starts to store an exchange. */
  record({ client, request, answers }: RecordedExchange): void {
    try {
      const messages = this.#redact([...request.messages])
      const firstOwn = messages.findIndex(({ role }) => !isSystemRole(role))
      if (firstOwn === -1) return
      const path = identifyMessages(client, messages.slice(firstOwn))
      const session = path[0]?.id ?? ''
      if (!isSampled(session, this.#options.sampleRate ?? 1)) return
      const chars = path.reduce((sum, each) => sum + each.chars, 0)
      if (this.#pending >= MAX_PENDING || this.#pendingChars > this.#maxPendingChars)
        throw createBacklogError(this.#pending)
      const branch = { session, client, system: messages.slice(0, firstOwn), path }
      this.#enqueue(session, chars, () => this.#store(branch, this.#redact(answers)))
    } catch (error) {
      this.#onError(error)
    }
  }

  #redact(messages: readonly Message[]): readonly Message[] {
    const { redact } = this.#options
    if (redact === undefined) return messages
    return messages.flatMap((message) => redact(message) ?? [])
  }

  #enqueue(session: string, chars: number, write: () => Promise<void>): void {
    this.#pending += 1
    this.#pendingChars += chars
    const last = this.#writes.get(session) ?? Promise.resolve()
    const next = last
      .then(write)
      .catch(this.#onError)
      .then(() => {
        this.#pending -= 1
        this.#pendingChars -= chars
        if (this.#writes.get(session) === next) this.#writes.delete(session)
      })
    this.#writes.set(session, next)
  }

  /** True if nothing waits to be stored. */
  get isIdle(): boolean {
    return this.#pending === 0
  }

  /** Waits until everything is stored. */
  async flush(): Promise<void> {
    while (this.#writes.size > 0) await Promise.all(this.#writes.values())
  }

  async #store(branch: RecordedBranch, answers: readonly Message[]): Promise<void> {
    const { storage, retentionMs } = this.#options
    const { session, path } = branch
    const expiry = retentionMs === undefined ? {} : { expiresAt: new Date(Date.now() + retentionMs) }
    const last = path.at(-1)?.id ?? null
    if ((await storage.session(session)) === undefined) await this.#create(branch, expiry)
    else {
      const known = await countStored(storage, session, path)
      if (known < path.length) await append(storage, session, path.slice(known), path[known - 1]?.id ?? null)
      if (retentionMs !== undefined) await storage.updateSession(session, expiry)
    }
    for (const answer of answers) await append(storage, session, identifyMessages(last ?? '', [answer]), last)
    if (retentionMs !== undefined && this.#schedule.isDue(storage.tenant)) await storage.prune()
  }

  async #create(branch: RecordedBranch, expiry: { readonly expiresAt?: Date }): Promise<void> {
    const { storage } = this.#options
    const { session, client, system, path } = branch
    const [first] = path
    const title = first === undefined ? '' : textOf(first.message).trim().slice(0, MAX_TITLE_CHARS)
    await storage.createSession({
      id: session,
      title,
      ...(client !== '' && { labels: [client] }),
      ...expiry,
    })
    const messages = [...identifyMessages(`${session}.system`, system), ...path]
    await append(storage, session, messages, null)
  }
}

/** The messages of a request, and the session that they belong to. */
interface RecordedBranch {
  readonly session: string
  readonly client: string
  /** The system messages at the start, as they were when the session started. */
  readonly system: readonly Message[]
  readonly path: readonly IdentifiedMessage[]
}

/** Returns how many messages at the start of a path are stored. If one is, all before are: a binary search finds the last. */
async function countStored(
  storage: ConversationStorage,
  session: string,
  path: readonly IdentifiedMessage[],
): Promise<number> {
  let [low, high] = [0, path.length]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    const found = await storage.get(session, path[middle - 1]?.id ?? '')
    if (found === undefined) high = middle - 1
    else low = middle
  }
  return low
}

/** Appends messages after another one. An answer that is stored already, as after a retry of the client, is not stored again. */
async function append(
  storage: ConversationStorage,
  session: string,
  messages: readonly IdentifiedMessage[],
  after: string | null,
): Promise<void> {
  const [first] = messages
  if (first === undefined || (await storage.get(session, first.id)) !== undefined) return
  await storage.append(
    session,
    messages.map(({ id, message }) => ({ ...message, id })),
    { after },
  )
}

/** Selects sessions by their ids, so that a session is recorded as a whole or not at all. */
function isSampled(session: string, rate: number): boolean {
  return Number.parseInt(session.slice(0, 8), 16) / 2 ** 32 < rate
}

function createBacklogError(pending: number): InterlinguaError {
  return new InterlinguaError(
    'storage-unavailable',
    'A conversation was not recorded: the storage is too slow',
    {
      found: `${pending} conversations that wait to be stored`,
      expected: 'a storage that keeps up',
      hint: 'Lower `sampleRate`, or use a faster storage.',
      retryable: true,
    },
  )
}
