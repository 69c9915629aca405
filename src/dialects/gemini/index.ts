import { defineDialect } from '../engine/define-dialect.ts'
import type { TypedDialect } from '../dialect-types.ts'
import { codec } from './codec.ts'

export { defineFlavor, type FlavorDefinition } from './flavors.ts'
export type { GeminiRequest, GeminiResponse } from './wire.ts'

/**
 * Google's generateContent and streamGenerateContent as a dialect of its own, for programs that need no other
 * wire format.
 *
 * @example
 * import { geminiDialect } from 'interlingua/dialects/gemini'
 * const { value, losses } = geminiDialect.encodeRequest({ model: '…', messages: [user('Hi')] })
 */
export const geminiDialect: TypedDialect<'gemini'> = /* @__PURE__ */ defineDialect(codec)
