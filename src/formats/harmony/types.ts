import type { Json } from '../../wire/json.ts'

/**
 * The names of the hints: `header` is the system message of a conversation, an empty text if it has none; `recipient` is that of a call
 * outside of the namespace of functions; `system` marks a system text that is not the header.
 */
export type HarmonyHintName = 'header' | 'recipient' | 'system'

/** A conversation in the Harmony format. */
export interface HarmonyRecord {
  text: string
  [column: string]: Json
}
