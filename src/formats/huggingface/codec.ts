import { toMessageCodec, type WritableConversationCodec } from '../engine/conversation-codec.ts'
import {
  type FormatSigns,
  hasItem,
  hasList,
  hasObject,
  hasText,
  hasValue,
  isAny,
  isEvery,
  type MessageTest,
} from '../engine/format-signs.ts'
import type { MessageFormatCodec } from '../engine/message-format.ts'
import { NAME } from './constants.ts'
import { readRow } from './read.ts'
import { findLayout, hasMessageList, isDatasetRow } from './row-layout.ts'
import { writeRow } from './write.ts'

/** Calls of Ollama have objects as arguments, too, but no type. */
const hasObjectArguments: MessageTest = isEvery(
  hasValue('type', 'function'),
  hasObject('function', hasObject('arguments')),
)

/** The signs of one row. A row that has only messages of Chat Completions is read as a request. */
const signs: FormatSigns = {
  title: 'rows of Hugging Face datasets',
  item: 'a row',
  required: [['`messages`, `prompt` or `chosen`', (row) => findLayout(row) !== undefined]],
  marks: [
    [
      'messages in the columns of TRL',
      isEvery(isDatasetRow, isAny(...['prompt', 'completion', 'chosen'].map(hasMessageList))),
    ],
    [
      '`chosen` and `rejected`',
      isEvery(isDatasetRow, hasText('prompt'), hasText('chosen'), hasText('rejected')),
    ],
    ['`prompt` and `completion`', isEvery(isDatasetRow, hasText('prompt'), hasText('completion'))],
    [
      'arguments that are an object',
      isEvery(isDatasetRow, hasItem('messages', hasItem('tool_calls', hasObjectArguments))),
    ],
    ['`tools` as text', isEvery(isDatasetRow, hasMessageList('messages'), hasText('tools'))],
    ['`messages` with `images`', isEvery(isDatasetRow, hasMessageList('messages'), hasList('images'))],
  ],
}

/** The reader and the writer of one row. */
export const recordCodec: WritableConversationCodec<typeof NAME> = {
  name: NAME,
  signs,
  settings: ['tools'],
  carries: { message: ['name'], part: ['detail'], resultContent: ['detail'] },
  read: readRow,
  write: writeRow,
}

/** The reader and the writer of the messages of one row. */
export const codec: MessageFormatCodec<typeof NAME> = /* @__PURE__ */ toMessageCodec(recordCodec)
