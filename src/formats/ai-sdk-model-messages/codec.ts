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
} from '../engine/format-signs.ts'
import type { MessageFormatCodec } from '../engine/message-format.ts'
import { NAME } from './constants.ts'
import { readMessages } from './read.ts'
import { writeMessages } from './write.ts'

const OUTPUT_TYPES = ['text', 'json', 'error-text', 'error-json', 'content', 'execution-denied'] as const

/** The signs of `ModelMessage`, versions 5 to 7, and of `CoreMessage`, version 4. */
const signs: FormatSigns = {
  title: 'model messages of the AI SDK',
  required: [
    ['`role`: system, user, assistant or tool', hasValue('role', 'system', 'user', 'assistant', 'tool')],
    ['`content`: a text or a list of parts', isAny(hasText('content'), hasList('content'))],
  ],
  marks: [
    ['a part with `toolCallId`', hasItem('content', hasKeys('toolCallId'))],
    ['a part with `providerOptions`', hasItem('content', hasObject('providerOptions'))],
    ['a message with `providerOptions`', hasObject('providerOptions')],
    ['a part with `approvalId`', hasItem('content', hasKeys('approvalId'))],
    [
      'a tool result with a typed `output`',
      hasItem('content', hasObject('output', hasValue('type', ...OUTPUT_TYPES))),
    ],
    [
      'an image or a file with `mediaType`',
      hasItem(
        'content',
        isEvery(isAny(hasKeys('image'), hasKeys('data')), isAny(hasText('mediaType'), hasText('mimeType'))),
      ),
    ],
    [
      'an image without a source type',
      hasItem('content', isEvery(hasValue('type', 'image'), hasText('image'))),
    ],
  ],
}

/** The reader and the writer of the format. */
export const codec: MessageFormatCodec<typeof NAME> = {
  name: NAME,
  signs,
  carries: {
    message: [],
    part: ['cache', 'signature', 'detail', 'transcript', 'summary', 'redacted', 'executedBy'],
    resultContent: ['detail', 'transcript'],
  },
  read: readMessages,
  write: writeMessages,
}
