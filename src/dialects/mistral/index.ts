import { defineDialect } from '../engine/define-dialect.ts'
import type { TypedDialect } from '../dialect-types.ts'
import { codec } from './codec.ts'

export type { MistralChunk, MistralRequest, MistralResponse } from './wire.ts'

/**
 * The dialect of Mistral's own Chat Completions API: `dialects.mistral` as a separate import, for programs that need no other
 * wire format.
 *
 * @example
 * import { mistralDialect } from 'interlingua/dialects/mistral'
 * const { value, losses } = mistralDialect.encodeRequest({ model: '…', messages: [user('Hi')] })
 */
export const mistralDialect: TypedDialect<'mistral'> = /* @__PURE__ */ defineDialect(codec)
