import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import type { ContextOverflowError } from '@langchain/core/errors'
import type { AIMessageChunk, mapStoredMessagesToChatMessages } from '@langchain/core/messages'
import type { ChatGenerationChunk } from '@langchain/core/outputs'
import type { convertToOpenAITool } from '@langchain/core/utils/function_calling'
import type { toJsonSchema } from '@langchain/core/utils/json_schema'
import { loadOptionalPackage } from '../../wire/load-optional-package.ts'

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
