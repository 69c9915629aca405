import { defineDialect } from '../engine/define-dialect.ts'
import type { NamedDialect } from '../dialect-types.ts'
import { codec } from './codec.ts'

export type { OpenAIResponsesRequest, OpenAIResponsesResponse, OpenAIResponsesStreamEvent } from './wire.ts'

/**
 * OpenAI's Responses API: `dialects['openai-responses']` by itself, for programs that need no other wire format.
 *
 * @example
 * import { openaiResponses } from 'interlingua/dialects/openai-responses'
 * const { value, losses } = openaiResponses.encodeRequest({ model: '…', messages: [user('Hi')] })
 */
export const openaiResponsesDialect: NamedDialect<'openai-responses'> = defineDialect(codec)
