import { toMessageCodec, type WritableConversationCodec } from '../engine/conversation-codec.ts'
import type { MessageFormatCodec } from '../engine/message-format.ts'
import { isHarmony, signs } from './detect.ts'
import { readRecord } from './read.ts'
import { NAME } from './types.ts'
import { writeRecord } from './write.ts'

/** The reader and the writer of one conversation. */
export const records: WritableConversationCodec<typeof NAME> = {
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
export const codec: MessageFormatCodec<typeof NAME> = /* @__PURE__ */ toMessageCodec(records)
