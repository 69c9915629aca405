import type { Json, JsonObject } from '../../wire/json.ts'

/** The names of the hints: `parts` is content that is a list, although it is one text. */
export type MsgIoHintName = 'parts'

/** A message of llm-msg-io. */
export interface MsgIoMessageJson {
  role: string
  content: string | JsonObject[]
  reasoning?: string
  refusal?: string
  tool_calls?: JsonObject[]
  id?: string
  call_id?: string
  name?: string
  [field: string]: Json | JsonObject[] | undefined
}
