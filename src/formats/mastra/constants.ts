import { type Slot, defineSlot } from '../../dialects/engine/residue-slots.ts'
import type { MastraHintName } from './types.ts'

/** The name of the format and of its slot of residue. */
export const NAME = 'mastra'

/** The slot of residue. */
export const MASTRA_SLOT: Slot<MastraHintName, typeof NAME> = /* @__PURE__ */ defineSlot(NAME)
