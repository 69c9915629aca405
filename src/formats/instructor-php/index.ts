import { defineMessageFormat, type MessageFormat } from '../engine/message-format.ts'
import { codec } from './codec.ts'
import type { NAME } from './constants.ts'
import type { InstructorMessageJson } from './types.ts'

export type { MessageFormat, ReadMessagesOptions, WriteMessagesOptions } from '../engine/message-format.ts'
export type { InstructorMessageJson } from './types.ts'

/**
 * The messages of Instructor for PHP: lists, the sections of a `MessageStore`, and the session files of `JsonlStorage`, of
 * which the branch to the head is read.
 *
 * @example
 * const { value: messages } = instructorPhp.fromMessages(await readFile('session.jsonl', 'utf8'))
 */
export const instructorPhp: MessageFormat<typeof NAME, InstructorMessageJson> =
  /* @__PURE__ */ defineMessageFormat(codec)
