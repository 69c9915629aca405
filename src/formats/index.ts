export {
  fromMessages,
  type FromMessagesOptions,
  type ImportedMessages,
  type MessageFormatName,
} from './from-messages.ts'
export { toMessages, type ToMessagesOptions, type WrittenMessage } from './to-messages.ts'
export type { WritableFormatName } from './message-formats.ts'
export {
  fromConversations,
  type FromConversationsOptions,
  toConversation,
  type ToConversationOptions,
} from './from-conversations.ts'
export type { ConversationFormatName, WritableConversationFormatName } from './conversation-formats.ts'
export type { ImportedConversation } from './engine/conversation-format.ts'
export { toSessionLines, type SessionLinesOptions } from './engine/session-lines.ts'
