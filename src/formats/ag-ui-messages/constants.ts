import { type Slot, defineSlot } from '../../dialects/engine/residue-slots.ts'
import type { AgUiHintName } from './types.ts'

/** The name of the format and of its slot of residue. */
export const NAME = 'ag-ui-messages'

/** The slot of residue. */
export const AG_UI_SLOT: Slot<AgUiHintName, typeof NAME> = /* @__PURE__ */ defineSlot(NAME)

/** The key of `metadata` under which the fields that AG-UI lacks are kept. */
export const OWN_KEY = 'interlingua'
