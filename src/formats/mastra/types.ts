import type { Json, JsonObject } from '../../wire/json.ts'

/**
 * The names of the hints: `repeats` are the fields of the content that repeat its parts, and `rawData` are files whose data
 * is base64 without a media type.
 */
export type MastraHintName = 'repeats' | 'rawData'

/** A part of a stored message. */
export type MastraPartJson = { type: string; [field: string]: Json | JsonObject | undefined }

/** A message as the stores of Mastra keep it: `MastraDBMessage` of the package `@mastra/core`, with its date as text. */
export interface MastraMessageJson {
  id: string
  role: 'user' | 'assistant' | 'system'
  createdAt?: string
  content: { format: 2; parts: MastraPartJson[]; metadata?: JsonObject }
}
