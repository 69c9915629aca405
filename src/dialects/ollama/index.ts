import { defineDialect } from '../engine/define-dialect.ts'
import type { TypedDialect } from '../dialect-types.ts'
import { codec } from './codec.ts'

export type { OllamaChunk, OllamaRequest, OllamaResponse } from './wire.ts'

/**
 * Ollama's own API as a dialect of its own, for programs that need no other wire format.
 *
 * @example
 * import { ollamaDialect } from 'interlingua/dialects/ollama'
 * const { value, losses } = ollamaDialect.encodeRequest({ model: '…', messages: [user('Hi')] })
 */
export const ollamaDialect: TypedDialect<'ollama'> = /* @__PURE__ */ defineDialect(codec)
