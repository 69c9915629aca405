import type { MessageFormatCodec } from '../engine/message-format.ts'
import { signs } from './detect.ts'
import { readMessages } from './read.ts'
import { isStf, readStf } from './stf-read.ts'
import { NAME } from './types.ts'
import { writeMessages } from './write.ts'

/** The reader and the writer of the format. */
export const codec: MessageFormatCodec<typeof NAME> = {
  name: NAME,
  signs,
  carries: { message: ['name'], part: ['signature', 'redacted'], resultContent: [] },
  readText: (text) => (isStf(text) ? readStf(text) : undefined),
  read: readMessages,
  write: writeMessages,
}
