export type {
  HandlerConversationOptions,
  HandlerOptions,
  HandlerOptionsSource,
  RequestHandler,
} from './handler-options.ts'
export { createAgUiHandler, type AgUiHandlerOptions } from './ag-ui-handler.ts'
export { loadUIMessages, type UIMessagesSource } from './load-ui-messages.ts'
export { createUIChatHandler, type UIChatHandlerOptions } from './ui-chat-handler.ts'
