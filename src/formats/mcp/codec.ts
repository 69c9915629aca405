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
  type MessageTest,
} from '../engine/format-signs.ts'
import type { MessageFormatCodec } from '../engine/message-format.ts'
import { NAME } from './constants.ts'
import { readMessages } from './read.ts'
import { writeMessages } from './write.ts'

/** Tests the block of a message, or the blocks of a list. */
const hasBlock = (test: MessageTest): MessageTest =>
  isAny(hasObject('content', test), hasItem('content', test))

const isMedia = isEvery(hasValue('type', 'image', 'audio'), hasText('data'), hasText('mimeType'))

/** The signs of the messages of sampling requests and of prompts. */
const signs: FormatSigns = {
  title: 'messages of MCP',
  required: [
    ['`role`: user or assistant', hasValue('role', 'user', 'assistant')],
    [
      '`content`: a block or a list of blocks',
      isAny(hasObject('content', hasText('type')), hasList('content')),
    ],
  ],
  marks: [
    ['a block that is no list', hasObject('content', hasText('type'))],
    ['a tool_result with `toolUseId`', hasItem('content', hasText('toolUseId'))],
    ['a resource', hasBlock(hasValue('type', 'resource', 'resource_link'))],
    ['media with `data` and `mimeType`', isEvery(hasBlock(isMedia), isNot(hasKeys('timestamp')))],
  ],
}

/** The reader and the writer of the format. */
export const codec: MessageFormatCodec<typeof NAME> = {
  name: NAME,
  signs,
  carries: { message: [], part: ['executedBy'], resultContent: [] },
  read: readMessages,
  write: writeMessages,
}
