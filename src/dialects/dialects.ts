import { anthropicDialect } from './anthropic/index.ts'
import { bedrockDialect } from './bedrock/index.ts'
import { cohereDialect } from './cohere/index.ts'
import type { TypedDialect } from './dialect-types.ts'
import type { DialectName } from './engine/dialect.ts'
import { geminiDialect } from './gemini/index.ts'
import { geminiInteractionsDialect } from './gemini-interactions/index.ts'
import { mistralDialect } from './mistral/index.ts'
import { ollamaDialect } from './ollama/index.ts'
import { openaiChatDialect } from './openai-chat/index.ts'
import { openaiResponsesDialect } from './openai-responses/index.ts'

/**
 * All dialects by name.
 *
 * @example
 * const request = dialects['openai-chat'].decodeRequest(body).value
 * dialects.anthropic.encodeRequest(request).value
 */
export const dialects: { readonly [Name in DialectName]: TypedDialect<Name> } = {
  'openai-chat': openaiChatDialect,
  'openai-responses': openaiResponsesDialect,
  anthropic: anthropicDialect,
  gemini: geminiDialect,
  ollama: ollamaDialect,
  mistral: mistralDialect,
  'gemini-interactions': geminiInteractionsDialect,
  bedrock: bedrockDialect,
  cohere: cohereDialect,
}
