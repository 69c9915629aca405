import { defineDialect } from '../engine/define-dialect.ts'
import type { NamedDialect } from '../dialect-types.ts'
import { codec } from './codec.ts'

export type { OpenAIChatChunk, OpenAIChatRequest, OpenAIChatResponse } from './wire.ts'

/**
 * OpenAI's Chat Completions API, and what speaks it: `dialects['openai-chat']` by itself, for programs that need no other wire format.
 *
 * @example
 * import { openaiChat } from 'interlingua/dialects/openai-chat'
 * const { value, losses } = openaiChat.encodeRequest({ model: '…', messages: [user('Hi')] })
 */
export const openaiChatDialect: NamedDialect<'openai-chat'> = defineDialect(codec)
