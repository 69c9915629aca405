import { checkIdentifier } from '../../stores/check-arguments.ts'
import { checkMethods } from '../../wire/check-methods.ts'
import type { BaseListChatMessageHistory } from '@langchain/core/chat_history'
import type { BaseMessage } from '@langchain/core/messages'
import { langchain } from '../../formats/langchain/index.ts'
import type { ConversationStorage } from '../../stores/conversation-storage.ts'
import { ensureSession } from '../../stores/ensure-session.ts'
import { withTypedRejections } from '../../wire/typed-errors.ts'
import type { JsonObject } from '../../wire/json.ts'
import { loadOptionalPackage } from '../../wire/load-modules.ts'
import { createLiveMessages } from './langchain-core.ts'

/**
 * Returns a session of a storage as a message history of LangChain, for `RunnableWithMessageHistory` and chains. The session is
 * created with the first message. Messages keep their ids and all fields of LangChain; messages of other programs are read,
 * too. `clear` deletes the session.
 *
 * @example
 * const chain = new RunnableWithMessageHistory({
 *   runnable: prompt.pipe(model),
 *   getMessageHistory: (sessionId) => toMessageHistory(storage, sessionId),
 *   inputMessagesKey: 'input',
 *   historyMessagesKey: 'history',
 * })
 */
export function toMessageHistory(
  storage: ConversationStorage,
  session: string,
): Promise<BaseListChatMessageHistory> {
  return withTypedRejections(async () => {
    checkMethods(storage, 'storage', 'a storage', ['session', 'messages', 'append'])
    checkIdentifier(session, 'session')
    const [histories, core] = await loadOptionalPackage('@langchain/core', () =>
      Promise.all([import('@langchain/core/chat_history'), import('@langchain/core/messages')]),
    )

    /** The class extends the base class of the application, which is known only after it was imported. */
    class StoredMessageHistory extends histories.BaseListChatMessageHistory {
      override lc_namespace = ['langchain', 'stores', 'message', 'interlingua']

      override async getMessages(): Promise<BaseMessage[]> {
        if ((await storage.session(session)) === undefined) return []
        const { value } = langchain.toMessages((await storage.messages(session)).toArray())
        return createLiveMessages(value as unknown as readonly JsonObject[], core)
      }

      override addMessage(message: BaseMessage): Promise<void> {
        return this.addMessages([message])
      }

      override async addMessages(messages: BaseMessage[]): Promise<void> {
        if (messages.length === 0) return
        const { value } = langchain.fromMessages(messages.map((message) => message.toDict()))
        await ensureSession(storage, session)
        await storage.append(session, value)
      }

      override async clear(): Promise<void> {
        await storage.deleteSession(session)
      }
    }

    return new StoredMessageHistory()
  })
}
