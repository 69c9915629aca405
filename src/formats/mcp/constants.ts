import { type Slot, defineSlot } from '../../dialects/engine/residue-slots.ts'
import type { McpHintName } from './types.ts'

/** The name of the format and of its slot of residue. */
export const NAME = 'mcp'

/** The slot of residue. */
export const MCP_SLOT: Slot<McpHintName, typeof NAME> = /* @__PURE__ */ defineSlot(NAME)

/** The key of `_meta` under which the fields that MCP lacks are kept. */
export const OWN_KEY = 'interlingua'
