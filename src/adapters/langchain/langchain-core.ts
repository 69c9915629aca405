import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import type { ContextOverflowError } from '@langchain/core/errors'
import type {
  AIMessageChunk,
  BaseMessage,
  mapStoredMessagesToChatMessages,
  StoredMessage,
} from '@langchain/core/messages'
import type { ChatGenerationChunk } from '@langchain/core/outputs'
import type { convertToOpenAITool } from '@langchain/core/utils/function_calling'
import type { toJsonSchema } from '@langchain/core/utils/json_schema'
import { loadOptionalPackage } from '../../wire/load-modules.ts'
import { unwrapMessage } from '../../formats/langchain/wrap-message.ts'
import { isObject, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'

/** The part of `@langchain/core` that the adapter uses. */
export interface LangChainCore {
  readonly BaseChatModel: typeof BaseChatModel
  readonly AIMessageChunk: typeof AIMessageChunk
  readonly ChatGenerationChunk: typeof ChatGenerationChunk
  readonly ContextOverflowError: typeof ContextOverflowError
  readonly convertToOpenAITool: typeof convertToOpenAITool
  readonly mapStoredMessagesToChatMessages: typeof mapStoredMessagesToChatMessages
  readonly toJsonSchema: typeof toJsonSchema
}

/** Imports the `@langchain/core` of the application: only its own classes are models and messages for LangChain. */
export function loadLangChainCore(): Promise<LangChainCore> {
  return loadOptionalPackage('@langchain/core', async () => {
    const [models, messages, outputs, errors, tools, schemas] = await Promise.all([
      import('@langchain/core/language_models/chat_models'),
      import('@langchain/core/messages'),
      import('@langchain/core/outputs'),
      import('@langchain/core/errors'),
      import('@langchain/core/utils/function_calling'),
      import('@langchain/core/utils/json_schema'),
    ])
    return {
      BaseChatModel: models.BaseChatModel,
      AIMessageChunk: messages.AIMessageChunk,
      ChatGenerationChunk: outputs.ChatGenerationChunk,
      ContextOverflowError: errors.ContextOverflowError,
      convertToOpenAITool: tools.convertToOpenAITool,
      mapStoredMessagesToChatMessages: messages.mapStoredMessagesToChatMessages,
      toJsonSchema: schemas.toJsonSchema,
    }
  })
}

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
  const envelope = unwrapMessage(message, child(undefined, index))
  const isDict = isObject(message['data']) && typeof given === 'string' && given !== 'remove'
  const type = isDict ? given : envelope.type
  // The constructors of LangChain add fields.
  return type === undefined
    ? undefined
    : { type, data: { ...envelope.data } as unknown as StoredMessage['data'] }
}
