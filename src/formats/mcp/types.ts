import { type Slot, toSlot } from '../../dialects/engine/residue-slots.ts'
import type { Json, JsonObject } from '../../wire/json.ts'

/** The name of the format and of its slot of residue. */
export const NAME = 'mcp'

/** The names of the hints: `list` is content that is a list of one block, and `resource` is a resource in a message. */
export type McpHintName = 'list' | 'resource'

/** The slot of residue. */
export const MCP_SLOT: Slot<McpHintName, typeof NAME> = /* @__PURE__ */ toSlot(NAME)

/** The key of `_meta` under which the fields that MCP lacks are kept. */
export const OWN_KEY = 'interlingua'

/** A content block. */
export type McpBlockJson = { type: string; [field: string]: Json | JsonObject | undefined }

/** A message of MCP, as sampling requests and prompts have it. */
export interface McpMessageJson {
  role: 'user' | 'assistant'
  content: McpBlockJson | McpBlockJson[]
}
