import type { Json, JsonObject } from '../../wire/json.ts'

/** The names of the hints: `completions` are all rated answers, `preferred` is the position of the one that was read. */
export type GeminiTuningHintName = 'completions' | 'preferred'

/** A line of a tuning file. */
export interface GeminiTuningRecord {
  contents: JsonObject[]
  systemInstruction?: JsonObject
  tools?: JsonObject[]
  completions?: JsonObject[]
  [column: string]: Json | JsonObject[] | undefined
}
