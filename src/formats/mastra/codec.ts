import { codec as uiCodec } from '../ai-sdk-ui-messages/codec.ts'
import type { MessageFormatCodec } from '../engine/message-format.ts'
import { signs } from './detect.ts'
import { readMessages } from './read.ts'
import { NAME } from './types.ts'
import { writeMessages } from './write.ts'

/** The reader and the writer of the format, which use those of UI messages. */
export const codec: MessageFormatCodec<typeof NAME> = {
  name: NAME,
  signs,
  sharedSlots: [uiCodec.name],
  carries: {
    message: ['createdAt', 'metadata'],
    part: ['cache', 'signature', 'citations', 'detail', 'transcript', 'summary', 'redacted', 'executedBy'],
    resultContent: ['citations', 'detail', 'transcript'],
  },
  read: readMessages,
  write: writeMessages,
}
