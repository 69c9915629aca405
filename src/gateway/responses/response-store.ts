import type { Message } from '../../canonical/model/message.ts'
import type { ConversationStorage } from '../../stores/conversation-storage.ts'
import { isObject, itemsOf, type JsonObject } from '../../wire/json.ts'
import type { PruneSchedule } from '../prune-schedule.ts'
import type { StatefulDialect } from './response-format.ts'

/** A response to store, and the conversation up to it. */
export interface NewResponse {
  readonly id: string
  readonly dialect: StatefulDialect
  /** The stored response that it continues; the conversation is shared with it. */
  readonly previousId?: string
  /** The messages after those of the previous response. */
  readonly input: readonly Message[]
  /** The answer; absent while it is generated. */
  readonly output?: Message
  readonly isBackground: boolean
  readonly body: JsonObject
}

/** A response as it was stored. */
export interface StoredResponse {
  readonly id: string
  readonly dialect: string
  readonly body: JsonObject
  /** True if the last message of the conversation is the answer. */
  readonly hasOutput: boolean
  readonly isBackground: boolean
}

/** How long responses are kept. */
interface ResponseRetention {
  /** Absent if they are kept. */
  readonly retentionMs?: number
  readonly schedule: PruneSchedule
}

/** The key of the gateway's data among the parameters of a session. */
const PARAMETER = 'gatewayResponse'

/**
 * Stores the responses of one client: each is a session that contains the whole conversation up to it. A response that continues
 * another one is a fork, so that both share their history, and each can be continued or deleted on its own.
 */
export class ResponseStore {
  readonly storage: ConversationStorage
  readonly #retention: ResponseRetention

  /** Each client is a tenant of its own: its ids mean nothing to others. */
  constructor(storage: ConversationStorage, client: string, retention: ResponseRetention) {
    this.storage = storage.forTenant(`${storage.tenant}/gateway/${client}`)
    this.#retention = retention
  }

  /** Stores a response. Until everything is written, it does not exist for readers. */
  async add({ id, dialect, previousId, input, output, isBackground, body }: NewResponse): Promise<void> {
    const { retentionMs, schedule } = this.#retention
    if (retentionMs !== undefined && schedule.isDue(this.storage.tenant)) await this.storage.prune()
    const expiresAt = retentionMs === undefined ? null : new Date(Date.now() + retentionMs)
    const unfinished = { id, labels: [dialect], parameters: {}, expiresAt }
    if (previousId === undefined) await this.storage.createSession(unfinished)
    else await this.storage.fork(previousId, unfinished)
    try {
      const messages = output === undefined ? input : [...input, output]
      if (messages.length > 0) await this.storage.append(id, messages)
      await this.#write({ id, dialect, body, isBackground, hasOutput: output !== undefined })
    } catch (error) {
      // The first error says why. What cannot be deleted, no reader finds.
      await this.storage.deleteSession(id).catch(() => {})
      throw error
    }
  }

  /** Replaces the body of a response, and adds its answer. */
  async finish(response: StoredResponse, output: Message | undefined): Promise<void> {
    if (output !== undefined) await this.storage.append(response.id, [output])
    await this.#write({ ...response, hasOutput: output !== undefined })
  }

  async #write({ id, ...response }: StoredResponse): Promise<void> {
    const labels = [response.dialect, ...listItemIds(response.body)]
    await this.storage.updateSession(id, { labels, parameters: { [PARAMETER]: response } })
  }

  /** Returns a response of a dialect; undefined if this client has none with the id. */
  async find(dialect: StatefulDialect, id: string): Promise<StoredResponse | undefined> {
    const session = isStorableId(id) ? await this.storage.session(id) : undefined
    // An expired response may not be deleted yet.
    const isExpired = session?.expiresAt !== undefined && Date.parse(session.expiresAt) <= Date.now()
    const stored = isExpired ? undefined : session?.parameters[PARAMETER]
    if (!isObject(stored) || stored['dialect'] !== dialect) return undefined
    const { body, hasOutput, isBackground } = stored
    if (!isObject(body)) return undefined
    return { id, dialect, body, hasOutput: hasOutput === true, isBackground: isBackground === true }
  }

  /** Returns the stored response with an item of its output; undefined if none has it. */
  async findByItem(dialect: StatefulDialect, itemId: string): Promise<StoredResponse | undefined> {
    if (!isStorableId(itemId)) return undefined
    const { sessions } = await this.storage.sessions({ label: itemId, limit: 1 })
    return sessions[0] && this.find(dialect, sessions[0].id)
  }

  /** Returns the messages of the conversation up to a response, its answer included. */
  async readMessages(id: string): Promise<readonly Message[]> {
    return [...(await this.storage.messages(id))]
  }

  /** Deletes a response. Those that continue it keep the history. */
  async remove(id: string): Promise<boolean> {
    return this.storage.deleteSession(id)
  }
}

/** Returns the ids of the items that a client can refer to. */
function listItemIds({ output }: JsonObject): readonly string[] {
  const ids = itemsOf(output).map((item) => (isObject(item) ? item['id'] : undefined))
  return ids.filter((id): id is string => typeof id === 'string' && isStorableId(id))
}

/** Ids come from URLs and bodies of clients; a storage refuses some texts with an error. */
function isStorableId(id: string): boolean {
  return /^[\w-]{1,128}$/.test(id)
}
