import { toMessageCodec, type WritableConversationCodec } from '../engine/conversation-codec.ts'
import type { MessageFormatCodec } from '../engine/message-format.ts'
import { signs } from './detect.ts'
import { readRow } from './read.ts'
import { NAME } from './types.ts'
import { writeRow } from './write.ts'

/** The reader and the writer of one row. */
export const records: WritableConversationCodec<typeof NAME> = {
  name: NAME,
  signs,
  settings: ['tools'],
  carries: { message: ['name'], part: ['detail'], resultContent: ['detail'] },
  read: readRow,
  write: writeRow,
}

/** The reader and the writer of the messages of one row. */
export const codec: MessageFormatCodec<typeof NAME> = /* @__PURE__ */ toMessageCodec(records)
