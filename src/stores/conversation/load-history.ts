import { Messages } from '../../canonical/collections/messages.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { ContextStrategy } from '../context/strategy.ts'
import type { ConversationStorage } from '../conversation-storage.ts'

/** Number of messages in which the last user message is searched for first. */
const FIRST_SEARCH_COUNT = 64

/**
 * Loads the history of a run up to a message, or to the head: all messages, or the last ones and the system messages if
 * these are enough for the context strategy.
 */
export async function loadHistory(
  storage: ConversationStorage,
  session: string,
  end: string | null | undefined,
  context: ContextStrategy | undefined,
): Promise<Messages> {
  if (end === null) return Messages.of()
  const query = end === undefined ? {} : { to: end }
  const { tail } = context ?? {}
  if (tail === undefined) return storage.messages(session, query)
  for (let last = tail.messageCount; ; last *= 4) {
    const messages = await storage.messages(session, { ...query, last, includeSystem: true })
    if (messages.size < last || tail.isEnough(messages.toArray())) return messages
  }
}

/** Loads the messages of the current branch from the last user message on; all of them if no user has written. */
export async function loadLastTurn(
  storage: ConversationStorage,
  session: string,
): Promise<readonly Message[]> {
  for (let last = FIRST_SEARCH_COUNT; ; last *= 4) {
    const messages = (await storage.messages(session, { last })).toArray()
    const start = messages.findLastIndex(({ role }) => role === 'user')
    if (start !== -1 || messages.length < last) return messages.slice(Math.max(0, start))
  }
}

/** Finds the last user message of the current branch. */
export async function findLastUserMessage(
  storage: ConversationStorage,
  session: string,
): Promise<Message | undefined> {
  const [first] = await loadLastTurn(storage, session)
  return first?.role === 'user' ? first : undefined
}
