import { toMessageCodec, type WritableConversationCodec } from '../engine/conversation-codec.ts'
import { type FormatSigns, hasItem, hasList, hasText, isEvery } from '../engine/format-signs.ts'
import type { MessageFormatCodec } from '../engine/message-format.ts'
import { NAME } from './constants.ts'
import { readRecord } from './read.ts'
import { writeRecord } from './write.ts'

const isEntry = isEvery(hasText('from'), hasText('value'))

/** The signs of one conversation of ShareGPT. */
const signs: FormatSigns = {
  title: 'conversations of ShareGPT',
  item: 'a conversation',
  required: [['`conversations`: a list', hasList('conversations')]],
  marks: [['`conversations` with `from` and `value`', hasItem('conversations', isEntry)]],
}

/** The reader and the writer of one conversation. */
export const recordCodec: WritableConversationCodec<typeof NAME> = {
  name: NAME,
  signs,
  settings: ['tools'],
  carries: { message: [], part: [], resultContent: [] },
  read: readRecord,
  write: writeRecord,
}

/** The reader and the writer of the messages of one conversation. */
export const codec: MessageFormatCodec<typeof NAME> = /* @__PURE__ */ toMessageCodec(recordCodec)
