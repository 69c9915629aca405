import type { MessageInput } from '../canonical/collections/message-input.ts'
import type { MessageStore } from '../canonical/collections/message-store.ts'
import type { Messages } from '../canonical/collections/messages.ts'
import type { Message } from '../canonical/model/message.ts'
import type { Usage } from '../canonical/model/usage.ts'
import type { JsonObject } from '../wire/json.ts'

/** A conversation as it is kept: everything but its messages. */
export interface Session {
  readonly id: string
  readonly title: string
  /** Words of the application to find it by. */
  readonly labels: readonly string[]
  readonly parameters: JsonObject
  /** The names of its sections, in order. */
  readonly sections: readonly string[]
  /** ISO 8601. */
  readonly createdAt: string
  /** ISO 8601: when something was last written to it. */
  readonly updatedAt: string
}

/** What may be said when a session is made. */
export interface NewSession {
  /** Default: a fresh one. */
  readonly id?: string
  readonly title?: string
  readonly labels?: readonly string[]
  readonly parameters?: JsonObject
}

/** What of a session can be changed; what is left out stays. */
export type SessionChanges = Omit<NewSession, 'id'>

/** Which sessions to list: the most recently written first. */
export interface SessionQuery {
  /** A text that the title or the id contains, upper and lower case alike. It has no wildcards. */
  readonly search?: string
  /** A label that it has. */
  readonly label?: string
  /** How many at most. Default: 50; never more than 1000. */
  readonly limit?: number
  /** Where the page before ended. */
  readonly cursor?: string
}

export interface SessionPage {
  readonly sessions: readonly Session[]
  /** Where the next page begins; absent on the last one. */
  readonly cursor?: string
}

/** A section of the session; `messages` where none is named. */
export interface SectionOptions {
  readonly section?: string
}

export interface AppendOptions extends SectionOptions {
  /**
   * The id of the message that must be the last one, `null` for none: else the call is a `conflict`. Without it the
   * messages go to wherever the end is by then.
   */
  readonly expectedHead?: string | null
}

/** What came of an append. */
export interface AppendResult {
  /** The id of the last message of those given, stored now or before; `null` where there is none. */
  readonly head: string | null
  /** The messages that were new, as they are stored. */
  readonly added: readonly Message[]
  /** How many messages the path to the head has. */
  readonly length: number
}

export interface MessagesQuery extends SectionOptions {
  /** The message where the path ends. Default: the head of the section. */
  readonly to?: string
  /** Only so many messages, counted from the end. */
  readonly last?: number
}

/** A line of messages that nobody has continued. */
export interface Branch {
  /** The id of its last message. */
  readonly head: string
  /** How many messages lead there, itself included. */
  readonly length: number
  /** Whether it is the head of the section. */
  readonly isCurrent: boolean
}

export interface ForkOptions extends NewSession {
  /** The last message that the fork has. Default: the head of each section. */
  readonly at?: string
}

/** Something that is not as it was written. */
export interface IntegrityIssue {
  /** The session, where it is known. */
  readonly session?: string
  /** The id of the message, where it is known. */
  readonly message?: string
  readonly kind: 'checksum' | 'hash' | 'parent' | 'body' | 'head' | 'line'
  readonly reason: string
}

export interface UsageQuery {
  readonly session?: string
  /** The first day that counts, `YYYY-MM-DD` (UTC). */
  readonly from?: string
  /** The last day that counts. */
  readonly to?: string
  /** What to tell apart. Default: everything. */
  readonly by?: readonly ('session' | 'provider' | 'model' | 'day')[]
}

/** The tokens of some answers together. */
export interface UsageTotal {
  readonly session?: string
  readonly provider?: string
  readonly model?: string
  readonly day?: string
  /** How many answers stated their usage. */
  readonly answers: number
  readonly usage: Usage
}

/**
 * Keeps conversations. Every call concerns one tenant; what another one has does not exist for it.
 *
 * A session is a tree of messages in named sections. Each section has a head: the end of the line that is current. Appending
 * writes behind it; other lines stay as branches. A fork shares what it has in common with its source.
 *
 * @example
 * const storage = memoryStorage()
 * const { id } = await storage.createSession({ title: 'Weather' })
 * await storage.append(id, ['How warm is it?', assistant('4 °C')])
 * const messages = await storage.path(id)
 */
export interface ConversationStorage {
  readonly tenant: string
  /** The same storage for another tenant. */
  forTenant(tenant: string): ConversationStorage

  /** Makes a session; one that exists is a `conflict`. */
  createSession(session?: NewSession): Promise<Session>
  /** The session, if there is one of that id. */
  session(id: string): Promise<Session | undefined>
  sessions(query?: SessionQuery): Promise<SessionPage>
  updateSession(id: string, changes: SessionChanges): Promise<Session>
  /** Whether there was one. Forks keep what they share with it. */
  deleteSession(id: string): Promise<boolean>

  /**
   * Writes messages behind the head. What is stored already under the same id and says the same is passed over, so
   * a call can be repeated; one that says something else is a `conflict`.
   */
  append(
    session: string,
    messages: MessageInput | Iterable<MessageInput>,
    options?: AppendOptions,
  ): Promise<AppendResult>
  /**
   * Makes a whole history the current line: finds the longest stored one that says the same, whatever the ids, and
   * writes only what comes after it.
   */
  syncHistory(
    session: string,
    messages: MessageInput | Iterable<MessageInput>,
    options?: SectionOptions,
  ): Promise<AppendResult>
  get(session: string, id: string): Promise<Message | undefined>
  /** Puts another message in the place of one, under its id. Forks keep the old one. */
  replace(session: string, id: string, message: MessageInput): Promise<Message>
  /** Takes a message out; what followed it follows its parent. Whether there was one. Forks keep it. */
  remove(session: string, id: string): Promise<boolean>

  /** The id of the last message of the current line. */
  head(session: string, options?: SectionOptions): Promise<string | undefined>
  /** Makes a message the head, so that what is appended next branches off there; `null` is before the first one. */
  setHead(session: string, id: string | null, options?: SectionOptions): Promise<void>
  /** The messages from the first to the head. */
  messages(session: string, options?: MessagesQuery): Promise<Messages>
  branches(session: string, options?: SectionOptions): Promise<readonly Branch[]>
  /** A new session with the same past, at the same cost however long it is. */
  fork(session: string, options?: ForkOptions): Promise<Session>

  /** Gives a message a label in this session. */
  label(session: string, message: string, label: string): Promise<void>
  unlabel(session: string, message: string, label: string): Promise<void>
  /** The labels by message id. */
  labels(session: string): Promise<ReadonlyMap<string, readonly string[]>>

  /** Sections and parameters as a store: the current line of each section. */
  loadStore(session: string): Promise<MessageStore>
  /** Makes sections and parameters those of a store, all at once. The session is made if there is none. */
  saveStore(session: string, store: MessageStore): Promise<void>

  /** A session as lines of JSON, branches and labels included. */
  exportSession(session: string): AsyncIterable<string>
  /** Makes a session of what {@link exportSession} gave. */
  importSession(
    lines: Iterable<string> | AsyncIterable<string>,
    options?: { readonly id?: string },
  ): Promise<Session>

  /** Tokens by session, model and day. */
  usage(query?: UsageQuery): Promise<readonly UsageTotal[]>
  /** Recomputes every hash and checksum, of one session or of all, and names what is damaged. */
  verify(session?: string): Promise<readonly IntegrityIssue[]>
  close(): Promise<void>
}

/** Where messages go that are given without a section. */
export const DEFAULT_SECTION = 'messages'

/** Where a conversation notes which tools have begun and what they gave. */
export const STEPS_SECTION = '~tool-calls'

/** Where it notes what a context strategy has made of it. */
export const CONTEXT_SECTION = '~context-notes'

/** Whether a section holds notes of a conversation about itself, which are not part of a store. */
export function isInternalSection(section: string): boolean {
  return section === STEPS_SECTION || section === CONTEXT_SECTION
}
