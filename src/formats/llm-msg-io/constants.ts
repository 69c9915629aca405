import { type Slot, defineSlot } from '../../dialects/engine/residue-slots.ts'
import type { MsgIoHintName } from './types.ts'

/** The name of the format and of its slot of residue. */
export const NAME = 'llm-msg-io'

/** The slot of residue. */
export const MSG_IO_SLOT: Slot<MsgIoHintName, typeof NAME> = /* @__PURE__ */ defineSlot(NAME)
