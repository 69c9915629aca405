import { type Slot, defineSlot } from '../../dialects/engine/residue-slots.ts'
import type { NeuronHintName } from './types.ts'

/** The name of the format and of its slot of residue. */
export const NAME = 'neuron-ai'

/** The slot of residue. */
export const NEURON_SLOT: Slot<NeuronHintName, typeof NAME> = /* @__PURE__ */ defineSlot(NAME)
