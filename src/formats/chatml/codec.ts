import { toMessageCodec, type WritableConversationCodec } from '../engine/conversation-codec.ts'
import type { MessageFormatCodec } from '../engine/message-format.ts'
import { isChatMl, signs } from './detect.ts'
import { readRecord } from './read.ts'
import { NAME } from './types.ts'
import { writeRecord } from './write.ts'

/** The reader and the writer of one conversation. */
export const records: WritableConversationCodec<typeof NAME> = {
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
export const codec: MessageFormatCodec<typeof NAME> = /* @__PURE__ */ toMessageCodec(records)
