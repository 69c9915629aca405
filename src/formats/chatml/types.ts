import type { Json } from '../../wire/json.ts'

/** The names of the hints: `role` is the role of a turn with results. */
export type ChatMlHintName = 'role'

/** The content in which a tag is structure. */
export type TaggedContentKind = 'system' | 'user' | 'assistant' | 'result' | 'plain'

/** A conversation in ChatML. */
export interface ChatMlRecord {
  text: string
  [column: string]: Json
}
