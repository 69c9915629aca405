import type { JsonObject } from '../../wire/json.ts'

/**
 * What a wire format says beyond the canonical fields, by slot: `'<dialect>'`, `'<dialect>/response'`…;
 * the slot `'unknown'` holds keys that were found when parsing, and is never sent anywhere.
 */
export interface Extra {
  readonly [slot: string]: JsonObject
}

/** The slot of keys that a parser did not know. */
export const UNKNOWN = 'unknown'
