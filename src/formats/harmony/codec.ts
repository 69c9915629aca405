import { getOwnValue } from '../../wire/json.ts'
import { toMessageCodec, type WritableConversationCodec } from '../engine/conversation-codec.ts'
import { type FormatSigns, hasText } from '../engine/format-signs.ts'
import type { MessageFormatCodec } from '../engine/message-format.ts'
import { NAME, TOKENS } from './constants.ts'
import { readRecord } from './read.ts'
import { writeRecord } from './write.ts'

/** Returns true for text with a message of the Harmony format. */
function isHarmony(text: unknown): boolean {
  if (typeof text !== 'string' || !text.includes(TOKENS.message)) return false
  return text.includes(TOKENS.start) || text.trimStart().startsWith(TOKENS.channel)
}

/** The signs of one conversation. */
const signs: FormatSigns = {
  title: 'conversations in the Harmony format',
  item: 'a conversation',
  required: [['`text`: a text', hasText('text')]],
  marks: [['`text` with messages of the Harmony format', (record) => isHarmony(getOwnValue(record, 'text'))]],
}

/** The reader and the writer of one conversation. */
export const recordCodec: WritableConversationCodec<typeof NAME> = {
  name: NAME,
  signs,
  settings: ['tools', 'reasoning'],
  textKey: 'text',
  carries: { message: [], part: [], resultContent: [] },
  readText: (text) => (isHarmony(text) ? { text } : undefined),
  read: readRecord,
  write: writeRecord,
}

/** The reader and the writer of the messages of one conversation. */
export const codec: MessageFormatCodec<typeof NAME> = /* @__PURE__ */ toMessageCodec(recordCodec)
