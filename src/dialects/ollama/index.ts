import { defineDialect } from '../engine/define-dialect.ts'
import type { NamedDialect } from '../dialect-types.ts'
import { codec } from './codec.ts'

export type { OllamaChunk, OllamaRequest, OllamaResponse } from './wire.ts'

/**
 * Ollama's own API: `dialects.ollama` by itself, for programs that need no other wire format.
 *
 * @example
 * import { ollama } from 'interlingua/dialects/ollama'
 * const { value, losses } = ollama.encodeRequest({ model: '…', messages: [user('Hi')] })
 */
export const ollamaDialect: NamedDialect<'ollama'> = defineDialect(codec)
