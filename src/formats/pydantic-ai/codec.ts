import {
  type FormatSigns,
  hasItem,
  hasKeys,
  hasList,
  hasText,
  hasValue,
  isAny,
  isEvery,
  isNot,
} from '../engine/format-signs.ts'
import type { MessageFormatCodec } from '../engine/message-format.ts'
import { NAME } from './constants.ts'
import { readMessages } from './read.ts'
import { writeMessages } from './write.ts'

const isMessage = isEvery(hasValue('kind', 'request', 'response'), hasList('parts'))

/** The signs of the messages of pydantic-ai: `result.all_messages_json()` and `ModelMessagesTypeAdapter`. */
const signs: FormatSigns = {
  title: 'messages of pydantic-ai',
  required: [
    ['`kind`: request or response', hasValue('kind', 'request', 'response')],
    ['`parts`: a list', hasList('parts')],
  ],
  marks: [
    ['`kind` and `parts` instead of a role', isEvery(isMessage, isNot(hasKeys('role')))],
    ['parts with `part_kind`', isAny(hasItem('parts', hasText('part_kind')))],
  ],
}

/** The reader and the writer of the format. */
export const codec: MessageFormatCodec<typeof NAME> = {
  name: NAME,
  signs,
  carries: {
    message: ['createdAt', 'origin', 'usage', 'finish'],
    part: ['cache', 'signature', 'detail', 'redacted', 'executedBy'],
    resultContent: ['detail'],
  },
  read: readMessages,
  write: writeMessages,
}
