import { defineDialect } from '../engine/define-dialect.ts'
import type { Dialect } from '../engine/dialect.ts'
import { codec } from './codec.ts'
import type { CohereRequest, CohereResponse } from './wire.ts'

export type { CohereRequest, CohereResponse, CohereStreamEvent } from './wire.ts'

/**
 * The dialect of Cohere's Chat API v2, for programs that need no other wire format.
 *
 * @example
 * import { cohereDialect } from 'interlingua/dialects/cohere'
 * const { value, losses } = cohereDialect.encodeRequest({ model: 'command-a-03-2025', messages: [user('Hi')] })
 */
export const cohereDialect: Dialect<CohereRequest, CohereResponse> & { readonly name: 'cohere' } =
  defineDialect(codec)
