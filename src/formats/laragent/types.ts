import type { Json, JsonObject } from '../../wire/json.ts'

/**
 * The names of the hints: `form` is content that is a text, or a list where LarAgent has an object; `together` is an answer
 * with text and calls in one message.
 */
export type LarAgentHintName = 'form' | 'together'

/** A message as the chat histories of LarAgent store it. */
export interface LarAgentMessageJson {
  role: string
  content: string | JsonObject | JsonObject[] | null
  message_uuid?: string
  message_created?: string
  tool_calls?: JsonObject[]
  tool_call_id?: string
  tool_name?: string
  [field: string]: Json | JsonObject[] | undefined
}
