import { ROLES } from '../../canonical/model/message.ts'
import {
  type FormatSigns,
  hasKeys,
  hasObject,
  hasText,
  hasValue,
  isAny,
  isEvery,
} from '../engine/format-signs.ts'
import type { MessageFormatCodec } from '../engine/message-format.ts'
import { NAME } from './constants.ts'
import { readMessages } from './read.ts'
import { writeMessages } from './write.ts'

/** The signs of the messages that the storages of LarAgent contain. */
const signs: FormatSigns = {
  title: 'messages of LarAgent',
  required: [
    [`\`role\`: ${ROLES.join(', ')}`, hasValue('role', ...ROLES)],
    ['`content` or `tool_calls`', isAny(hasKeys('content'), hasKeys('tool_calls'))],
  ],
  marks: [
    ['`message_uuid`', hasText('message_uuid')],
    ['`message_created`', hasText('message_created')],
    [
      'an answer whose content is one object with `text`',
      isEvery(hasValue('role', 'assistant'), hasObject('content', hasText('text'))),
    ],
    [
      'a result whose content is an object with `tool_call_id`',
      isEvery(hasValue('role', 'tool'), hasObject('content', hasText('tool_call_id'))),
    ],
  ],
}

/** The reader and the writer of the format. */
export const codec: MessageFormatCodec<typeof NAME> = {
  name: NAME,
  signs,
  carries: {
    message: ['createdAt', 'usage', 'metadata'],
    part: ['signature', 'detail'],
    resultContent: [],
  },
  read: readMessages,
  write: writeMessages,
}
