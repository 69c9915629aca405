import { codec as anthropicCodec } from './anthropic/codec.ts'
import { anthropicDialect } from './anthropic/index.ts'
import type { TypedDialect } from './dialect-types.ts'
import type { DialectCodec } from './engine/define-dialect.ts'
import type { DialectName } from './engine/dialect.ts'
import { codec as geminiCodec } from './gemini/codec.ts'
import { geminiDialect } from './gemini/index.ts'
import { codec as ollamaCodec } from './ollama/codec.ts'
import { ollamaDialect } from './ollama/index.ts'
import { codec as openaiChatCodec } from './openai-chat/codec.ts'
import { openaiChatDialect } from './openai-chat/index.ts'
import { codec as openaiResponsesCodec } from './openai-responses/codec.ts'
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
}

/** The codecs from which the dialects are built. */
export const dialectCodecs: { readonly [name in DialectName]: DialectCodec } = {
  'openai-chat': openaiChatCodec,
  'openai-responses': openaiResponsesCodec,
  anthropic: anthropicCodec,
  gemini: geminiCodec,
  ollama: ollamaCodec,
}
