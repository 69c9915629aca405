import { toMessageCodec, type WritableConversationCodec } from '../engine/conversation-codec.ts'
import { type FormatSigns, hasList } from '../engine/format-signs.ts'
import type { MessageFormatCodec } from '../engine/message-format.ts'
import { NAME, RECORD_FORMAT } from './constants.ts'
import { isRated, readRecord } from './read.ts'
import { writeRecord } from './write.ts'

/** The signs of one line of a tuning file. A line without ratings is read as a request of Gemini. */
const signs: FormatSigns = {
  title: 'lines of Gemini tuning',
  item: 'a line',
  required: [['`contents`: a list', hasList('contents')]],
  marks: [['`completions` with a `score`', isRated]],
}

/** The reader and the writer of one line. */
export const recordCodec: WritableConversationCodec<typeof NAME> = {
  name: NAME,
  signs,
  sharedSlots: ['gemini'],
  settings: RECORD_FORMAT.settings,
  read: readRecord,
  write: writeRecord,
}

/** The reader and the writer of the messages of one line. */
export const codec: MessageFormatCodec<typeof NAME> = /* @__PURE__ */ toMessageCodec(recordCodec)
