import type { Json, JsonObject } from '../../wire/json.ts'

/** The names of the hints: `pair` is the row of {@link PAIR_KEYS}, `preferred` the number of preferred messages. */
export type FineTuningHintName = 'pair' | 'preferred' | 'rejected'

/** A line of a fine-tuning file: a conversation, or a preference pair. */
export interface FineTuningRecord {
  messages?: JsonObject[]
  tools?: JsonObject[]
  parallel_tool_calls?: boolean
  input?: JsonObject
  preferred_output?: JsonObject[]
  non_preferred_output?: JsonObject[]
  [column: string]: Json | JsonObject[] | undefined
}
