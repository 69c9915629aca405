import { defineDialect } from '../engine/define-dialect.ts'
import type { TypedDialect } from '../dialect-types.ts'
import { codec } from './codec.ts'

export type { BedrockRequest, BedrockResponse, BedrockStreamEvent } from './wire.ts'

/**
 * The dialect of Amazon Bedrock's Converse API: `dialects.bedrock` as a separate import, for programs that need no other wire
 * format.
 *
 * @example
 * import { bedrockDialect } from 'interlingua/dialects/bedrock'
 * const { value, losses } = bedrockDialect.encodeRequest({ model: '…', messages: [user('Hi')] })
 */
export const bedrockDialect: TypedDialect<'bedrock'> = /* @__PURE__ */ defineDialect(codec)
