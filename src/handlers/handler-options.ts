import type { Agent } from '../agent/agent.ts'
import type { SanitizePolicy } from '../canonical/check/sanitize-policy.ts'
import type { ConversationOptions } from '../stores/conversation/conversation-options.ts'
import type { ConversationStorage } from '../stores/conversation-storage.ts'
import type { StreamLog } from '../stores/streams/stream-log.ts'
import type { OptionNames } from '../wire/check-options.ts'

/** The part of a conversation's options that a handler accepts. */
export type HandlerConversationOptions = Omit<ConversationOptions, 'agent' | 'storage' | 'session'>

/** Options of the handlers of all protocols; `Body` is what a client posts. */
export interface HandlerOptions<Body> {
  /** The agent, or a function that selects one for a request. */
  readonly agent: Agent | ((body: Body, request: Request) => Agent | Promise<Agent>)
  /**
   * Stores the conversations. Only the newest message and the answers about open tool calls are taken from a request;
   * the stored history is the truth. Without it, the history of the client is used after `sanitize`, and calls cannot
   * be approved.
   */
  readonly storage?: ConversationStorage
  /**
   * Keeps running answers, so that clients can continue them in any process, and a run continues without its client.
   * Default: in memory, and a run stops when its client disconnects.
   */
  readonly streams?: StreamLog
  /** True to stop a run when its client disconnects. Default: true without `streams`, otherwise false. */
  readonly stopOnDisconnect?: boolean
  /** False to refuse the id of a conversation that the storage does not have. Default: true. */
  readonly createSessions?: boolean
  /** Longest body in bytes. Default: 10 MiB. */
  readonly maxBodyBytes?: number
  /** The policy by which the client's messages are sanitized; see `sanitize`. */
  readonly sanitize?: SanitizePolicy
  /** Options of the conversation: what happens while it is busy, its context strategy, its runner. */
  readonly conversation?: HandlerConversationOptions
  /**
   * Called with every error that the client does not see in full: those of runs, storages and streams. Default: the error is
   * printed with `console.error`.
   */
  readonly onError?: (error: unknown) => void
}

/** The names of the options of all protocols. */
export const HANDLER_OPTION_NAMES: OptionNames<HandlerOptions<never>> = {
  agent: true,
  storage: true,
  streams: true,
  stopOnDisconnect: Boolean,
  createSessions: Boolean,
  maxBodyBytes: true,
  sanitize: true,
  conversation: true,
  onError: Function,
}

/** Options of a handler, or a function that returns them for a request, or a response that refuses it. */
export type HandlerOptionsSource<O> = O | ((request: Request) => O | Response | Promise<O | Response>)

/** Answers requests: `POST` starts a run, `GET …/<id>/stream` continues its stream, `DELETE …/<id>/stream` stops it. */
export type RequestHandler = (request: Request) => Promise<Response>
