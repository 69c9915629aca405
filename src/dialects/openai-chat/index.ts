import { defineDialect } from '../engine/define-dialect.ts'
import type { TypedDialect } from '../dialect-types.ts'
import { codec } from './codec.ts'

export { defineFlavor, type FlavorDefinition } from './flavors.ts'
export type { OpenAIChatChunk, OpenAIChatRequest, OpenAIChatResponse } from './wire.ts'

/**
 * The dialect of OpenAI's Chat Completions API and compatible hosts: `dialects['openai-chat']` as a separate
 * import, for programs that need no other wire format.
 *
 * @example
 * import { openaiChatDialect } from 'interlingua/dialects/openai-chat'
 * const { value, losses } = openaiChatDialect.encodeRequest({ model: '…', messages: [user('Hi')] })
 */
export const openaiChatDialect: TypedDialect<'openai-chat'> = /* @__PURE__ */ defineDialect(codec)
