import {
  type FormatSigns,
  hasItem,
  hasKeys,
  hasList,
  hasObject,
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

const ROLES = ['developer', 'system', 'assistant', 'user', 'tool', 'activity', 'reasoning'] as const

const isSource = isEvery(hasValue('type', 'data', 'url', 'file'), hasText('value'))

/** The signs of the messages of AG-UI, in `RunAgentInput` and in `MESSAGES_SNAPSHOT`. */
const signs: FormatSigns = {
  title: 'messages of AG-UI',
  required: [
    ['`id`', hasText('id')],
    [`\`role\`: ${ROLES.join(', ')}`, hasValue('role', ...ROLES)],
    [
      '`content`, or an assistant message without one',
      isAny(hasText('content'), hasList('content'), hasObject('content'), hasValue('role', 'assistant')),
    ],
  ],
  marks: [
    ['`toolCalls` with `function`', hasItem('toolCalls', hasObject('function'))],
    ['the role tool with `toolCallId`', isEvery(hasValue('role', 'tool'), hasText('toolCallId'))],
    ['the role reasoning', isEvery(hasValue('role', 'reasoning'), hasText('content'))],
    ['the role activity', isEvery(hasValue('role', 'activity'), hasText('activityType'))],
    ['media with a `source` that has a `value`', hasItem('content', hasObject('source', isSource))],
    ['`encryptedValue`', isEvery(hasText('encryptedValue'), isNot(hasKeys('parts')))],
  ],
}

/** The reader and the writer of the format. */
export const codec: MessageFormatCodec<typeof NAME> = {
  name: NAME,
  signs,
  carries: {
    message: ['name', 'metadata'],
    part: ['signature', 'detail', 'transcript', 'summary', 'redacted', 'executedBy'],
    resultContent: ['detail', 'transcript'],
  },
  read: readMessages,
  write: writeMessages,
}
