import { defineDialect } from '../engine/define-dialect.ts'
import type { Dialect } from '../engine/dialect.ts'
import { codec } from './codec.ts'
import type { BedrockRequest, BedrockResponse } from './wire.ts'

export type { BedrockRequest, BedrockResponse, BedrockStreamEvent } from './wire.ts'

/**
 * Amazon Bedrock's Converse API as a dialect of its own, for programs that need no other wire format.
 *
 * @example
 * import { bedrockDialect } from 'interlingua/dialects/bedrock'
 * const { value, losses } = bedrockDialect.encodeRequest({ model: '…', messages: [user('Hi')] })
 */
export const bedrockDialect: Dialect<BedrockRequest, BedrockResponse> & { readonly name: 'bedrock' } =
  defineDialect(codec)
