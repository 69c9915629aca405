import { type Slot, toSlot } from '../../dialects/engine/residue-slots.ts'
import type { Json, JsonObject } from '../../wire/json.ts'
import type { OpenaiPartFormat } from '../openai-shared/parts.ts'

/** The name of the format and of its slot of residue. */
export const NAME = 'laragent'

/**
 * The names of the hints: `form` is content that is a text, or a list where LarAgent has an object; `together` is an answer
 * with text and calls in one message.
 */
export type LarAgentHintName = 'form' | 'together'

/** The slot of residue. */
export const LARAGENT_SLOT: Slot<LarAgentHintName, typeof NAME> = /* @__PURE__ */ toSlot(NAME)

/** The content parts: texts, images and audio. */
export const PART_FORMAT: OpenaiPartFormat = {
  name: NAME,
  slot: LARAGENT_SLOT as Slot<string>,
  hasFiles: false,
}

/** A message as the chat histories of LarAgent store it. */
export interface LarAgentMessageJson {
  role: string
  content: string | JsonObject | JsonObject[] | null
  message_uuid?: string
  message_created?: string
  tool_calls?: JsonObject[]
  tool_call_id?: string
  tool_name?: string
  [field: string]: Json | JsonObject[] | undefined
}
