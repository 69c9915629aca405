import type { Json, JsonObject } from '../../wire/json.ts'

/** The names of the hints: `parts` is content that is a list, although it is one text; `entry` is a line of a session file. */
export type InstructorHintName = 'parts' | 'entry'

/** A message as `Message::toArray` writes it, or a line of the session files of `JsonlStorage`. */
export interface InstructorMessageJson {
  id: string
  createdAt?: string
  parentId?: string | null
  role?: string
  name?: string
  content?: string | JsonObject[]
  tool_calls?: JsonObject[]
  tool_result?: JsonObject
  [field: string]: Json | JsonObject[] | undefined
}
