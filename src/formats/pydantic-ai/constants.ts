import { type Slot, defineSlot } from '../../dialects/engine/residue-slots.ts'
import type { PydanticHintName } from './types.ts'

/** The name of the format and of its slot of residue. */
export const NAME = 'pydantic-ai'

/** The slot of residue of parts and responses. */
export const PYDANTIC_SLOT: Slot<PydanticHintName, typeof NAME> = /* @__PURE__ */ defineSlot(NAME)

/** The slot of residue of a request, on the first message that was read from it. */
export const REQUEST_SLOT: Slot<never> = /* @__PURE__ */ defineSlot(`${NAME}/request`)
