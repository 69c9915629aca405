import type { JsonObject } from '../../wire/json.ts'
import { type FormatSigns, hasList, hasText, hasValue, isAny, isEvery } from '../engine/format-signs.ts'
import type { MessageFormatCodec } from '../engine/message-format.ts'
import { NAME } from './constants.ts'
import { readMessages } from './read.ts'
import { isEntry } from './session-branch.ts'
import { writeMessages } from './write.ts'

const isTimed = ({ timestamp }: JsonObject): boolean => typeof timestamp === 'number'

const isMessage = isEvery(hasText('role'), isTimed)

/** The signs of the messages of pi, and of the entries of its session files. */
const signs: FormatSigns = {
  title: 'messages of pi',
  required: [['`role` and `timestamp`, or the `type` of an entry of a session', isAny(isMessage, isEntry)]],
  marks: [
    ['the role toolResult with `toolCallId`', isEvery(hasValue('role', 'toolResult'), hasText('toolCallId'))],
    ['an answer with `api` and `stopReason`', isEvery(hasText('api'), hasText('stopReason'))],
    ['a message with a `timestamp`', isEvery(isMessage, isAny(hasText('content'), hasList('content')))],
    ['an entry of a session', isEntry],
  ],
}

/** The reader and the writer of the format. */
export const codec: MessageFormatCodec<typeof NAME> = {
  name: NAME,
  signs,
  carries: {
    message: ['createdAt', 'origin', 'usage', 'finish'],
    part: ['signature', 'redacted'],
    resultContent: ['signature'],
  },
  read: readMessages,
  write: writeMessages,
}
