import { getOwnValue } from '../../wire/json.ts'
import { toMessageCodec, type WritableConversationCodec } from '../engine/conversation-codec.ts'
import { type FormatSigns, hasText } from '../engine/format-signs.ts'
import type { MessageFormatCodec } from '../engine/message-format.ts'
import { NAME, TURN_START } from './constants.ts'
import { readRecord } from './read.ts'
import { writeRecord } from './write.ts'

/** Returns true for text with a turn of ChatML. */
function isChatMl(text: unknown): boolean {
  return typeof text === 'string' && text.includes(TURN_START)
}

/** The signs of one conversation. */
const signs: FormatSigns = {
  title: 'conversations in ChatML',
  item: 'a conversation',
  required: [['`text`: a text', hasText('text')]],
  marks: [['`text` with turns of ChatML', (record) => isChatMl(getOwnValue(record, 'text'))]],
}

/** The reader and the writer of one conversation. */
export const recordCodec: WritableConversationCodec<typeof NAME> = {
  name: NAME,
  signs,
  settings: ['tools'],
  textKey: 'text',
  carries: { message: ['name'], part: [], resultContent: [] },
  readText: (text) => (isChatMl(text) ? { text } : undefined),
  read: readRecord,
  write: writeRecord,
}

/** The reader and the writer of the messages of one conversation. */
export const codec: MessageFormatCodec<typeof NAME> = /* @__PURE__ */ toMessageCodec(recordCodec)
