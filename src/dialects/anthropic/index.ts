import { defineDialect } from '../engine/define-dialect.ts'
import type { TypedDialect } from '../dialect-types.ts'
import { codec } from './codec.ts'

export { defineFlavor, type FlavorDefinition } from './flavors.ts'
export type { AnthropicRequest, AnthropicResponse, AnthropicStreamEvent } from './wire.ts'

/**
 * Anthropic's Messages API as a dialect of its own, for programs that need no other wire format.
 *
 * @example
 * import { anthropicDialect } from 'interlingua/dialects/anthropic'
 * const { value, losses } = anthropicDialect.encodeRequest({ model: '…', messages: [user('Hi')] })
 */
export const anthropicDialect: TypedDialect<'anthropic'> = /* @__PURE__ */ defineDialect(codec)
