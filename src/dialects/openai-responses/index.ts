import { defineDialect } from '../engine/define-dialect.ts'
import type { TypedDialect } from '../dialect-types.ts'
import { codec } from './codec.ts'

export { defineFlavor, type FlavorDefinition } from './flavors.ts'
export type { OpenAIResponsesRequest, OpenAIResponsesResponse, OpenAIResponsesStreamEvent } from './wire.ts'

/**
 * The dialect of OpenAI's Responses API: `dialects['openai-responses']` as a separate import, for programs
 * that need no other wire format.
 *
 * @example
 * import { openaiResponsesDialect } from 'interlingua/dialects/openai-responses'
 * const { value, losses } = openaiResponsesDialect.encodeRequest({ model: '…', messages: [user('Hi')] })
 */
export const openaiResponsesDialect: TypedDialect<'openai-responses'> = /* @__PURE__ */ defineDialect(codec)
