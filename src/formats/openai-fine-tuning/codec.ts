import { toMessageCodec, type WritableConversationCodec } from '../engine/conversation-codec.ts'
import type { MessageFormatCodec } from '../engine/message-format.ts'
import { signs } from './detect.ts'
import { readRecord } from './read.ts'
import { NAME, RECORD_FORMAT } from './types.ts'
import { writeRecord } from './write.ts'

/** The reader and the writer of one line. */
export const records: WritableConversationCodec<typeof NAME> = {
  name: NAME,
  signs,
  sharedSlots: ['openai-chat'],
  settings: RECORD_FORMAT.settings,
  read: readRecord,
  write: writeRecord,
}

/** The reader and the writer of the messages of one line. */
export const codec: MessageFormatCodec<typeof NAME> = /* @__PURE__ */ toMessageCodec(records)
