import type { MessageFormatCodec } from '../engine/message-format.ts'
import { signs } from './detect.ts'
import { readMessages } from './read.ts'
import { NAME } from './types.ts'
import { writeMessages } from './write.ts'

/** The reader and the writer of the format. */
export const codec: MessageFormatCodec<typeof NAME> = {
  name: NAME,
  signs,
  carries: {
    message: ['createdAt', 'origin', 'usage', 'finish'],
    part: ['signature', 'redacted'],
    resultContent: ['signature'],
  },
  read: readMessages,
  write: writeMessages,
}
