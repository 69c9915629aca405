import { type Slot, toSlot } from '../../dialects/engine/residue-slots.ts'
import type { Json, JsonObject } from '../../wire/json.ts'

/** The name of the format and of its slot of residue. */
export const NAME = 'dartantic'

/**
 * The names of the hints: `continues` is a message that was read from the same wire message as the one before it, and `place`
 * is the field of the metadata in which reasoning was found.
 */
export type DartanticHintName = 'continues' | 'place'

/** The slot of residue. */
export const DARTANTIC_SLOT: Slot<DartanticHintName, typeof NAME> = /* @__PURE__ */ toSlot(NAME)

/** The field of the metadata with the text and the signature of a thinking block of Anthropic. */
export const THINKING_BLOCK = '_anthropic_thinking_block'

/** The field of the metadata with the reasoning of versions without thinking parts. */
export const THINKING = 'thinking'

/** A message as `ChatMessage.toJson` of dartantic and of genai_primitives writes it. */
export interface DartanticMessageJson {
  role: 'system' | 'user' | 'model'
  parts: JsonObject[]
  metadata: JsonObject
  [field: string]: Json | JsonObject[] | undefined
}
