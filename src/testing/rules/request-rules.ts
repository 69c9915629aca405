import type { DialectName } from '../../dialects/engine/dialect.ts'
import { anthropicConversationRules } from './anthropic-conversation.ts'
import { anthropicModelRules } from './anthropic-models.ts'
import { anthropicSettingRules } from './anthropic-settings.ts'
import { bedrockModelRules } from './bedrock-models.ts'
import { bedrockRules } from './bedrock.ts'
import { cohereRules } from './cohere.ts'
import { geminiModelRules } from './gemini-models.ts'
import { geminiRules } from './gemini.ts'
import { geminiInteractionsRules } from './gemini-interactions.ts'
import { mistralRules } from './mistral.ts'
import { createModelMediaRule } from './model-media.ts'
import { openaiChatModelRules, openaiResponsesModelRules } from './openai-models.ts'
import { openaiChatRules } from './openai-chat.ts'
import { openaiResponsesRules } from './openai-responses.ts'
import type { RequestRule } from './request-rule.ts'

/**
 * The rules of each provider for request bodies beyond its published schema, those of its models included.
 *
 * @example
 * requestRules.anthropic.map(({ id, summary }) => `${id}: ${summary}`)
 */
export const requestRules: { readonly [dialect in DialectName]: readonly RequestRule[] } = {
  anthropic: [...anthropicConversationRules, ...anthropicSettingRules, ...anthropicModelRules],
  gemini: [...geminiRules, ...geminiModelRules],
  ollama: [createModelMediaRule('ollama')],
  'openai-chat': [...openaiChatRules, ...openaiChatModelRules, createModelMediaRule('openai-chat')],
  'openai-responses': [
    ...openaiResponsesRules,
    ...openaiResponsesModelRules,
    createModelMediaRule('openai-responses'),
  ],
  mistral: [...mistralRules, createModelMediaRule('mistral')],
  'gemini-interactions': geminiInteractionsRules,
  bedrock: [...bedrockRules, ...bedrockModelRules, createModelMediaRule('bedrock')],
  cohere: [...cohereRules, createModelMediaRule('cohere')],
}
