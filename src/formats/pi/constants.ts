import { type Slot, defineSlot } from '../../dialects/engine/residue-slots.ts'
import type { PiHintName } from './types.ts'

/** The name of the format and of its slot of residue. */
export const NAME = 'pi'

/** The slot of residue. */
export const PI_SLOT: Slot<PiHintName, typeof NAME> = /* @__PURE__ */ defineSlot(NAME)

/** The types of the entries of a session that are not messages. */
export const ENTRY_TYPES = [
  'session',
  'model_change',
  'thinking_level_change',
  'usage',
  'compaction',
  'context_edit',
  'branch_summary',
  'custom',
  'custom_message',
  'label',
  'session_info',
] as const
