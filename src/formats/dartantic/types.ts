import type { Json, JsonObject } from '../../wire/json.ts'

/**
 * The names of the hints: `continues` is a message that was read from the same wire message as the one before it, and `place`
 * is the field of the metadata in which reasoning was found.
 */
export type DartanticHintName = 'continues' | 'place'

/** A message as `ChatMessage.toJson` of dartantic and of genai_primitives writes it. */
export interface DartanticMessageJson {
  role: 'system' | 'user' | 'model'
  parts: JsonObject[]
  metadata: JsonObject
  [field: string]: Json | JsonObject[] | undefined
}
