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

const TOOL_TYPES = ['tool_call', 'tool_call_result'] as const

const ROLES = ['user', 'assistant', 'model', 'tool', 'system', 'developer'] as const

/** A block has its text under `content`; other formats have it under `text`. */
const isBlock = isEvery(
  hasText('type'),
  hasText('content'),
  isNot(hasKeys('text')),
  isNot(hasKeys('tool_use_id')),
)

/** The signs of the messages that the chat histories of NeuronAI store, of old and new versions. */
const signs: FormatSigns = {
  title: 'messages of NeuronAI',
  required: [
    [`\`role\`: ${ROLES.join(', ')}`, hasValue('role', ...ROLES)],
    ['`content` or `tools`', isAny(hasKeys('content'), hasList('tools'))],
  ],
  marks: [
    [
      'the type tool_call or tool_call_result with `tools`',
      isEvery(hasValue('type', ...TOOL_TYPES), hasList('tools')),
    ],
    ['blocks with `content`', hasItem('content', isBlock)],
    ['attachments with `content_type`', hasItem('attachments', hasKeys('content_type'))],
  ],
}

/** The reader and the writer of the format. */
export const codec: MessageFormatCodec<typeof NAME> = {
  name: NAME,
  signs,
  carries: { message: ['usage'], part: [], resultContent: [] },
  read: readMessages,
  write: writeMessages,
}
