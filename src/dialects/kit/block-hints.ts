import type { EngineHint } from '../engine/residue-hints.ts'
import type { Slot } from '../engine/residue-slots.ts'

/** The hints of formats with blocks. They are stored in users' databases. */
type BlockHint =
  | EngineHint
  /** The message had no content. */
  | 'emptyContent'
  /** The content was a text instead of a list of blocks. */
  | 'contentAsText'
  /** The reasoning was a block of this dialect. */
  | 'ownReasoning'
  /** The response had no finish reason. */
  | 'missingFinishReason'

export type BlockSlot = Slot<BlockHint>

/** The slots of a format: `dialect` for requests and hints, `response` for what only a response may contain. */
export interface BlockSlots {
  readonly dialect: BlockSlot
  readonly response: BlockSlot
}
