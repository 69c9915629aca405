import { type Slot, defineSlot } from '../../dialects/engine/residue-slots.ts'
import type { OpenaiPartFormat } from '../openai-shared/parts.ts'
import type { LarAgentHintName } from './types.ts'

/** The name of the format and of its slot of residue. */
export const NAME = 'laragent'

/** The slot of residue. */
export const LARAGENT_SLOT: Slot<LarAgentHintName, typeof NAME> = /* @__PURE__ */ defineSlot(NAME)

/** The content parts: texts, images and audio. */
export const PART_FORMAT: OpenaiPartFormat = {
  name: NAME,
  slot: LARAGENT_SLOT as Slot<string>,
  hasFiles: false,
}
