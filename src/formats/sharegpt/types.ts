import type { Json, JsonObject } from '../../wire/json.ts'

/** The names of the hints: `column` is system text beside the messages, `list` are calls in a list, `from` is another role name. */
export type ShareGptHintName = 'column' | 'list' | 'from' | 'rejected'

/** What an entry is: a message of a role, calls, or the result of a call. */
export type EntryKind = 'system' | 'user' | 'assistant' | 'calls' | 'result'

/** A message of a conversation. */
export interface ShareGptEntry {
  from: string
  value: string
  [field: string]: Json
}

/** A conversation of ShareGPT. */
export interface ShareGptRecord {
  conversations: ShareGptEntry[]
  system?: string
  tools?: string
  [column: string]: Json | JsonObject[] | ShareGptEntry[] | undefined
}
