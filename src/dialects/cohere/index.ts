import { defineDialect } from '../engine/define-dialect.ts'
import type { TypedDialect } from '../dialect-types.ts'
import { codec } from './codec.ts'

export type { CohereRequest, CohereResponse, CohereStreamEvent } from './wire.ts'

/**
 * The dialect of Cohere's Chat API v2: `dialects.cohere` as a separate import, for programs that need no other wire format.
 *
 * @example
 * import { cohereDialect } from 'interlingua/dialects/cohere'
 * const { value, losses } = cohereDialect.encodeRequest({ model: 'command-a-03-2025', messages: [user('Hi')] })
 */
export const cohereDialect: TypedDialect<'cohere'> = /* @__PURE__ */ defineDialect(codec)
