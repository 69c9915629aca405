import type { Json, JsonObject } from '../../wire/json.ts'

/** The names of the hints: `list` is content that is a list of one block, and `resource` is a resource in a message. */
export type McpHintName = 'list' | 'resource'

/** A content block. */
export type McpBlockJson = { type: string; [field: string]: Json | JsonObject | undefined }

/** A message of MCP, as sampling requests and prompts have it. */
export interface McpMessageJson {
  role: 'user' | 'assistant'
  content: McpBlockJson | McpBlockJson[]
}
