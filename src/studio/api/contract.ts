import type { ChatEvent } from '../../canonical/model/event.ts'
import type { Message, Role } from '../../canonical/model/message.ts'
import type { Cost } from '../../canonical/model/model-interface.ts'
import type { ToolCallPart, UserPart } from '../../canonical/model/part.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import type { GatewayLogEntry } from '../../gateway/index.ts'
import type { SearchHit, Session } from '../../stores/index.ts'

/** The longest title of a session. */
export const MAX_TITLE_LENGTH = 200

/** The calls of the page that return one value, by name. */
export interface StudioCalls {
  /** Lists the models that can answer now. */
  'models.list': { readonly input: object; readonly output: readonly ModelGroup[] }
  'sessions.list': { readonly input: { readonly cursor?: string }; readonly output: SessionList }
  'sessions.search': { readonly input: { readonly query: string }; readonly output: readonly SearchHit[] }
  'sessions.open': { readonly input: SessionInput; readonly output: SessionTree }
  'sessions.rename': {
    readonly input: SessionInput & { readonly title: string }
    readonly output: SessionSummary
  }
  'sessions.delete': { readonly input: SessionInput; readonly output: { readonly isDeleted: boolean } }
  /** Creates a session that shares the history up to a message. */
  'sessions.fork': { readonly input: SessionInput & { readonly at: string }; readonly output: SessionSummary }
  'messages.read': {
    readonly input: SessionInput & { readonly ids: readonly string[] }
    readonly output: readonly Message[]
  }
  /** Makes a message the head of the session: the next message follows it. */
  'messages.select': {
    readonly input: SessionInput & { readonly head: string }
    readonly output: { readonly head: string }
  }
  'usage.read': { readonly input: SessionInput; readonly output: readonly UsageTableRow[] }
  'gateway.status': { readonly input: object; readonly output: GatewayStatus }
  /** Returns the request body of a recent request, to open it in the lens. */
  'gateway.body': {
    readonly input: { readonly requestId: string }
    readonly output: { readonly body?: string }
  }
  /** Sends a few requests of several dialects to the demo model. */
  'gateway.sample': { readonly input: object; readonly output: { readonly count: number } }
}

/** The calls of the page that return a stream of values, by name. */
export interface StudioStreams {
  'chat.run': { readonly input: ChatRunInput; readonly output: RunUpdate }
  /** Yields the recent requests, then those that follow. */
  'gateway.watch': { readonly input: object; readonly output: GatewayEntry }
}

export type { SearchHit }

interface SessionInput {
  readonly session: string
}

/** The models of a provider. */
export interface ModelGroup {
  readonly provider: string
  /** The names for `chat.run`: `demo`, or `provider:model`. */
  readonly models: readonly string[]
  /** The reason why the models cannot be listed. */
  readonly error?: string
}

export interface SessionSummary extends Pick<Session, 'id' | 'title' | 'updatedAt'> {
  /** True for a session of the sample library, which is not stored. */
  readonly isSample: boolean
}

export interface SessionList {
  readonly sessions: readonly SessionSummary[]
  readonly cursor?: string
}

/** A message of a session without its content. */
export interface SessionTreeNode {
  readonly id: string
  readonly parent?: string
  readonly role: Role
  /** The start of its text, on one line. */
  readonly excerpt: string
  /** The model that wrote it. */
  readonly model?: string
  readonly tokens?: number
}

/** A session with all its branches. */
export interface SessionTree {
  readonly session: SessionSummary
  readonly head?: string
  /** Parents come before their children. */
  readonly nodes: readonly SessionTreeNode[]
}

/** The tokens of one model in a session. */
export interface UsageTableRow {
  readonly provider: string
  readonly model: string
  readonly answers: number
  readonly usage: Usage
  /** Absent if the price is unknown. */
  readonly cost?: Cost
}

/** The first step of a run. */
export type RunAction =
  | { readonly type: 'send'; readonly content: readonly UserPart[] }
  | { readonly type: 'edit'; readonly message: string; readonly content: readonly UserPart[] }
  | { readonly type: 'regenerate'; readonly message?: string }
  | { readonly type: 'resume'; readonly decisions: { readonly [callId: string]: 'approve' | 'deny' } }

interface ChatRunInput {
  /** The session to continue; the first run creates one. */
  readonly session?: string
  readonly model: string
  readonly action: RunAction
}

/** An error as the page shows it. */
export interface ApiError {
  readonly code: string
  readonly message: string
  readonly hint?: string
}

/** One update of a run. */
export type RunUpdate =
  | { readonly type: 'session'; readonly session: string }
  | { readonly type: 'event'; readonly event: ChatEvent }
  | { readonly type: 'messages'; readonly messages: readonly Message[] }
  | { readonly type: 'end'; readonly reason: string; readonly pending: readonly ToolCallPart[] }
  | { readonly type: 'error'; readonly error: ApiError }

/** A request of the gateway. */
export type GatewayEntry = GatewayLogEntry

interface GatewayStatus {
  /** The base URL for clients. */
  readonly url: string
  /** The key that clients need, a new one for each start. */
  readonly key: string
  /** The number of requests since the start. */
  readonly requestCount: number
}
