import type { ConversationStorage, Session } from '../stores/conversation-storage.ts'
import type { SessionSummary } from './api/contract.ts'

/** The conversations that the studio shows: those of the store, and samples that are kept in memory. */
export class ConversationLibrary {
  readonly store: ConversationStorage
  readonly samples: ConversationStorage

  constructor(store: ConversationStorage, samples: ConversationStorage) {
    this.store = store
    this.samples = samples
  }

  /** Returns the storage that contains a session. */
  async storageOf(session: string): Promise<ConversationStorage> {
    return (await this.samples.session(session)) === undefined ? this.store : this.samples
  }

  /** Describes a session for the page. */
  summarize({ id, title, updatedAt }: Session, storage: ConversationStorage): SessionSummary {
    return { id, title, updatedAt, isSample: storage === this.samples }
  }
}
