import type { Agent } from '../agent/agent.ts'
import type { AgentStream } from '../agent/agent-stream.ts'
import { sanitize } from '../canonical/check/sanitize.ts'
import type { SanitizePolicy } from '../canonical/check/sanitize-policy.ts'
import type { Message } from '../canonical/model/message.ts'
import { toEvents } from '../canonical/stream/to-events.ts'
import type { RunEvent } from '../canonical/model/event.ts'
import { InterlinguaError } from '../errors.ts'
import { Conversation } from '../stores/conversation/conversation.ts'
import { loadLastTurn } from '../stores/conversation/load-history.ts'
import type { ConversationStorage } from '../stores/conversation-storage.ts'
import { ensureSession } from '../stores/ensure-session.ts'
import { createConflictError, createUnknownSessionError } from '../stores/storage-errors.ts'
import type { HandlerOptions } from './handler-options.ts'

/** Opens the conversation of a session, and creates the session if the options allow it. */
export async function openConversation(
  storage: ConversationStorage,
  session: string,
  agent: Agent,
  { createSessions = true, conversation }: Pick<HandlerOptions<never>, 'createSessions' | 'conversation'>,
): Promise<Conversation> {
  if (createSessions) await ensureSession(storage, session)
  else if ((await storage.session(session)) === undefined) throw createUnknownSessionError()
  return new Conversation({ ...conversation, agent, storage, session })
}

/** Returns the newest message of a client without what a client may not send. */
export function sanitizePrompt(messages: readonly Message[], policy: SanitizePolicy = {}): Message {
  const [message] = sanitize(messages, { ...policy, roles: ['user'] }).value
  if (message !== undefined && message.content.length > 0) return message
  throw createEmptyPromptError()
}

/** Runs the history of a client, for a handler without a storage. */
export function streamClientHistory(
  agent: Agent,
  messages: readonly Message[],
  policy: SanitizePolicy | undefined,
  signal: AbortSignal,
): AgentStream<unknown> {
  const history = sanitize(messages, { prefill: 'drop', ...policy }).value
  if (history.length === 0) throw createEmptyPromptError()
  return agent.stream([], { history, signal })
}

/** Yields the events of the stored answer to the last user message. */
export async function* readLastAnswer(
  storage: ConversationStorage,
  session: string,
): AsyncGenerator<RunEvent, void, undefined> {
  for (const message of await loadLastTurn(storage, session)) {
    if (message.role === 'assistant') yield* toEvents({ candidates: [message] })
    else if (message.role === 'tool') yield message
  }
}

function createEmptyPromptError(): InterlinguaError {
  return new InterlinguaError('invalid-value', 'The request contains no message to answer', {
    path: '/messages',
    found: 'no user message with content',
    expected: 'a user message with text or files',
    hint: 'Send a user message. The option `sanitize` of the handler may have removed the content of the message.',
  })
}

/** Throws the error for a conversation that another request has continued meanwhile. */
export function throwNothingToContinue(): never {
  throw createConflictError(
    'The conversation has nothing to continue',
    'Load the conversation again: another request may have continued it.',
  )
}
