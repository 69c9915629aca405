import { checkIdentifier } from '../../stores/check-arguments.ts'
import { checkMethods } from '../../wire/check-methods.ts'
import { aiSdkUiMessages, type UIMessageJson } from '../../formats/ai-sdk-ui-messages/index.ts'
import { type ConversationStorage, DEFAULT_SECTION } from '../../stores/conversation-storage.ts'
import { ensureSession } from '../../stores/ensure-session.ts'
import { withTypedRejections } from '../../wire/typed-errors.ts'

/** The stored messages of a chat of the AI SDK. */
export interface UIMessageHistory {
  /**
   * Returns the messages with their ids; an empty list for a chat that does not exist. System messages and metadata are
   * included: use `loadUIMessages` of `interlingua/handlers` for what a client may see of a session of an agent.
   */
  load(): Promise<UIMessageJson[]>
  /**
   * Stores the complete list of messages, as `onFinish` of the SDK passes it. Unchanged messages stay as they are; the rest of
   * the stored list, from the first message that differs, is replaced.
   */
  save(messages: readonly object[]): Promise<void>
  /** Deletes the chat. */
  clear(): Promise<void>
}

/**
 * Returns the messages of a chat of the AI SDK on any storage: the functions `loadChat` and `saveChat` that its
 * documentation asks you to write. The id of the chat is the id of the session, which is created with the first messages.
 *
 * @example
 * const history = uiMessageHistory(storage, chatId)
 * const messages = [...(await history.load()), message]
 * const result = streamText({ model, messages: await convertToModelMessages(messages) })
 * return result.toUIMessageStreamResponse({
 *   originalMessages: messages,
 *   onFinish: ({ messages }) => history.save(messages),
 * })
 */
export function uiMessageHistory(storage: ConversationStorage, id: string): UIMessageHistory {
  checkMethods(storage, 'storage', 'a storage', ['session', 'messages', 'loadStore', 'saveStore'])
  checkIdentifier(id, 'id')
  return {
    load: () =>
      withTypedRejections(async () => {
        if ((await storage.session(id)) === undefined) return []
        return aiSdkUiMessages.toMessages((await storage.messages(id)).toArray()).value
      }),
    save: (messages) =>
      withTypedRejections(async () => {
        const { value } = aiSdkUiMessages.fromMessages(messages)
        await ensureSession(storage, id)
        const stored = await storage.loadStore(id)
        await storage.saveStore(id, stored.section(DEFAULT_SECTION).set(value), { expectedStore: stored })
      }),
    clear: () =>
      withTypedRejections(async () => {
        await storage.deleteSession(id)
      }),
  }
}
