import { type Slot, defineSlot } from '../../dialects/engine/residue-slots.ts'
import type { ModelHintName } from './types.ts'

/** The name of the format and of its slot of residue. */
export const NAME = 'ai-sdk-model-messages'

/** The slot of residue. */
export const MODEL_SLOT: Slot<ModelHintName, typeof NAME> = /* @__PURE__ */ defineSlot(NAME)
