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
export { detectConversationFormat, type DetectedConversationFormat } from './detect-conversation-format.ts'
export { fromTranscript, type FromTranscriptOptions } from './from-transcript.ts'
export type { TranscriptFormatName } from './transcript-formats.ts'
export { toSessionLines, type SessionLinesOptions } from './to-session-lines.ts'
export {
  currentBranch,
  type ReadTranscriptOptions,
  type Transcript,
  type TranscriptFile,
  type TranscriptIssue,
  type TranscriptRecord,
  type TranscriptSection,
  type TranscriptSession,
} from './transcripts/transcript.ts'
