import { type Slot, defineSlot } from '../../dialects/engine/residue-slots.ts'
import type { AgentsHintName } from './types.ts'

/** The name of the format and of its slot of residue. */
export const NAME = 'openai-agents'

/** The slot of residue. */
export const AGENTS_SLOT: Slot<AgentsHintName, typeof NAME> = /* @__PURE__ */ defineSlot(NAME)
