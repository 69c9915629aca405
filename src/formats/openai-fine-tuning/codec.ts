import type { JsonObject } from '../../wire/json.ts'
import { toMessageCodec, type WritableConversationCodec } from '../engine/conversation-codec.ts'
import { type FormatSigns, hasItem, hasList, isAny } from '../engine/format-signs.ts'
import type { MessageFormatCodec } from '../engine/message-format.ts'
import { NAME, RECORD_FORMAT } from './constants.ts'
import { isPair, readRecord } from './read.ts'
import { writeRecord } from './write.ts'

const hasWeight = ({ weight }: JsonObject): boolean => typeof weight === 'number'

/** The signs of one line of a fine-tuning file. A line without them is read as a request of Chat Completions. */
const signs: FormatSigns = {
  title: 'lines of OpenAI fine-tuning',
  item: 'a line',
  required: [['`messages`, or `input` with two outputs', isAny(hasList('messages'), isPair)]],
  marks: [
    ['a message with a `weight`', hasItem('messages', hasWeight)],
    ['a preference pair', isPair],
  ],
}

/** The reader and the writer of one line. */
export const recordCodec: WritableConversationCodec<typeof NAME> = {
  name: NAME,
  signs,
  sharedSlots: ['openai-chat'],
  settings: RECORD_FORMAT.settings,
  read: readRecord,
  write: writeRecord,
}

/** The reader and the writer of the messages of one line. */
export const codec: MessageFormatCodec<typeof NAME> = /* @__PURE__ */ toMessageCodec(recordCodec)
