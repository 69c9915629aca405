import { defineDialect } from '../engine/define-dialect.ts'
import type { NamedDialect } from '../dialect-types.ts'
import { codec } from './codec.ts'

export type { GeminiRequest, GeminiResponse } from './wire.ts'

/**
 * Google's generateContent and streamGenerateContent: `dialects.gemini` by itself, for programs that need no other wire format.
 *
 * @example
 * import { gemini } from 'interlingua/dialects/gemini'
 * const { value, losses } = gemini.encodeRequest({ model: '…', messages: [user('Hi')] })
 */
export const geminiDialect: NamedDialect<'gemini'> = defineDialect(codec)
