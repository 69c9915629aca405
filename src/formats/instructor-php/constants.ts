import { type Slot, defineSlot } from '../../dialects/engine/residue-slots.ts'
import type { OpenaiPartFormat } from '../openai-shared/parts.ts'
import type { InstructorHintName } from './types.ts'

/** The name of the format and of its slot of residue. */
export const NAME = 'instructor-php'

/** The slot of residue. */
export const INSTRUCTOR_SLOT: Slot<InstructorHintName, typeof NAME> = /* @__PURE__ */ defineSlot(NAME)

/** The content parts: texts, images, audio and files. */
export const PART_FORMAT: OpenaiPartFormat = {
  name: NAME,
  slot: INSTRUCTOR_SLOT as Slot<string>,
  hasFiles: true,
}

/** The section of messages that name none. */
export const INSTRUCTOR_SECTION = 'messages'
