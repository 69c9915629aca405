import type { Json, JsonObject } from '../../wire/json.ts'

/**
 * The names of the hints: `parts` is content that is a list, although it is one text; `section` is the name of a section of the
 * system prompt; `role` is a role that becomes a user message; `timestamp` is the time of a result.
 */
export type PiHintName = 'parts' | 'section' | 'role' | 'timestamp'

/** A content block. */
export type PiBlockJson = { type: string; [field: string]: Json | JsonObject | undefined }

/** A message of pi, as plain JSON: `Message` of the package `@earendil-works/pi-ai`. */
export type PiMessageJson = { timestamp: number } & (
  | { role: 'system'; content: string | PiBlockJson[]; sections?: { [name: string]: string | null } }
  | { role: 'user'; content: string | PiBlockJson[] }
  | {
      role: 'assistant'
      content: PiBlockJson[]
      api: string
      provider: string
      model: string
      usage: JsonObject
      stopReason: string
    }
  | { role: 'toolResult'; toolCallId: string; toolName: string; content: PiBlockJson[]; isError: boolean }
)
