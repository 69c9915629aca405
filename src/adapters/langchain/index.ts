export { type FromChatModelOptions, fromChatModel, type LangChainChatModel } from './from-chat-model.ts'
export { toMessageHistory } from './message-history.ts'
export type { ChatModelCallOptions, ChatModelSettings } from './read-call-options.ts'
export { type ChatModelOptions, type InterlinguaChatModel, toChatModel } from './to-chat-model.ts'
