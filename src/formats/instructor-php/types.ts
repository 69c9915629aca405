import { type Slot, toSlot } from '../../dialects/engine/residue-slots.ts'
import type { Json, JsonObject } from '../../wire/json.ts'
import type { OpenaiPartFormat } from '../openai-shared/parts.ts'

/** The name of the format and of its slot of residue. */
export const NAME = 'instructor-php'

/** The names of the hints: `parts` is content that is a list, although it is one text; `entry` is a line of a session file. */
export type InstructorHintName = 'parts' | 'entry'

/** The slot of residue. */
export const INSTRUCTOR_SLOT: Slot<InstructorHintName, typeof NAME> = /* @__PURE__ */ toSlot(NAME)

/** The content parts: texts, images, audio and files. */
export const PART_FORMAT: OpenaiPartFormat = {
  name: NAME,
  slot: INSTRUCTOR_SLOT as Slot<string>,
  hasFiles: true,
}

/** The section of messages that name none. */
export const DEFAULT_SECTION = 'messages'

/** A message as `Message::toArray` writes it, or a line of the session files of `JsonlStorage`. */
export interface InstructorMessageJson {
  id: string
  createdAt?: string
  parentId?: string | null
  role?: string
  name?: string
  content?: string | JsonObject[]
  tool_calls?: JsonObject[]
  tool_result?: JsonObject
  [field: string]: Json | JsonObject[] | undefined
}
