import type { TypedDialect } from '../dialect-types.ts'
import { defineDialect } from '../engine/define-dialect.ts'
import { codec } from './codec.ts'

export type {
  GeminiInteractionsRequest,
  GeminiInteractionsResponse,
  GeminiInteractionsStreamEvent,
} from './wire.ts'

/**
 * The dialect of Google's Interactions API: `dialects['gemini-interactions']` as a separate import, for programs that need
 * no other wire format.
 *
 * @example
 * import { geminiInteractionsDialect } from 'interlingua/dialects/gemini-interactions'
 * const { value, losses } = geminiInteractionsDialect.encodeRequest({ model: '…', messages: [user('Hi')] })
 */
export const geminiInteractionsDialect: TypedDialect<'gemini-interactions'> =
  /* @__PURE__ */ defineDialect(codec)
