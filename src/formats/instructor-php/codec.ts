import { ROLES } from '../../canonical/model/message.ts'
import {
  type FormatSigns,
  hasItem,
  hasKeys,
  hasObject,
  hasText,
  hasValue,
  isAny,
  isEvery,
  isNot,
  type MessageTest,
} from '../engine/format-signs.ts'
import type { MessageFormatCodec } from '../engine/message-format.ts'
import { NAME } from './constants.ts'
import { readMessages } from './read.ts'
import { isEntry } from './session-lines.ts'
import { writeMessages } from './write.ts'

/** A call has its name and its arguments as an object, or as an empty list, beside its id. */
const isCall = isEvery(
  hasText('name'),
  isNot(hasKeys('function')),
  isNot(hasText('arguments')),
  hasKeys('arguments'),
)

/** The signs of the messages of Instructor for PHP. */
const signs: FormatSigns = {
  title: 'messages of Instructor for PHP',
  required: [
    [`\`role\`: ${ROLES.join(', ')}`, isAny(hasValue('role', ...ROLES), isEntry)],
    [
      '`content`, `_metadata`, `tool_calls` or `tool_result`',
      isAny(hasKeys('content'), hasKeys('_metadata'), hasKeys('tool_calls'), hasKeys('tool_result'), isEntry),
    ],
  ],
  marks: [
    ['a line of a session file', isEntry],
    ['`_metadata`', hasObject('_metadata')],
    ['`tool_result` with `call_id`', hasObject('tool_result', hasKeys('call_id'))],
    ['`tool_calls` with arguments that are an object', hasItem('tool_calls', isCall)],
    [
      '`createdAt` beside an id that is a UUID',
      isEvery(hasText('createdAt'), hasText('role'), hasText('content'), hasUuid),
    ],
  ],
}

function hasUuid({ id }: Parameters<MessageTest>[0]): boolean {
  return typeof id === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)
}

/** The reader and the writer of the format. */
export const codec: MessageFormatCodec<typeof NAME> = {
  name: NAME,
  signs,
  carries: {
    message: ['createdAt', 'parentId', 'name', 'metadata'],
    part: ['detail'],
    resultContent: [],
  },
  read: readMessages,
  write: writeMessages,
}
