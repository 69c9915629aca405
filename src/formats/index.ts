export {
  fromMessages,
  type FromMessagesOptions,
  type ImportedMessages,
  type MessageFormatName,
} from './from-messages.ts'
export { toMessages, type ToMessagesOptions, type WrittenMessage } from './to-messages.ts'
export type { WritableFormatName } from './message-formats.ts'
