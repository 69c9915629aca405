import { type Slot, defineSlot } from '../../dialects/engine/residue-slots.ts'
import type { LangChainHintName } from './types.ts'

/** The name of the format and of its slot of residue. */
export const NAME = 'langchain'

/** The slot of residue. */
export const LANGCHAIN_SLOT: Slot<LangChainHintName, typeof NAME> = /* @__PURE__ */ defineSlot(NAME)
