import { type Slot, toSlot } from '../../dialects/engine/residue-slots.ts'
import type { Json, JsonObject } from '../../wire/json.ts'

/** The name of the format and of its slot of residue. */
export const NAME = 'llm-msg-io'

/** The names of the hints: `parts` is content that is a list, although it is one text. */
export type MsgIoHintName = 'parts'

/** The slot of residue. */
export const MSG_IO_SLOT: Slot<MsgIoHintName, typeof NAME> = /* @__PURE__ */ toSlot(NAME)

/** A message of llm-msg-io. */
export interface MsgIoMessageJson {
  role: string
  content: string | JsonObject[]
  reasoning?: string
  refusal?: string
  tool_calls?: JsonObject[]
  id?: string
  call_id?: string
  name?: string
  [field: string]: Json | JsonObject[] | undefined
}
