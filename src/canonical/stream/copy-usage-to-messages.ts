import { freezeOwned } from '../../wire/frozen-json.ts'
import type { AssistantMessage } from '../model/message.ts'
import type { ChatResponse } from '../model/response.ts'

/**
 * Copies the usage of a response to those of its messages that have none, because messages are stored and responses are
 * not. No encoder reads the usage of a message.
 */
export function copyUsageToMessages(response: ChatResponse): ChatResponse {
  const { usage, candidates } = response
  if (usage === undefined) return freezeOwned(response)
  const copy = (message: AssistantMessage): AssistantMessage =>
    message.usage === undefined ? freezeOwned({ ...message, usage }) : message
  return freezeOwned({ ...response, candidates: candidates.map(copy) })
}
