import { codec as uiCodec } from '../ai-sdk-ui-messages/codec.ts'
import {
  type FormatSigns,
  hasList,
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

const ROLES = ['user', 'assistant', 'system', 'signal'] as const

const hasContent = hasObject('content', isEvery(hasValue('format', 2), hasList('parts')))

/** The signs of the messages that the stores of Mastra keep. */
const signs: FormatSigns = {
  title: 'messages of Mastra',
  required: [
    ['`id`', hasText('id')],
    [`\`role\`: ${ROLES.join(', ')}`, hasValue('role', ...ROLES)],
    ['`content` with the format 2 and a list of `parts`', hasContent],
  ],
  marks: [['`content` with the format 2', isAny(hasContent, hasObject('content', hasValue('format', 2)))]],
}

/** The reader and the writer of the format, which use those of UI messages. */
export const codec: MessageFormatCodec<typeof NAME> = {
  name: NAME,
  signs,
  sharedSlots: [uiCodec.name],
  carries: {
    message: ['createdAt', 'metadata'],
    part: ['cache', 'signature', 'citations', 'detail', 'transcript', 'summary', 'redacted', 'executedBy'],
    resultContent: ['citations', 'detail', 'transcript'],
  },
  read: readMessages,
  write: writeMessages,
}
