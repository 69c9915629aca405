import type { BaseMessage, StoredMessage } from '@langchain/core/messages'
import { openEnvelope } from '../../formats/langchain/envelope.ts'
import { isObject, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import type { LangChainCore } from './load-langchain-core.ts'

/** Creates messages with the classes of the application. Commands of LangChain, such as to remove a message, are omitted. */
export function createLiveMessages(
  messages: readonly JsonObject[],
  core: Pick<LangChainCore, 'mapStoredMessagesToChatMessages'>,
): BaseMessage[] {
  return core.mapStoredMessagesToChatMessages(
    messages.map(toStoredMessage).filter((stored) => stored !== undefined),
  )
}

/** Returns a message of any serialized form as a dict, which is the only one that LangChain creates messages from. */
function toStoredMessage(message: JsonObject, index: number): StoredMessage | undefined {
  const { type: given } = message
  const envelope = openEnvelope(message, child(undefined, index))
  const isDict = isObject(message['data']) && typeof given === 'string' && given !== 'remove'
  const type = isDict ? given : envelope.type
  // The constructors of LangChain add fields.
  return type === undefined
    ? undefined
    : { type, data: { ...envelope.data } as unknown as StoredMessage['data'] }
}
