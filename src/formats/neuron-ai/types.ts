import { type Slot, toSlot } from '../../dialects/engine/residue-slots.ts'
import type { Json, JsonObject } from '../../wire/json.ts'

/** The name of the format and of its slot of residue. */
export const NAME = 'neuron-ai'

/** The names of the hints: `textContent` is content of old versions, a text; `attachment` is media of old versions. */
export type NeuronHintName = 'textContent' | 'attachment'

/** The slot of residue. */
export const NEURON_SLOT: Slot<NeuronHintName, typeof NAME> = /* @__PURE__ */ toSlot(NAME)

/** A message as the chat histories of NeuronAI store it. */
export interface NeuronMessageJson {
  role: string
  content: string | JsonObject[] | null
  type?: 'tool_call' | 'tool_call_result'
  tools?: JsonObject[]
  [field: string]: Json | JsonObject[] | undefined
}
